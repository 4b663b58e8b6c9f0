import Foundation
import HomePayload
import JSON

// What somebody needs who does not see a picture, or sees text only with enough contrast.

extension SectionLinter {
  /// Pictures and buttons that nothing says what they are, and text that is hard to read on what is behind it.
  ///
  /// - Parameter backgrounds: The colours behind the item, the nearest first, as they were entered.
  mutating func checkReading(of item: ItemDefinition, _ pointer: JSONPointer, over backgrounds: [JSON]) {
    let content = JSON.object(item.content)
    checkLabel(of: item, pointer)
    checkContrast(of: content, pointer.appending("content"), over: backgrounds)
    for (index, child) in item.children.enumerated() {
      checkReading(of: child, pointer.appending("children").appending(index), over: backgrounds)
    }
  }

  /// Whether it says in words what it is: by its label, or by a text of its content.
  private mutating func checkLabel(of item: ItemDefinition, _ pointer: JSONPointer) {
    let content = JSON.object(item.content)
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

  /// The members of a content that are colours: of its text, and of what is behind it.
  private static let backgroundNames = ["backgroundColor", "color"]

  /// Checks text that has a colour. Apps draw other text black or white, by contrast.
  private mutating func checkContrast(of content: JSON, _ pointer: JSONPointer, over backgrounds: [JSON]) {
    guard let ink = content["textColor"], Self.hasText(content) else { return }
    let own = Self.backgroundNames.compactMap { content[$0] }.first
    for isDark in [false, true] {
      guard let text = RelativeColor(ink, isDark: isDark) else { continue }
      let bottom = isDark ? RelativeColor.black : .white
      let behind = ([own].compactMap { $0 } + backgrounds).reversed()
        .compactMap { RelativeColor($0, isDark: isDark) }.reduce(bottom) { $1.over($0) }
      let contrast = text.over(behind).contrast(to: behind)
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
