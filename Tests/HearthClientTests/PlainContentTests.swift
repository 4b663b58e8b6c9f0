import HearthClient
import HomePayload
import JSON
import Testing

@Suite struct PlainContentTests {
  private static func plain(_ content: JSONObject, isDark: Bool = false) -> PlainContent {
    PlainContent(
      Item(id: "i", kind: "card", content: content, accessibility: Accessibility(label: "A card")), isDark: isDark)
  }

  @Test func `an item is drawn with the texts, the picture and the colour that it has, of the screen's theme`() {
    let content: JSONObject = [
      "title": "Tea", "button": "Buy", "subtitle": "Green", "badge": "New",
      "cover": ["light": ["url": "https://a/light.png"], "dark": ["url": "https://a/dark.png"]],
      "color": ["light": "#FFFFFF", "dark": "#000000"],
    ]
    let light = Self.plain(content)
    #expect(
      [light.title, light.subtitle, light.picture, light.color] == ["Tea", "Green", "https://a/light.png", "#FFFFFF"])
    let dark = Self.plain(content, isDark: true)
    #expect([dark.picture, dark.color] == ["https://a/dark.png", "#000000"])
  }

  @Test func `something is drawn of every item: any text, else its label, else its kind`() {
    #expect(Self.plain(["badge": "New", "color": "#FF0000"]).title == "New")
    #expect(Self.plain([:]).title == "A card")
    #expect(PlainContent(Item(id: "i", kind: "card")).title == "card")
    // A picture needs no words.
    #expect(Self.plain(["image": ["url": "https://a/b.png"]]).title.isEmpty)
  }
}
