import Foundation
import HomePayload
import JSON

// What somebody needs who does not see a picture, or sees text only with enough contrast.

extension SectionLinter {
  /// Pictures and buttons that nothing says what they are, and text that is hard to read on what is behind it.
  ///
  /// - Parameter backgrounds: The colours behind the item, the nearest first, as they were entered: each of what may be
  ///   behind it; none where a picture is, whose colours nobody knows.
  mutating func checkReading(of item: ItemDefinition, _ pointer: JSONPointer, over backgrounds: [[JSON]]) {
    let content = JSON.object(kinds.tokens.placed(in: item.content))
    checkLabel(of: item, pointer)
    checkActions(of: item, pointer)
    checkContrast(of: content, pointer.appending("content"), over: backgrounds)
    for (index, child) in item.children.enumerated() {
      checkReading(of: child, pointer.appending("children").appending(index), over: backgrounds)
    }
  }

  /// The colours that may be behind an item: of a gradient each, since text stands anywhere.
  ///
  /// - Parameter layers: The backgrounds, the nearest first.
  static func backgrounds(_ layers: [JSON]) -> [[JSON]] {
    layers.reversed().reduce([[]]) { behind, layer in
      guard layer["image"] == nil else { return [] }
      let color = [layer["color"]].compactMap { $0 }
      let stops = (layer["gradient"]?["stops"]?.array ?? []).compactMap { $0["color"] }
      return behind.flatMap { colors in stops.isEmpty ? [color + colors] : stops.map { [$0] + color + colors } }
    }
  }

  /// Whether it says in words what it is: by its label, or by a text of its content.
  private mutating func checkLabel(of item: ItemDefinition, _ pointer: JSONPointer) {
    let content = JSON.object(kinds.tokens.placed(in: item.content))
    let isImage = Self.hasImage(content)
    guard isImage || item.action?.url != nil || item.action?.handler != nil,
      item.accessibility?["label"] == nil, item.accessibility?["hidden"]?.bool != true, !Self.hasText(content)
    else { return }
    let what = isImage ? "image" : "button"
    add(
      .missingLabel, pointer,
      Sentence(
        .missingLabel,
        "the \(what) has no text and no accessibility label; give it a label, or say that it is hidden as decoration",
        ["what": .string(what)]))
  }

  /// More at one side of the cell than a row that is swiped has room for.
  private mutating func checkActions(of item: ItemDefinition, _ pointer: JSONPointer) {
    let most = ItemActionDefinition.shownMax
    for edge in ItemAction.Edge.allCases {
      let count = item.actions.count { ($0.edge ?? .trailing) == edge }
      guard count > most else { continue }
      add(
        .manyActions, pointer.appending("actions"),
        Sentence(
          .manyActions,
          "there are \(count) at the \(edge.rawValue) edge, and a row that is swiped has room for \(most)",
          ["edge": .string(edge.rawValue), "count": .count(count), "most": .count(most)]))
    }
  }

  /// The members of a content that are colours: of its text, and of what is behind it.
  private static let backgroundNames = ["backgroundColor", "color"]

  /// Checks text that has a colour. Apps draw other text black or white, by contrast.
  private mutating func checkContrast(of content: JSON, _ pointer: JSONPointer, over backgrounds: [[JSON]]) {
    guard let ink = content["textColor"], Self.hasText(content) else { return }
    let own = Self.backgroundNames.compactMap { content[$0] }.first
    for isDark in [false, true] {
      guard let text = RelativeColor(ink, isDark: isDark) else { continue }
      let bottom = isDark ? RelativeColor.black : .white
      let isCovered = RelativeColor(own, isDark: isDark)?.isOpaque == true
      let contrasts = (isCovered ? [[]] : backgrounds).map { colors in
        let behind = ([own].compactMap { $0 } + colors).reversed()
          .compactMap { RelativeColor($0, isDark: isDark) }.reduce(bottom) { $1.over($0) }
        return text.over(behind).contrast(to: behind)
      }
      guard let contrast = contrasts.min() else { continue }
      guard contrast < Self.contrastMin else { continue }
      // Rounded down, so that what is too little never looks like enough.
      let ratio = String(format: "%.2f", (contrast * 100).rounded(.down) / 100)
      let theme = isDark ? "dark" : "light"
      add(
        .lowContrast, pointer.appending("textColor"),
        Sentence(
          .lowContrast,
          "has a contrast of \(ratio) to what is behind it in \(theme), and WCAG AA asks for 4.5; make one darker or lighter",
          ["ratio": .string(ratio), "theme": .string(theme)]))
    }
  }

  /// WCAG 2.2, success criterion 1.4.3 (AA), for text of the usual size.
  private static let contrastMin = 4.5

  private static func hasImage(_ value: JSON) -> Bool {
    switch value {
    case .object(let object): object["url"]?.string != nil || object.contains { hasImage($0.value) }
    case .array(let elements): elements.contains(where: hasImage)
    default: false
    }
  }

  /// Whether there are words in it: letters or digits that are no address, no colour and no moment.
  private static func hasText(_ value: JSON) -> Bool {
    switch value {
    case .string(let text):
      !text.contains("://") && RelativeColor(text) == nil && Instant(text) == nil
        && text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    case .object(let object): object["url"]?.string == nil && object.contains { hasText($0.value) }
    case .array(let elements): elements.contains(where: hasText)
    default: false
    }
  }
}
