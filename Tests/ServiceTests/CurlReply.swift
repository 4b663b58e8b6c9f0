import Foundation
import Peers
import Testing

/// What curl gets: nothing is unpacked unless it is told to.
struct CurlReply: Sendable {
  private(set) var status = 0
  private(set) var body: [UInt8]
  private var fields: [String: String] = [:]

  subscript(name: String) -> String? { fields[name.lowercased()] }

  /// - Parameter options: More of curl's options, such as `--compressed`.
  init(_ url: String, _ fields: [String: String] = [:], options: [String] = []) throws {
    let file = NSTemporaryDirectory() + "/hearth-curl-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let sent = fields.flatMap { ["-H", "\($0.key): \($0.value)"] }
    let (head, _) = try Peer.run(
      "curl", ["-sSk", "--http1.1", "--max-time", "40", "-D", "-", "-o", file] + options + sent + [url])
    body = FileManager.default.contents(atPath: file).map { [UInt8]($0) } ?? []
    var lines = head.split(separator: "\r\n")
    let code = try #require(lines.first?.split(separator: " ").dropFirst().first)
    status = try #require(Int(code))
    lines.removeFirst()
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      self.fields[parts[0].lowercased()] = parts.last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
