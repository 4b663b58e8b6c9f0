import Foundation
import Glibc
import HTTPServer

/// nginx as `config/nginx.conf` has it, in a folder and on a port of its own, before a server of ours.
public final class Front {
  let folder: URL
  /// Where it listens, by TLS.
  public let port: UInt16
  private let process: Process

  /// - Parameters:
  ///   - upstream: The port of the server that it stands before.
  ///   - changes: Words of the configuration, and what stands for them.
  public init(before upstream: UInt16, _ changes: [String: String] = [:]) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../config/nginx.conf")
    var text = try String(contentsOf: file, encoding: .utf8)
    folder = FileManager.default.temporaryDirectory.appending(path: "hearth-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A port that was free a moment ago.
    let probe = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
    port = probe.port
    for socket in probe.descriptors { close(socket) }
    let path = folder.path
    var all = [
      "/run/nginx.pid;": "\(path)/pid;", "/var/log/nginx/error.log": "\(path)/log", "/var/cache/nginx": path,
      "/etc/ssl/hearth": path, "listen 443 ": "listen 127.0.0.1:\(port) ", "127.0.0.1:8080": "127.0.0.1:\(upstream)",
      "access_log off;":
        "access_log off; client_body_temp_path \(path)/body; proxy_temp_path \(path)/proxy; "
        + "fastcgi_temp_path \(path)/fastcgi; uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;",
    ]
    all.merge(changes) { _, last in last }
    for (word, replacement) in all {
      guard text.contains(word) else { throw Absent(word: word) }
      text = text.replacingOccurrences(of: word, with: replacement)
    }
    try Data(text.utf8).write(to: folder.appending(path: "nginx.conf"))
    _ = try Peer.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
        "/CN=home.example.com", "-keyout", "\(path)/key.pem", "-out", "\(path)/certificate.pem", "-batch",
      ])
    (process, _) = try Peer.start(
      "nginx", ["-e", "\(path)/log", "-c", "\(path)/nginx.conf", "-g", "daemon off;"])
    while process.isRunning, !Self.listens(port) { sched_yield() }
    guard process.isRunning else {
      throw NotStarted(log: (try? String(contentsOfFile: "\(path)/log", encoding: .utf8)) ?? "")
    }
  }

  /// Whether something answers there: in clear, nginx answers a 400.
  private static func listens(_ port: UInt16) -> Bool {
    (try? StatusQuery.status(host: "127.0.0.1", port: port, path: "/", timeout: .seconds(5))) != nil
  }

  /// What nginx had against its configuration.
  struct NotStarted: Error {
    let log: String
  }

  /// A word that the configuration does not have any more.
  struct Absent: Error {
    let word: String
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
