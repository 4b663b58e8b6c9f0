import Foundation
import Peers
import Testing

/// A real link to PostgreSQL, which is lost at a commit: `Tests/Scripts/commit_proxy.py`.
final class CommitProxy: Sendable {
  /// What a connection string names as the host.
  let folder: String
  private let process: Process

  init(to server: PostgreSQLServer) throws {
    // A path of a socket is short.
    folder = "/tmp/hearth-proxy-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Scripts/commit_proxy.py").path
    let (process, output) = try Peer.start("python3", [script, folder, server.folder])
    self.process = process
    // It listens before it says so.
    #expect(!output.fileHandleForReading.availableData.isEmpty)
  }

  /// Says at what the link is lost; with `nil` the database comes back.
  func cut(_ cut: CuttingEngine.Cut?) throws {
    let word: String
    switch cut {
    case .commit?: word = "commit"
    case .afterCommit?: word = "after"
    case .statement?, nil: word = ""
    }
    try Data(word.utf8).write(to: URL(fileURLWithPath: folder + "/cut"), options: .atomic)
  }

  func stop() {
    // It may have inherited that other signals wait.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
