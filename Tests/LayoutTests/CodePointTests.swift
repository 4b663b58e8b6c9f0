import HomePayload
import JSON
import Layout
import Testing

/// Names and texts of operators, sources and clients are the same when their code points are.
@Suite struct CodePointTests {
  private static let composed = "\u{E9}"
  private static let combining = "e\u{301}"

  @Test func `items are sorted by the member that is named, and texts by their code points`() throws {
    for name in [Self.composed, Self.combining] {
      var screen = try Screen()
      try screen.edit("otc") { section in
        let words = ["f", Self.composed, "e", Self.combining, Self.composed, Self.combining]
        section.content.items = words.enumerated().map { number, word in
          let other = name == Self.composed && name.utf8.count == 2 ? Self.combining : Self.composed
          var content = section.content.items[0].content
          content[name] = .string(word)
          content[other] = .string("\(9 - number)")
          return ItemDefinition(id: "i\(number)", kind: section.content.items[0].kind, content: content)
        }
        let order: JSON = ["by": .string("/\(name)")]
        let json = JSON.object(JSONObject([("kind", .string(section.settings.kind)), ("itemOrder", order)]))
        section.settings = try SectionSettings(json: json, sectionID: "otc", in: DefinitionContext())
      }
      // 65, 65 CC 81 twice, 66, C3 A9 twice; equal ones as they were put.
      #expect(try screen.section("otc").items.map(\.id) == ["i2", "i3", "i5", "i0", "i1", "i4"])
    }
  }

  @Test func `an order by one member is another than that by the member that looks the same`() throws {
    let pointers = try [Self.composed, Self.combining].map { try #require(JSONPointer(text: "/\($0)")) }
    let orders = pointers.map { ItemOrder(pointer: $0, isDescending: false) }
    #expect(orders[0] != orders[1])
    #expect(Set(orders).count == 2)
  }

  @Test func `an audience of one text is not that of another, and a beginning is one by code points`() throws {
    let context = DefinitionContext(attributes: [AttributeDeclaration(name: "city", kind: .text(values: nil))])
    func holds(_ operation: String, _ operand: JSON, _ city: String) throws -> Bool {
      let json: JSON = .object(JSONObject([("attribute", "city"), (operation, operand)]))
      return try Predicate(json: json, in: context).holds(
        for: ClientAttributes(values: ["city": .text(city)]), audiences: [:])
    }
    #expect(try holds("in", [.string(Self.composed)], Self.composed))
    #expect(try !holds("in", [.string(Self.composed)], Self.combining))
    #expect(try holds("notIn", [.string(Self.composed)], Self.combining))
    #expect(try !holds("matches", .string(Self.composed), Self.combining + "a"))
    #expect(try holds("matches", "e", Self.combining))
    let closed = AttributeDeclaration(name: "city", kind: .text(values: ["K"]))
    #expect(closed.value(of: "K") == .text("K"))
    #expect(closed.value(of: "\u{212A}") == nil)
    let audiences = [Self.composed, Self.combining].map { Predicate.attribute("city", .isIn([.text($0)])) }
    #expect(Set(audiences).count == 2)
    #expect(Set(audiences.map { Predicate.not($0) }).count == 2)
    let beginnings = [Self.composed, Self.combining].map { Predicate.attribute("city", .matches($0)) }
    #expect(Set(beginnings).count == 2)
  }

  @Test func `two sections for audiences of texts that look the same are shown each to its own`() throws {
    var screen = try Screen()
    try screen.edit("otc") { $0.settings.audience = .attribute("city", .isIn([.text(Self.composed)])) }
    try screen.edit("wallet") { $0.settings.audience = .attribute("city", .isIn([.text(Self.combining)])) }
    let first = screen.ids(["city": .text(Self.composed)])
    let second = screen.ids(["city": .text(Self.combining)])
    #expect(first.contains("otc") && !first.contains("wallet"))
    #expect(second.contains("wallet") && !second.contains("otc"))
  }

  @Test func `a title or a member written with other code points is a change, and is reported`() throws {
    let old = try Screen()
    var new = old
    new.definition.settings.title = Self.composed
    var other = old
    other.definition.settings.title = Self.combining
    #expect(new.definition.settings != other.definition.settings)
    #expect(!ChangeSummary(from: new.definition, to: other.definition).sentences.isEmpty)
    for title in [Self.composed, Self.combining] {
      try new.edit("otc") { $0.settings.title = Self.composed }
      try other.edit("otc") { $0.settings.title = title }
      let isSame = title.utf8.elementsEqual(Self.composed.utf8)
      other.definition.settings.title = Self.composed
      #expect((new.definition == other.definition) == isSame)
      #expect(ChangeSummary(from: new.definition, to: other.definition).sentences.isEmpty == isSame)
    }
    try new.edit("otc") { $0.content.items[0].content[Self.composed] = 1 }
    try other.edit("otc") {
      $0.settings.title = Self.composed
      $0.content.items[0].content[Self.combining] = 1
    }
    let told = ChangeSummary(from: new.definition, to: other.definition).sentences
    #expect(told.count == 1)
    // Both members: the one that went, and the one that came.
    #expect(told.first?.unicodeScalars.count { $0 == "\u{E9}" } == 1, "\(told)")
    #expect(told.first?.unicodeScalars.count { $0 == "\u{301}" } == 1, "\(told)")
  }
}
