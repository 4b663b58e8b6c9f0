import Foundation
import Glibc
import HTTPServer

/// A program that is not ours: it is run, and what it prints is read.
enum Peer {
  struct Missing: Error, CustomStringConvertible {
    let program: String
    var description: String { "\(program) is not installed; scripts/test installs it" }
  }

  static func path(_ program: String) throws -> URL {
    let folders = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin"]
    let candidates = folders.map { URL(fileURLWithPath: $0).appending(path: program) }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw Missing(program: program)
    }
    return found
  }

  /// Starts a program; what it prints can be read from the pipe.
  static func start(_ program: String, _ arguments: [String], input: String? = nil) throws -> (Process, Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = try path(program)
    process.arguments = arguments
    process.standardOutput = output
    if let input {
      let pipe = Pipe()
      process.standardInput = pipe
      try process.run()
      pipe.fileHandleForWriting.write(Data(input.utf8))
      try pipe.fileHandleForWriting.close()
    } else {
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }
    return (process, output)
  }

  /// Runs a program to its end: what it printed, and its exit status.
  static func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> (
    text: String, status: Int32
  ) {
    let (process, output) = try start(program, arguments, input: input)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }
}

/// nginx as `config/nginx.conf` has it, in a folder and on a port of its own, before a server of ours.
final class Front {
  let folder: URL
  let port: UInt16
  private let process: Process

  /// - Parameter changes: Words of the configuration, and what stands for them.
  init(before server: Server, _ changes: [String: String] = [:]) throws {
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
      "/etc/ssl/hearth": path, "listen 443 ": "listen 127.0.0.1:\(port) ", "127.0.0.1:8080": "127.0.0.1:\(server.port)",
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
    while process.isRunning, (try? RawClient(port: port)) == nil { sched_yield() }
    guard process.isRunning else {
      throw NotStarted(log: (try? String(contentsOfFile: "\(path)/log", encoding: .utf8)) ?? "")
    }
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
