import Foundation
import JSON
import Testing

/// The table of docs/client.md, tried on a server.
@Suite struct LocaleTableTests {
  private struct Row {
    var locales: [String]
    var asked: String
    var answered: String
  }

  private static let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/client.md")

  private static func rows() throws -> [Row] {
    let text = try String(contentsOf: guide, encoding: .utf8)
    let title = "| the page's locales, its default one first | asked for | answered |\n"
    let table = text.components(separatedBy: title).dropFirst().first ?? ""
    return table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }.compactMap { line in
      let cells = line.split(separator: "|").map { cell in
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
      }
      guard cells.count == 3, let asked = cells[1].first, let answered = cells[2].first else { return nil }
      return Row(locales: cells[0], asked: asked, answered: answered)
    }
  }

  @Test func `a client gets the locale that the documented table says, by the field and by the parameter`() async throws
  {
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
