import JSON
import Layout
import Testing

@testable import Storage

/// What was read or edited is kept, and what nobody asks for any more is not.
@Suite struct SectionCacheTests {
  private static func section(_ id: String, _ number: Int, items: Int = 4, bytes: Int = 40) -> SectionDefinition {
    let text = String(repeating: "x", count: bytes)
    let items = (0..<items).map { place in
      ItemDefinition(id: "i\(place)", kind: "banner", content: ["title": .string("\(number) \(text)")])
    }
    return SectionDefinition(id: id, settings: SectionSettings(kind: "list"), content: SectionContent(items: items))
  }

  @Test func `of a section that is edited again and again the states before go, and what is in use stays`() {
    let cache = SectionCache(bytesMax: 48 * 1024 * 1024)
    let inUse = 500
    for number in 0..<inUse { cache.insert(Self.section("s\(number)", 0), fingerprint: "s\(number)") }
    for number in 0..<2_000 {
      cache.insert(Self.section("edited", number), fingerprint: "edited \(number)", isEdited: true)
      // Whoever publishes reads all sections of the page.
      for other in 0..<inUse { #expect(cache.section("s\(other)") != nil) }
      #expect(cache.section("edited \(number)") != nil)
    }
    #expect(cache.count <= inUse + 200)
  }

  @Test func `what is read of old revisions is bounded by its bytes`() {
    let bytesMax = 4 * 1024 * 1024
    let cache = SectionCache(bytesMax: bytesMax)
    // Each takes about 84 kB as values.
    for number in 0..<1_000 {
      cache.insert(Self.section("s", number, bytes: 2_000), fingerprint: "\(number)")
      #expect(cache.count <= bytesMax / 80_000 + 2)
    }
    #expect(cache.section("999") != nil)
  }
}
