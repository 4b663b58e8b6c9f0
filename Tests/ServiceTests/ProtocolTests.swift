import Foundation
import JSON
import Layout
import Peers
import SeededRandom
import Testing

/// A client that is made of docs/protocol.md alone, against a server.
@Suite struct ProtocolTests {
  private static let check = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "ClientCases/protocol/check.py").path

  @Test func `a client of the protocol's page alone takes what a server answers, whole and changed`() async throws {
    var random = SeededGenerator(seed: 97)
    try await withServer([Demo.long]) { server in
      let folder = try RunningServer.makeFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let files = ["old", "changes", "new"].map { "\(folder)/\($0).json" }
      let force = ["If-Match": "*"]
      var isChanged = 0
      for round in 0..<5 {
        let old = try await server.get("/v1/home?locale=en")
        // A title that needs escapes, a number that doubles do not hold, and sections that change their places.
        let title = JSON.string("\"\(round)\" \\ / \u{1F600}\u{E000}é\t").canonicalText
        let items = (0..<Int.random(in: 1...6, using: &random)).map { number in
          #"{"id": "r\#(number * round % 5)x\#(number)", "kind": "navigation", "content": {"title": \#(title)}}"#
        }
        let body = #"{"items": [\#(items.joined(separator: ","))]}"#
        #expect(try await server.admin("PUT", "/pages/home/sections/bottom/content", body).status == 200)
        let moved = ["top", "middle", "bottom"][Int.random(in: 0..<3, using: &random)]
        let move = try await server.admin("POST", "/pages/home/sections/\(moved)/move", #"{"first": true}"#, force)
        #expect(move.status == 200)
        #expect(try await server.admin("POST", "/pages/home/publish", "{}", force).status == 200)
        let fields = ["A-IM": "hearth-changes", "If-None-Match": try #require(old["ETag"])]
        let answer = try await server.get("/v1/home?locale=en", fields)
        let new = try await server.get("/v1/home?locale=en")
        guard answer.status == 226 else { continue }
        isChanged += 1
        for (file, reply) in zip(files, [old, answer, new]) { try reply.body.write(to: URL(fileURLWithPath: file)) }
        let said = try Peer.run("python3", [Self.check, "answers"] + files)
        #expect(said.status == 0, "\(said.text)")
      }
      #expect(isChanged >= 3)
    }
  }
}
