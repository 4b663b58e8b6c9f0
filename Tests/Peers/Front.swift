public import Foundation
import Glibc
import HTTPServer

/// nginx as `config/nginx.conf` has it, in a folder and on ports of its own, before servers of ours.
public final class Front {
  /// What it has kept is in the folders `second` and `known`.
  public let folder: URL
  /// Where it listens, by TLS unless it was told not to.
  public let port: UInt16
  private let process: Process

  /// - Parameters:
  ///   - nodes: The ports of the servers that it stands before.
  ///   - isEncrypted: Whether it speaks TLS, with a certificate that nobody knows.
  ///   - changes: Words of the configuration, and what stands for them.
  public init(before nodes: [UInt16], isEncrypted: Bool = true, _ changes: [String: String] = [:]) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../config/nginx.conf")
    var text = try String(contentsOf: file, encoding: .utf8)
    folder = FileManager.default.temporaryDirectory.appending(path: "hearth-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Ports that were free a moment ago.
    let probes = try (0..<2).map { _ in try ListeningSockets(host: "127.0.0.1", port: 0, count: 1) }
    let inner = probes[1].port
    port = probes[0].port
    for socket in probes.flatMap(\.descriptors) { close(socket) }
    let path = folder.path
    let node = "server 127.0.0.1:8080 max_fails=2 fail_timeout=10s;"
    var all = [
      "/run/nginx.pid;": "\(path)/pid;", "/var/log/nginx/error.log": "\(path)/log", "/var/cache/nginx": path,
      "/etc/ssl/hearth": path, "listen 443 ssl http2;": "listen 127.0.0.1:\(port)\(isEncrypted ? " ssl http2" : "");",
      node: nodes.map { node.replacingOccurrences(of: "8080", with: "\($0)") }.joined(separator: " "),
      "127.0.0.1:8079": "127.0.0.1:\(inner)",
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

  /// Whether something answers there: where it wants TLS, a 400, and else what it answers while it may know of no node.
  private static func listens(_ port: UInt16) -> Bool {
    (try? ServerQuery.status(host: "127.0.0.1", port: port, path: "/", timeout: .seconds(5))) != nil
  }

  /// The answers that it keeps in a folder.
  public func kept(in name: String) -> Int {
    let files = FileManager.default.enumerator(
      at: folder.appending(path: name), includingPropertiesForKeys: [.isRegularFileKey])
    return files?.count { file in
      (try? (file as? URL)?.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    } ?? 0
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
