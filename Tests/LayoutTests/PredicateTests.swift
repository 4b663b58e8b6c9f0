import JSON
import Layout
import SeededRandom
import Testing

@Suite struct PredicateTests {
  private static let context = DefinitionContext(attributes: [
    AttributeDeclaration(name: "country", kind: .text(values: nil)),
    AttributeDeclaration(name: "memberTier", kind: .integer(0...9)),
    AttributeDeclaration(name: "staff", kind: .flag),
  ])

  private func client(_ parameters: [String: String]) throws -> ClientAttributes {
    var client = ClientAttributes()
    for (name, text) in parameters {
      if name == "locale" {
        let locale: Locale = try #require(Locale(text))
        client.languages = [LanguageRange(locale: locale)]
      } else {
        client.values[name] = try #require(Self.context.attributes[name]?.value(of: text))
      }
    }
    return client
  }

  private func holds(_ json: JSON, _ parameters: [String: String], audiences: [String: JSON] = [:]) throws -> Bool {
    let named = try audiences.mapValues { try Predicate(json: $0, in: Self.context) }
    return try Predicate(json: json, in: Self.context).holds(for: client(parameters), audiences: named)
  }

  @Test(arguments: [
    (#"{"attribute":"platform","in":["ios","android"]}"#, ["platform": "ios"], ["platform": "web"]),
    (#"{"attribute":"platform","notIn":["web"]}"#, ["platform": "ios"], ["platform": "web"]),
    (#"{"attribute":"appVersion","atLeast":"5.10"}"#, ["appVersion": "5.10.0"], ["appVersion": "5.9.9"]),
    (#"{"attribute":"appVersion","below":"5.10"}"#, ["appVersion": "5.9"], ["appVersion": "5.10"]),
    (#"{"attribute":"bucket","between":[10,19]}"#, ["bucket": "19"], ["bucket": "20"]),
    (#"{"attribute":"bucket","between":[10,19]}"#, ["bucket": "10"], ["bucket": "9"]),
    (#"{"attribute":"locale","matches":"zh"}"#, ["locale": "zh-Hant-TW"], ["locale": "zha"]),
    (#"{"attribute":"locale","in":["vi"]}"#, ["locale": "vi"], ["locale": "vi-VN"]),
    (#"{"attribute":"country","matches":"C"}"#, ["country": "CN"], ["country": "VN"]),
    (#"{"attribute":"memberTier","atLeast":3}"#, ["memberTier": "3"], ["memberTier": "2"]),
    (#"{"attribute":"staff","in":[true]}"#, ["staff": "true"], ["staff": "false"]),
    (#"{"not":{"attribute":"bucket","below":50}}"#, ["bucket": "50"], ["bucket": "49"]),
    (
      #"{"all":[{"attribute":"platform","in":["ios"]},{"attribute":"bucket","below":50}]}"#,
      ["platform": "ios", "bucket": "7"], ["platform": "ios", "bucket": "77"]
    ),
    (
      #"{"any":[{"attribute":"platform","in":["ios"]},{"attribute":"bucket","below":50}]}"#,
      ["bucket": "7"], ["platform": "web", "bucket": "77"]
    ),
  ])
  func `a comparison holds for those it is for, for no others, and for nobody who does not say`(
    text: String, inside: [String: String], outside: [String: String]
  ) throws {
    let json = try JSON.parse(text)
    #expect(try holds(json, inside))
    #expect(try !holds(json, outside))
    #expect(try !holds(json, [:]))
    #expect(try !holds(["not": json], inside))
    #expect(try holds(["not": json], outside))
    // Not even the opposite holds for a client that does not send the attribute.
    #expect(try !holds(["not": json], [:]))
    #expect(try Predicate(json: Predicate(json: json, in: Self.context).json, in: Self.context).json == json)
  }

  @Test func `a named audience is what it names, by a short form too; an unknown one holds for nobody`() throws {
    let audiences: [String: JSON] = ["vip": ["attribute": "memberTier", "atLeast": 3], "best": ["audience": "vip"]]
    for json in ["vip", ["audience": "vip"], ["audience": "best"]] as [JSON] {
      #expect(try holds(json, ["memberTier": "5"], audiences: audiences))
      #expect(try !holds(json, ["memberTier": "1"], audiences: audiences))
    }
    #expect(try !holds("unknown", ["memberTier": "5"]))
    #expect(try !holds(["not": "unknown"], ["memberTier": "5"]))
  }

  @Test(arguments: [
    (#"{"attribute":"shoeSize","in":["42"]}"#, "/attribute"), (#"{"attribute":"platform","in":["windows"]}"#, "/in/0"),
    (#"{"attribute":"platform","in":[]}"#, "/in"), (#"{"attribute":"platform","atLeast":"ios"}"#, "/atLeast"),
    (#"{"attribute":"bucket","between":[20,10]}"#, "/between"),
    (#"{"attribute":"bucket","between":[0,100]}"#, "/between/1"),
    (#"{"attribute":"bucket","in":[1.5]}"#, "/in/0"), (#"{"attribute":"appVersion","atLeast":5.1}"#, "/atLeast"),
    (#"{"attribute":"bucket","matches":"1"}"#, "/matches"), (#"{"attribute":"bucket"}"#, ""),
    (#"{"attribute":"bucket","below":5,"atLeast":1}"#, ""), (#"{"all":[]}"#, "/all"), (#"{"nor":[]}"#, ""),
    (#"{"not":{"attribute":"bucket","below":"5"}}"#, "/not/below"), (#""no audience""#, ""),
  ])
  func `a predicate that makes no sense is refused at its place`(text: String, pointer: String) throws {
    let json = try JSON.parse(text)
    let error = #expect(throws: InvalidDocument.self) { try Predicate(json: json, in: Self.context) }
    #expect(error?.problems.map(\.pointer.description).contains(pointer) == true)
  }

  @Test func `predicates obey the laws of their logic for every client`() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<3_000 {
      let left = random(depth: 3, using: &generator)
      let right = random(depth: 3, using: &generator)
      var client = ClientAttributes()
      if Bool.random(using: &generator) { client.values["bucket"] = .integer(.random(in: 0...99, using: &generator)) }
      if Bool.random(using: &generator) { client.values["platform"] = .text("ios") }
      func holds(_ predicate: Predicate) -> Bool { predicate.holds(for: client, audiences: [:]) }
      #expect(holds(.not(.not(left))) == holds(left))
      #expect(holds(.not(.all([left, right]))) == holds(.any([.not(left), .not(right)])))
      #expect(holds(.not(.any([left, right]))) == holds(.all([.not(left), .not(right)])))
      #expect(holds(.all([left, right])) == (holds(left) && holds(right)))
      #expect(holds(.any([left, right])) == (holds(left) || holds(right)))
      #expect(!(holds(left) && holds(.not(left))))
    }
  }

  private func random(depth: Int, using generator: inout SeededGenerator) -> Predicate {
    switch Int.random(in: depth > 0 ? 0...4 : 2...4, using: &generator) {
    case 0: return .all([random(depth: depth - 1, using: &generator), random(depth: depth - 1, using: &generator)])
    case 1:
      return .any([random(depth: depth - 1, using: &generator), .not(random(depth: depth - 1, using: &generator))])
    case 2: return .attribute("bucket", .below(.integer(.random(in: 0...99, using: &generator))))
    case 3: return .attribute("bucket", .atLeast(.integer(.random(in: 0...99, using: &generator))))
    default: return .attribute("platform", .isIn([.text(Bool.random(using: &generator) ? "ios" : "web")]))
    }
  }
}

@Suite struct AppVersionTests {
  @Test func `versions are in semantic order, and absent numbers are zero`() throws {
    let ascending = ["0", "0.0.1", "0.9", "1", "1.0.1", "1.2", "1.10", "1.10.0.1", "2", "10.0"]
    let versions = try ascending.map { try #require(AppVersion($0)) }
    #expect(versions.shuffled().sorted() == versions)
    #expect(Set(versions).count == versions.count)
    #expect(AppVersion("5") == AppVersion("5.0.0"))
    #expect(AppVersion("5.2.0-beta.1+77") == AppVersion("5.2"))
  }

  @Test(arguments: ["", ".", "5.", ".5", "5..1", "v5", "5.x", "-1", "5 ", "1.2.3.4.5.6.7.8.9", "1234567890", "５.1"])
  func `what is no version is refused`(text: String) { #expect(AppVersion(text) == nil) }

  @Test func `comparing agrees with comparing number by number`() throws {
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<2_000 {
      let left = (0..<Int.random(in: 1...5, using: &generator)).map { _ in Int.random(in: 0...3, using: &generator) }
      let right = (0..<Int.random(in: 1...5, using: &generator)).map { _ in Int.random(in: 0...3, using: &generator) }
      func padded(_ numbers: [Int]) -> [Int] { numbers + Array(repeating: 0, count: 5 - numbers.count) }
      let expected = padded(left).lexicographicallyPrecedes(padded(right))
      #expect((AppVersion(numbers: left) < AppVersion(numbers: right)) == expected)
      #expect(AppVersion(AppVersion(numbers: left).description) == AppVersion(numbers: left))
    }
  }
}
