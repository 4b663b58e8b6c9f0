import Foundation
import JSON
import Testing

/// Who has to wait when there is more to do than the machine can: never a poll.
@Suite struct PriorityTests {
  /// A thread of a running server.
  private struct Worker {
    var id: Int
    var name: String
    /// From -20, which goes first, to 19.
    var niceness: Int
  }

  private static func threads(of process: Int32) throws -> [Worker] {
    let folder = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { id in
      // One that has ended meanwhile has no file.
      guard let text = try? String(contentsOfFile: "\(folder)/\(id)/stat", encoding: .utf8) else { return nil }
      let parts = text.split(separator: ")")
      let fields = try #require(parts.last).split(separator: " ")
      let name = try #require(parts.first?.split(separator: "(").last)
      return Worker(id: try #require(Int(id)), name: String(name), niceness: try #require(Int(fields[16])))
    }
  }

  @Test func `what makes pages ready gives way to the loops, and the loops to nothing`() async throws {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let server = try workshop.serve()
    let made = try await ask(server.admin, "/admin/v1/pages/home/publish", method: "POST", token: token, body: "{}")
    #expect(made.status == 200, "\(made.text)")
    let threads = try Self.threads(of: server.process.processIdentifier)
    let main = try #require(threads.first { $0.id == server.process.processIdentifier })
    let loops = threads.filter { $0.name.hasPrefix("public-") || $0.name.hasPrefix("admin-") }
    #expect(loops.count >= 2)
    #expect(loops.allSatisfy { $0.niceness == main.niceness }, "\(loops)")
    // The tests themselves may run at a low priority.
    #expect(threads.contains { $0.niceness == max(10, main.niceness) && $0.id != main.id }, "\(threads)")
  }
}
