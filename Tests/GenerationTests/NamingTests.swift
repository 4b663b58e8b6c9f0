import SeededRandom
import Testing

@testable import Generation

@Suite struct NamingTests {
  @Test(
    arguments: [
      ("class", "Class", "class"), ("smallWelfare", "SmallWelfare", "smallWelfare"), ("CNY", "CNY", "cny"),
      ("URLText", "URLText", "urlText"), ("a-b.c_d", "ABCD", "aBCD"), ("3d", "n3d", "n3d"), ("1.5", "n1_5", "n1_5"),
      ("", "Empty", "empty"), ("-", "U2D", "u2D"), ("🔥", "U1F525", "u1F525"), ("🔥 sale", "U1F525Sale", "u1F525Sale"),
      ("名字", "名字", "名字"), ("e\u{301}", "EU301", "eU301"), ("é", "é", "é"), ("iOS", "IOS", "iOS"),
    ]) func `any text becomes letters and digits`(text: String, type: String, member: String)
  {
    #expect(Identifier.upper(text) == type)
    #expect(Identifier.lower(text) == member)
  }

  @Test func `keywords are quoted where the language can, and renamed where they mean something else`() {
    var swift = NameScope(SwiftWriter.spelling, ofTypes: false)
    #expect(
      swift.names(for: ["class", "in", "self", "init", "json"]) == [
        "`class`", "`in`", "selfValue", "initValue", "jsonValue",
      ])
    var kotlin = NameScope(KotlinWriter.spelling, ofTypes: false)
    #expect(kotlin.names(for: ["in", "class", "is", "yield"]) == ["`in`", "classValue", "`is`", "`yield`"])
  }

  @Test func `a text that is a name already has it before one that becomes it`() {
    var scope = NameScope(SwiftWriter.spelling, ofTypes: false)
    #expect(scope.names(for: ["a-b", "A B", "aB", "a_b"]) == ["aB_2", "aB_3", "aB", "aB_4"])
  }

  private static let spellings = [SwiftWriter.spelling, KotlinWriter.spelling, TypeScriptWriter.spelling]

  @Test(arguments: 0..<25) func `random texts become different, legal names in every language`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var texts = Set<[Unicode.Scalar]>()
    for _ in 0..<40 {
      texts.insert(
        (0..<Int.random(in: 0..<6, using: &random)).map { _ in
          let ranges: [ClosedRange<UInt32>] = [
            0...0x7F, 0x20...0x7E, 0x30...0x39, 0x80...0x24F, 0x300...0x36F, 0x4E00...0x4E20, 0x1F300...0x1F6FF,
            0...0xD7FF,
          ]
          return Unicode.Scalar(UInt32.random(in: ranges.randomElement(using: &random) ?? 0...0, using: &random)) ?? " "
        })
    }
    let all = texts.map { String(String.UnicodeScalarView($0)) }.sorted() + RandomKinds.names
    for spelling in Self.spellings {
      for isOfTypes in [true, false] {
        var scope = NameScope(spelling, ofTypes: isOfTypes)
        let names = scope.names(for: all)
        #expect(Set(names.map { isOfTypes ? $0.lowercased() : $0 }).count == names.count)
        for name in names {
          let isQuoted =
            name.hasPrefix("`") && name.hasSuffix("`")
            && spelling.keywords.contains(String(name.dropFirst().dropLast()))
          let isLegal = name.wholeMatch(of: /[\p{L}][\p{L}0-9_]*/) != nil && !spelling.keywords.contains(name)
          #expect(isQuoted || isLegal, "\(name)")
        }
      }
    }
  }
}
