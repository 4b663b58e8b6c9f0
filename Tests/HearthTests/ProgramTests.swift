import Foundation
import Testing

/// The program itself, as a shell or a supervisor sees it: exit statuses, what it says, and what it leaves alone.
@Suite struct ProgramTests {
  private struct Result {
    var status: Int32
    var output: String
    var error: String
  }

  /// A folder of its own, with the repository's configuration.
  private final class Workshop {
    let folder = NSTemporaryDirectory() + "/hearth-program-\(UUID().uuidString)"
    var database: String { folder + "/hearth.db" }
    var config: String { folder + "/config" }

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Documents.root.path + "/config", toPath: config)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String, to name: String) throws -> String {
      try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      return folder + "/" + name
    }

    private func process(_ arguments: [String], _ environment: [String: String]) throws -> Process {
      let process = Process()
      // The program stands beside the tests.
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "hearth")
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      return process
    }

    func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> Result {
      let process = try process(arguments, environment)
      let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
      (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, stderr)
      try process.run()
      stdin.fileHandleForWriting.write(Data(input.utf8))
      try stdin.fileHandleForWriting.close()
      let output = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let error = String(decoding: stderr.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return Result(status: process.terminationStatus, output: output, error: error)
    }

    /// Starts a server on free ports, and returns once it serves, with the public port.
    func serve() throws -> (process: Process, port: String) {
      let process = try process(serving, [:])
      let stderr = Pipe()
      process.standardError = stderr
      try process.run()
      var log = ""
      while !log.contains("\"serving\"") {
        let data = stderr.fileHandleForReading.availableData
        try #require(!data.isEmpty, "the server ended: \(log)")
        log += String(decoding: data, as: UTF8.self)
      }
      let line = try #require(log.split(separator: "\n").first { $0.contains("listener=public") })
      return (process, String(try #require(line.split(separator: "127.0.0.1:").last).prefix { $0.isNumber }))
    }

    var serving: [String] {
      [
        "serve", "--config", config, "--database", database, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
      ]
    }
  }

  @Test(arguments: [
    (#"{"type": "integer"}"#, "1", 0, #""valid":true"#),
    (#"{"type": "integer"}"#, #"{"a": "b"}"#, 1, #""keyword":"type""#),
    (#"{"type": "integer"}"#, "1,", 1, #""keyword":"json""#),
    (#"{"properties": {"a": {"type": "intger"}}}"#, "1", 78, #""pointer":"/properties/a/type""#),
  ])
  func `kinds validate answers by its status, and with problems as JSON`(
    schema: String, document: String, status: Int32, word: String
  ) throws {
    let workshop = try Workshop()
    let path = try workshop.write(schema, to: "schema.json")
    let piped = try workshop.run(["kinds", "validate", path], input: document)
    #expect(piped.status == status)
    #expect(piped.output.contains(word), "\(piped.output)")
    let file = try workshop.write(document, to: "document.json")
    #expect(try workshop.run(["kinds", "validate", path, file]).output == piped.output)
  }

  @Test(arguments: [
    ("hearth.yaml", "publik: {listen: \"127.0.0.1:0\"}\n", ["hearth.yaml", "publik"]),
    ("hearth.yaml", "public: {loops: many}\n", ["hearth.yaml", "public.loops", "many"]),
    (
      "kinds.yaml",
      "itemKinds:\n  card:\n    title: Card\n    content: {type: object, propertees: {}}\nsectionKinds: {}\n",
      ["kinds.yaml", "card", "propertees"]
    ),
    ("kinds.yaml", "itemKinds: [\n", ["kinds.yaml"]),
  ])
  func `a wrong setting or schema refuses to start, and names its place (exit 78)`(
    file: String, text: String, words: [String]
  ) throws {
    let workshop = try Workshop()
    try text.write(toFile: workshop.config + "/" + file, atomically: true, encoding: .utf8)
    let result = try workshop.run(workshop.serving)
    #expect(result.status == 78)
    for word in words { #expect(result.error.contains(word), "\(result.error)") }
    #expect(!FileManager.default.fileExists(atPath: workshop.database))
  }

  @Test func `an unknown variable refuses to start too`() throws {
    let workshop = try Workshop()
    let result = try workshop.run(workshop.serving, environment: ["HEARTH_PUBLIC_LOOPZ": "3"])
    #expect(result.status == 78)
    #expect(result.error.contains("HEARTH_PUBLIC_LOOPZ"))
  }

  @Test func `a file that is no database is refused and left as it is (exit 74)`() throws {
    let workshop = try Workshop()
    let text = String(repeating: "This is no database. ", count: 100)
    _ = try workshop.write(text, to: "hearth.db")
    let result = try workshop.run(workshop.serving)
    #expect(result.status == 74)
    #expect(result.error.contains("not an SQLite database"))
    #expect(try String(contentsOfFile: workshop.database, encoding: .utf8) == text)
  }

  @Test func `migrate up applies all, and status says so`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up", "--database", workshop.database]).status == 0)
    let status = try workshop.run(["migrate", "status", "--database", workshop.database])
    #expect(status.status == 0)
    #expect(!status.output.contains("pending"))
  }

  @Test func `a server ends with 0 on SIGTERM; its database and its port are its own until then`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo", "--config", workshop.config, "--database", workshop.database]).status == 0)
    let (process, port) = try workshop.serve()
    defer { process.terminate() }
    let second = try workshop.run(workshop.serving)
    #expect(second.status == 74)
    #expect(second.error.contains("locked"))
    var other = workshop.serving
    other[4] = workshop.folder + "/other.db"
    other[6] = "127.0.0.1:\(port)"
    let third = try workshop.run(other)
    #expect(third.status == 69)
    #expect(third.error.contains("127.0.0.1:\(port)"))
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(process.terminationReason == .exit)
  }

  @Test func `an import keeps what its document does not name; its publish stops where lint finds errors`() throws {
    let workshop = try Workshop()
    let place = ["--config", workshop.config, "--database", workshop.database]
    #expect(try workshop.run(["demo"] + place).status == 0)
    func document(_ section: String) throws -> String {
      let page = "{title: Home, defaultLocale: zh-Hans, locales: [zh-Hans, en, vi], sections: [\(section)]}"
      return try workshop.write("hearth: 1\npages: {home: \(page)}\n", to: "part.yaml")
    }
    let part = try document("{id: otc, kind: otc}")
    #expect(try workshop.run(["import", part] + place).output == "changed: home\n")
    #expect(try workshop.run(["import", part] + place).output == "unchanged: home\n")
    let deleted = try workshop.run(["import", part, "--delete", "--dry-run"] + place)
    #expect(deleted.output.contains("deleted: activity-spring"), "\(deleted.output)")
    #expect(deleted.output.contains("deleted audiences: springTrial"))
    let other = try workshop.run(["import", document("{id: otc, kind: walletCard}")] + place)
    #expect(other.status == 1)
    #expect(other.error.hasPrefix("hearth: /pages/home/sections/0/items "), "\(other.error)")
    let wrong = try workshop.run(
      ["import", document("{id: card, kind: walletCard, audience: nobody}"), "--publish"] + place)
    #expect(wrong.status == 1)
    #expect(wrong.error.contains("/audience"), "\(wrong.error)")
    let empty = try workshop.run(["import", document("{id: card, kind: walletCard}"), "--publish"] + place)
    #expect(empty.status == 0, "\(empty.error)")
  }

  @Test func `a new token is alone on standard output`() throws {
    let workshop = try Workshop()
    let made = try workshop.run([
      "token", "create", "--name", "ops", "--role", "admin", "--database", workshop.database,
    ])
    #expect(made.status == 0)
    #expect(made.output.split(separator: "\n").count == 1)
    #expect(made.output.hasPrefix("hearth_"))
    let listed = try workshop.run(["token", "list", "--database", workshop.database])
    #expect(listed.output.contains("ops"))
    #expect(!listed.output.contains(made.output.trimmingCharacters(in: .newlines)))
  }
}
