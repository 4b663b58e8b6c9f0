import Generation
import Testing

@Suite struct GoldenTests {
  private static let files: [(Language, String)] = [
    (.swift, "Kinds.swift.txt"), (.kotlin, "Kinds.kt.txt"), (.typescript, "kinds.ts.txt"),
  ]

  @Test(arguments: files) func `the kinds of the demo are written as they were`(language: Language, file: String) throws
  {
    let path = "Tests/GenerationTests/Golden/\(file)"
    let written = try Repository.kinds().source(in: language)
    #expect(
      written == (try? Repository.text(path)),
      "look at the difference, then: hearth generate \(language.rawValue) --config config --output \(path)")
    #expect(try Repository.kinds().source(in: language) == written, "the same kinds give the same bytes")
  }

  @Test func `a namespace is a name of the language`() {
    #expect(Language.swift.allows(namespace: "HomeKinds"))
    #expect(Language.kotlin.allows(namespace: "com.example.home"))
    for name in ["", "1st", "a.b", "class", "String", "a b", "HomePayload"] {
      #expect(!Language.swift.allows(namespace: name))
    }
    for name in ["com..home", "com.in", ".a"] { #expect(!Language.kotlin.allows(namespace: name)) }
    #expect(!Language.typescript.allows(namespace: "Kinds"))
  }
}
