import JSON
import Service
import Testing

@testable import Layout

/// What an endpoint's answer comes to.
@Suite struct AskedContentTests {
  private static let context = DefinitionContext()

  private static func asking(_ members: JSON) throws -> Asking {
    var object: JSONObject = ["url": "https://a.example/", "every": 60]
    for member in members.object ?? JSONObject() { object[member.name] = member.value }
    let settings = try SectionSettings(
      json: ["kind": "otc", "asks": .object(object)], sectionID: "otc", in: context)
    return try #require(settings.loading.asks)
  }

  private static func content(_ members: JSON, of answer: JSON) throws -> JSON {
    try asking(members).content(of: answer, section: "otc", in: context).json
  }

  private static func problems(_ members: JSON, of answer: JSON) throws -> [String] {
    let asking = try asking(members)
    do throws(InvalidDocument) {
      _ = try asking.content(of: answer, section: "otc", in: context)
      return []
    } catch { return error.problems.map(\.description) }
  }

  @Test func `the example of the document can be read`() throws {
    let example = try Demo.example("asks", in: "docs/layout.md")
    let asks = try #require(YAMLDocument(example).json["asks"])
    let settings = try SectionSettings(json: ["kind": "feed", "asks": asks], sectionID: "feed", in: Self.context)
    #expect(settings.loading.asks?.json == asks)
  }

  @Test func `members are put where they belong, and what is not there is left out`() throws {
    let mapping: JSON = [
      "items": [
        "from": "/data/0/offers", "item": ["kind": "banner", "content": ["theme": "dark"]],
        "members": [
          "/id": "/sku", "/content/title": "/texts/name", "/content/image/url": "/pictures/1", "/action/url": "/link",
          "/content/~1a~0b": "/x~1y",
        ],
      ]
    ]
    let answer: JSON = [
      "data": [
        [
          "offers": [
            [
              "sku": 7, "texts": ["name": ["en": "Tea"]], "pictures": ["a", "b"], "link": "app://tea", "x/y": 15,
            ],
            ["sku": "B", "texts": JSON.null, "link": JSON.null],
          ]
        ]
      ]
    ]
    #expect(
      try Self.content(mapping, of: answer) == [
        "items": [
          [
            "id": "7", "kind": "banner", "action": ["url": "app://tea"],
            "content": ["theme": "dark", "title": ["en": "Tea"], "image": ["url": "b"], "/a~b": 15],
          ],
          ["id": "B", "kind": "banner", "content": ["theme": "dark"]],
        ]
      ])
  }

  @Test func `an item without an id has its place, and an empty list is one`() throws {
    let mapping: JSON = ["items": ["from": "", "item": ["kind": "banner"]]]
    #expect(
      try Self.content(mapping, of: [["content": ["a": 1]], ["id": "own"]]) == [
        "items": [["id": "1", "kind": "banner", "content": ["a": 1]], ["id": "own", "kind": "banner"]]
      ])
    #expect(try Self.content(mapping, of: []) == [:])
  }

  @Test func `slots that are not there are empty, and have ids of their own`() throws {
    let part: JSON = ["from": "/top", "item": ["kind": "banner"]]
    let mapping: JSON = ["slots": ["top": part, "other": ["from": "/none"]]]
    #expect(try Self.content(mapping, of: ["top": [:]]) == ["slots": ["top": ["id": "otc.top", "kind": "banner"]]])
    #expect(try Self.content(mapping, of: 3) == [:])
  }

  @Test func `what is wrong is told with its place`() throws {
    let mapping: JSON = ["items": ["from": "/a", "item": ["kind": "banner"]]]
    #expect(try Self.problems(mapping, of: ["a": 3]).first?.hasPrefix("/asks/items/from must be") == true)
    #expect(try Self.problems(mapping, of: ["b": 3]) == ["/asks/items/from leads to nothing in the answer"])
    #expect(try Self.problems(mapping, of: ["a": ["x"]]).first?.hasPrefix("/items/0 must be an object") == true)
    let many = JSON.array(Array(repeating: [:], count: 10_001))
    #expect(try Self.problems(mapping, of: ["a": many]).first?.contains("at most 10000") == true)
  }

  @Test func `no answer comes to more than there is room for`() throws {
    let members = JSONObject((0..<64).map { ("/content/m\($0)", JSON.string("/t")) })
    let mapping: JSON = ["items": ["from": "", "item": ["kind": "banner"], "members": .object(members)]]
    let element: JSON = ["t": .string(String(repeating: "x", count: 1_000))]
    let answer = JSON.array(Array(repeating: element, count: 1_000))
    #expect(try Self.problems(mapping, of: answer).first?.hasPrefix("/asks must be such") == true)
  }
}
