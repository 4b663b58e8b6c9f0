import Foundation
import Glibc
import HTTPServer
import JSON
import Layout
import Service
import Storage

/// What `hearth init` makes: a folder of settings, kinds and demo documents, and a database with a token.
struct NewHome {
  let folder: String
  let database: String
  let listener: ServerSettings.Listener
  let adminListener: ServerSettings.Listener
  /// The name of the front that speaks TLS; `nil` for none.
  let front: String?
  let hasDemo: Bool

  init(
    folder: String, database: String?, listener: ServerSettings.Listener, adminListener: ServerSettings.Listener,
    front: String?, hasDemo: Bool
  ) {
    let folder = URL(fileURLWithPath: folder).path
    self.folder = folder
    let isInstalled = folder == ConfigurationFolder.installed
    self.database =
      database.map { URL(fileURLWithPath: $0).path }
      ?? (isInstalled ? "/var/lib/hearth/hearth.db" : folder + "/data/hearth.db")
    self.listener = listener
    self.adminListener = adminListener
    self.front = front
    self.hasDemo = hasDemo
  }

  /// A listener that clients can be told of.
  static func listener(_ text: String) throws(Questions.Wrong) -> ServerSettings.Listener {
    guard let listener = ServerSettings.Listener(written: text), listener.port > 0 else {
      throw Questions.Wrong("must be HOST:PORT such as 127.0.0.1:8080 or [::1]:8080")
    }
    return listener
  }

  /// A front's name; `nil` for an empty text.
  static func front(_ text: String) throws(Questions.Wrong) -> String? {
    guard !text.isEmpty else { return nil }
    guard AdminSettings.isHost(text), !text.contains(":") else {
      throw Questions.Wrong("must be a name such as home.example.com, or nothing")
    }
    return text
  }
}

extension NewHome {
  /// What comes with the program.
  private static var templates: String { ProgramFiles.folder(of: "hearth").appendingPathComponent("config").path }

  /// The texts to write, by the names that they get in the folder.
  private func texts() throws -> [(name: String, text: String)] {
    func template(_ name: String) throws -> String {
      guard let data = FileManager.default.contents(atPath: "\(Self.templates)/\(name)") else {
        throw Failure(.configuration, "\(Self.templates)/\(name) cannot be read; it must stay beside the program")
      }
      return String(decoding: data, as: UTF8.self)
    }
    var texts = [(name: "hearth.yaml", text: settings(try template("hearth.yaml")))]
    texts.append((name: "kinds.yaml", text: try template("kinds.yaml")))
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.templates + "/demo").sorted() {
      texts.append((name: "demo/\(name)", text: try template("demo/\(name)")))
    }
    if let front {
      texts.append(
        (
          name: "nginx.conf",
          text: try template("nginx.conf").replacing("home.example.com", with: front)
            .replacing("server 127.0.0.1:8080 ", with: "server \(listener.fromHere.written) ")
        ))
    }
    return texts
  }

  /// The settings, with what was asked for in the places that the template has for it.
  private func settings(_ template: String) -> String {
    // JSON's quotes are YAML's.
    var text =
      template
      .replacing("# database: /var/lib/hearth/hearth.db", with: "database: \(JSON.string(database).canonicalText)")
      .replacing("listen: 127.0.0.1:8080", with: "listen: \"\(listener.written)\"")
      .replacing("listen: 127.0.0.1:8081", with: "listen: \"\(adminListener.written)\"")
    if folder == ConfigurationFolder.installed {
      text = text.replacing("# backupFolder:", with: "backupFolder:")
    }
    if let front { text += "\npreviews:\n  baseURL: https://\(front)\n" }
    return text
  }

  /// - Throws: ``Failure`` when something is there that would be written, or an address cannot be listened on.
  func check(with units: SystemdUnits?) throws {
    let written = ["hearth.yaml", "kinds.yaml", "demo"] + (front == nil ? [] : ["nginx.conf"])
    let places = written.map { "\(folder)/\($0)" } + [database, database + "-wal"] + (units?.files.map(\.path) ?? [])
    let found = places.filter { FileManager.default.fileExists(atPath: $0) }
    guard found.isEmpty else {
      throw Failure(
        .invalid,
        "\(found.joined(separator: ", ")) \(found.count == 1 ? "is" : "are") there already. Nothing was changed; go on "
          + "with what is there, or name another folder with --config and another file with --database")
    }
    for listener in [listener, adminListener] {
      let sockets: ListeningSockets
      do { sockets = try ListeningSockets(host: listener.host, port: listener.port, count: 1) } catch {
        throw Failure(.unavailable, "\(listener.written) cannot be listened on: \(error). Nothing was changed")
      }
      for descriptor in sockets.descriptors { close(descriptor) }
    }
  }

  /// Makes all of it. What was made is removed again when the rest of it cannot be.
  ///
  /// - Returns: The token.
  func make(with units: SystemdUnits?) async throws -> String {
    let texts = try texts()
    var made: [String] = []
    do {
      for name in ["", "/demo"] where !FileManager.default.fileExists(atPath: folder + name) {
        made.append(folder + name)
        try Self.makeFolder(folder + name)
      }
      for (name, text) in texts {
        made.append("\(folder)/\(name)")
        try text.write(toFile: "\(folder)/\(name)")
      }
      for file in units?.files ?? [] {
        made.append(file.path)
        try Self.makeFolder(URL(fileURLWithPath: file.path).deletingLastPathComponent().path)
        try file.text.write(toFile: file.path)
      }
      let settings = try Settings(folder: folder, flags: ["database": database], environment: [:])
      let place = URL(fileURLWithPath: database).deletingLastPathComponent().path
      if !FileManager.default.fileExists(atPath: place) { made.append(place) }
      made += ["", "-wal", "-shm"].map { database + $0 }
      return try await Owner(of: place).acting { try await fill(settings) }
    } catch {
      for path in made.reversed() where unsafe rmdir(path) != 0 { unsafe unlink(path) }
      throw error
    }
  }

  private static func makeFolder(_ path: String) throws(Failure) {
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw Failure(.inputOutput, "\(path) cannot be made; run it as root, or name another folder with --config")
    }
  }

  /// Makes the database, with the demo where it is asked for.
  private func fill(_ settings: Settings) async throws -> String {
    let store = try settings.openStore(makes: true)
    if hasDemo { _ = try await store.publish(demo: DocumentFolder.read(folder + "/demo", settings), settings) }
    let (_, text) = try await store.createToken(name: "admin", role: .admin, by: .commandLine)
    await store.close()
    return text.text
  }

  /// What was made, and what to do next.
  func summary(token: String, units: SystemdUnits?) -> String {
    let polls = "http://\(listener.fromHere.written)"
    var lines = [
      ("Settings:", folder), ("Database:", database),
      ("Poll:", hasDemo ? "curl --compressed \(polls)/v1/home" : "\(polls)/v1/PAGE, once a page is published"),
      ("Operate:", "http://\(adminListener.fromHere.written)/console/"),
      ("Admin token:", "\(token)  (shown this once)"),
    ]
    if front != nil {
      lines.append(("Front:", "\(folder)/nginx.conf is for nginx, with its certificate in /etc/ssl/hearth"))
    }
    if units == nil { lines.append(("Start it:", "hearth serve --config \(folder)")) }
    return lines.map { $0.0.padding(toLength: 14, withPad: " ", startingAt: 0) + $0.1 }.joined(separator: "\n")
  }
}

/// Whom a folder belongs to.
struct Owner {
  private let user: uid_t
  private let group: gid_t

  /// - Parameter folder: Whoever runs the program where there is none.
  init(of folder: String) {
    var status = stat()
    let isThere = unsafe stat(folder, &status) == 0
    (user, group) = isThere ? (status.st_uid, status.st_gid) : (geteuid(), getegid())
  }

  /// Runs a body whose files become the owner's, if root runs the program: a service reads and writes what was made for
  /// it.
  ///
  /// The whole process acts as the owner meanwhile.
  func acting<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard geteuid() == 0, user != 0 else { return try await body() }
    guard setegid(group) == 0, seteuid(user) == 0 else {
      throw Failure(.inputOutput, "the database cannot be made as user \(user)")
    }
    defer {
      seteuid(0)
      setegid(0)
    }
    return try await body()
  }
}
