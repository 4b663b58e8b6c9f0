import Foundation
import Testing

/// Every problem code that the sources answer is explained, and every one that is explained is answered.
@Suite struct ProblemCodes {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The texts of a room's Swift files.
  private static func text(of room: String) -> String {
    let folder = root.appendingPathComponent("Sources/\(room)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return (files ?? []).filter { $0.pathExtension == "swift" }
      .map { (try? String(contentsOf: $0, encoding: .utf8)) ?? "" }.joined(separator: "\n")
  }

  private static var answered: Set<String> {
    let service = text(of: "Service") + text(of: "Serving")
    let store = text(of: "Storage")
    var codes = Set<String>()
    for match in service.matches(of: /(?:Problem|self\.init)\(\s*\d{3},\s*"([a-z-]+)"/) {
      codes.insert(String(match.1))
    }
    for match in store.matches(of: /conflict\(\s*code: "([a-z-]+)"/) { codes.insert(String(match.1)) }
    for match in (service + store).matches(of: /notFound\(\s*what: "([a-z ]+)"/) {
      codes.insert("unknown-" + match.1.replacing(" ", with: "-"))
    }
    let engine =
      (try? String(
        contentsOf: root.appendingPathComponent("Sources/HTTPServer/RequestFailure.swift"), encoding: .utf8)) ?? ""
    for match in engine.matches(of: /(?m)^  case ([a-zA-Z, ]+)$/) {
      for name in match.1.split(separator: ",") {
        codes.insert(
          name.trimmingCharacters(in: .whitespaces).reduce(into: "") { code, letter in
            code += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
          })
      }
    }
    return codes
  }

  @Test func `every code in the sources is in docs-errors, and the reverse`() throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
    // Codes of one status and remedy share a row.
    let rows = text.matches(of: #/(?m)^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| \d{3} \|/#).map { String($0.1) }
    let explained = Set(
      rows.joined(separator: ", ").filter { $0 != "`" }.split(separator: ", ").map { String($0) })
    #expect(Self.answered.subtracting(explained) == [], "not explained")
    #expect(explained.subtracting(Self.answered) == [], "answered by nobody")
  }

  @Test func `the codes are found`() {
    #expect(Self.answered.isSuperset(of: ["stale", "unknown-page", "in-use", "host-missing", "internal"]))
  }
}
