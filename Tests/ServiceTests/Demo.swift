import Layout

/// Small documents that tests serve.
enum Demo {
  static let attributes = [AttributeDeclaration(name: "memberTier", kind: .integer(0...9))]

  static let tinyKinds = """
    itemKinds:
      navigation:
        title: Navigation cell
        content:
          type: object
          required: [title]
          additionalProperties: false
          properties:
            title: {type: string, minLength: 1, x-localized: true}
            date: {type: string, format: date-time}
      title:
        title: Title
        content: {type: object, required: [text], properties: {text: {type: string, x-localized: true}}}
    sectionKinds:
      grid:
        title: Grid
        layout: {style: grid, rows: [5], itemSize: {width: column, height: {points: 80}}}
        items: {kinds: [navigation], maximum: 100}
        header: [title]
      broadcast:
        title: Broadcast
        layout: {style: list, itemSize: {width: container, height: {points: 44}}}
        items: {kinds: [navigation], maximum: 100}
        slots: {hot: {kinds: [navigation]}}
    """

  static let tiny = """
    hearth: 1
    pages:
      home:
        title: Home
        defaultLocale: zh-Hans
        locales: [zh-Hans, en]
        pollInterval: 30
        sections:
          - id: top
            kind: grid
            header: {kind: title, content: {text: {zh-Hans: 频道, en: Channels}}}
            items:
              - {id: scan, kind: navigation, content: {title: {zh-Hans: 扫一扫, en: Scan}}}
              - {id: pay, kind: navigation, content: {title: {zh-Hans: 付款, en: Pay}}}
          - id: middle
            kind: broadcast
            items: [{id: a, kind: navigation, content: {title: A}}]
            slots: {hot: {kind: navigation, content: {title: Hot}}}
          - id: bottom
            kind: broadcast
            items: [{id: b, kind: navigation, content: {title: B}}]
        sortRules:
          default: {indices: {top: 0, middle: 5, bottom: 9}}
    """
}

extension Demo {
  /// A home of many items, so that a change is much smaller than the page.
  static var long: String {
    let items = (0..<60).map { number in
      "          - {id: i\(number), kind: navigation, content: {title: Item number \(number) of \(number &* 2_654_435_761)}}"
    }
    return tiny.replacing(
      "- {id: pay", with: items.joined(separator: "\n").drop { $0 == " " } + "\n          - {id: pay")
  }

  /// A home whose first section takes the best compression a while.
  static var crowded: String {
    let items = (0..<90).map { number in
      let words = (0..<60).map { String((number * 60 + $0) &* 2_654_435_761, radix: 36) }.joined(separator: " ")
      return "          - {id: i\(number), kind: navigation, content: {title: \"\(words)\"}}"
    }
    return tiny.replacing(
      "- {id: pay", with: items.joined(separator: "\n").drop { $0 == " " } + "\n          - {id: pay")
  }
}
