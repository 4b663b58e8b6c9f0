import Foundation
import Testing

@Suite struct LinkTests {
  /// The targets of a document's links: what stands in the parentheses of `[text](target)`.
  private func links(in path: String) throws -> [String] {
    let link = /\]\(([^()\s]+)\)/
    return try Documents.prose(in: path).flatMap { line in line.matches(of: link).map { String($0.1) } }
  }

  /// The anchors of a document's headings, as GitHub makes them.
  private func anchors(of path: String) throws -> Set<String> {
    Set(
      try Documents.prose(in: path).filter { $0.hasPrefix("#") }.map { heading in
        let text = heading.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
        return String(text.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " })
          .replacing(" ", with: "-")
      })
  }

  @Test func `there are documents to look at`() {
    #expect(Documents.markdown.contains("README.md"))
    #expect(Documents.markdown.count > 5)
  }

  @Test(arguments: Documents.markdown) func `every relative link leads somewhere`(path: String) throws {
    let folder = URL(fileURLWithPath: "/" + path).deletingLastPathComponent()
    for link in try links(in: path) where !link.contains("://") && !link.hasPrefix("mailto:") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let target =
        parts[0].isEmpty ? path : String(folder.appendingPathComponent(parts[0]).standardized.path.dropFirst())
      guard FileManager.default.fileExists(atPath: Documents.root.appendingPathComponent(target).path) else {
        Issue.record("\(path) links to \(link), and there is no \(target)")
        continue
      }
      if parts.count == 2, target.hasSuffix(".md") {
        #expect(try anchors(of: target).contains(parts[1]), "\(path) links to \(link)")
      }
    }
  }
}
