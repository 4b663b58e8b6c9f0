import Foundation
import JSON
import Testing

/// The cases of what docs/protocol.md says of locales, tried on a server.
@Suite struct LocaleTableTests {
  private struct Row {
    var locales: [String]
    var asked: String
    var answered: String
  }

  private static func rows() throws -> [Row] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("ClientCases/protocol/locales.json")
    let cases = try #require(try JSON.parse([UInt8](Data(contentsOf: file)))["cases"]?.array)
    return try cases.map { aCase in
      Row(
        locales: try #require(aCase["locales"]?.array).compactMap(\.string),
        asked: try #require(aCase["asked"]?.string), answered: try #require(aCase["answered"]?.string))
    }
  }

  @Test func `a client gets the locale that the cases say, by the field and by the parameter`() async throws {
    let rows = try Self.rows()
    #expect(rows.count >= 30)
    let lists = Array(Set(rows.map(\.locales)))
    let pages = lists.enumerated().map { number, locales in
      "  p\(number): {defaultLocale: \(locales[0]), locales: [\(locales.joined(separator: ", "))]}\n"
    }
    try await withServer(["hearth: 1\npages:\n" + pages.joined()]) { server in
      for row in rows {
        let number = try #require(lists.firstIndex(of: row.locales))
        let reply = try await server.get("/v1/pages/p\(number)", ["Accept-Language": row.asked])
        #expect(reply.json["locale"]?.string == row.answered, "\(row)")
        guard row.asked.allSatisfy({ $0.isLetter || $0 == "-" }) else { continue }
        let other = ["Accept-Language": "fr, vi;q=0.5"]
        let explicit = try await server.get("/v1/pages/p\(number)?locale=\(row.asked)", other)
        #expect(explicit.json["locale"]?.string == row.answered, "\(row)")
      }
    }
  }
}
