public import HomePayload
import JSON

/// What an item of any kind can be drawn with, for a start: texts, a picture and a colour that its content has.
public struct PlainContent: Hashable, Sendable {
  /// The first line; empty where the content has no text.
  public var title: String
  /// The second line.
  public var subtitle: String?
  /// The address of a picture.
  public var picture: String?
  /// What is behind them, `#RRGGBB` or `#RRGGBBAA`.
  public var color: String?

  /// What an item's content has, for a screen that is dark, or is not.
  public init(_ item: Item, isDark: Bool = false) {
    let content = item.content.map { ($0.name, Self.themed($0.value, isDark)) }
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { name in content.first { $0.0 == name }?.1.string }.first { !$0.isEmpty }
    }
    picture = content.lazy.compactMap { $0.1["url"]?.string }.first
    color = text("backgroundColor", "color")
    let other = content.first { !["backgroundColor", "color", "textColor"].contains($0.0) && $0.1.string != nil }
    title = text("title", "text", "name", "label") ?? other?.1.string ?? ""
    subtitle = text("subtitle", "summary", "host", "description", "author", "value", "button")
    if title.isEmpty, picture == nil { title = item.accessibility?.label ?? item.kind }
  }

  /// The value for light or dark, of one that has both.
  private static func themed(_ value: JSON, _ isDark: Bool) -> JSON {
    guard let light = value["light"], let dark = value["dark"] else { return value }
    return isDark ? dark : light
  }
}
