import HomePayload
import JSON
import Testing

@Suite struct LargePageTests {
  private static let force = ["If-Match": "*"]

  private static func items(_ count: Int, _ word: String) -> String {
    let items = (0..<count).map {
      #"{"id": "i\#($0)", "kind": "navigation", "content": {"title": "\#(word) \#($0 &* 2_654_435_761) 付款"}}"#
    }
    return #"{"kind": "grid", "items": [\#(items.joined(separator: ","))]}"#
  }

  @Test func `a page compressed section by section is the page, byte for byte`() async throws {
    try await withServer { server in
      for number in 0..<50 {
        let made = try await server.admin(
          "PUT", "/pages/home/sections/s\(number)", Self.items(80, "word\(number)"), ["If-None-Match": "*"])
        #expect(made.status == 201, "\(made.text)")
      }
      for round in 0..<3 {
        let content = Self.items(90, "round\(round)").replacing(#""kind": "grid", "#, with: "", maxReplacements: 1)
        let filled = try await server.admin("PUT", "/pages/home/sections/s\(round * 7)/content", content)
        #expect(filled.status == 200, "\(filled.text)")
        let move = #"{"first": true}"#
        let moved = try await server.admin("POST", "/pages/home/sections/s\(round + 20)/move", move, Self.force)
        #expect(moved.status == 200)
        #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
        let compressed = try await server.get("/v1/home?locale=en", ["Accept-Encoding": "gzip"])
        let plain = try await server.get("/v1/home?locale=en", ["Accept-Encoding": "identity"])
        #expect(plain.body.count > 256 * 1_024)
        #expect(compressed["Content-Encoding"] == nil || compressed["Content-Encoding"] == "gzip")
        #expect(compressed.body == plain.body)
        let page = try Page(bytes: Array(plain.body))
        #expect(page.canonicalBytes == Array(plain.body))
        #expect(page.sections.first?.id == "s\(round + 20)")
        #expect(page.sections.first { $0.id == "s\(round * 7)" }?.items.count == 90)
      }
    }
  }
}
