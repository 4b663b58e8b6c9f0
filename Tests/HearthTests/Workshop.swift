import Foundation
import FoundationNetworking
import JSON
import Testing

/// What a run of the program came to.
struct ProgramResult {
  var status: Int32
  var output: String
  var error: String
}

/// A folder of its own with the repository's configuration, where the program is run as a shell or a supervisor does it.
final class Workshop {
  let folder = NSTemporaryDirectory() + "/hearth-program-\(UUID().uuidString)"
  var database: String
  var config: String { folder + "/config" }
  /// The options that name both.
  var place: [String] { ["--config", config, "--database", database] }

  init() throws {
    database = folder + "/hearth.db"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Documents.root.path + "/config", toPath: config)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    return folder + "/" + name
  }

  /// The program, which stands beside the tests where none is named.
  static func program() throws -> URL {
    if let other = ProcessInfo.processInfo.environment["HEARTH"] { return URL(filePath: other) }
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "hearth")
  }

  func process(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Process {
    let process = Process()
    process.executableURL = try Self.program()
    process.arguments = arguments
    // With PostgreSQL it would be the machine's folder.
    let own = database.hasPrefix("postgresql") ? ["HEARTH_SNAPSHOT_FOLDER": folder + "/node"] : [:]
    process.environment = Self.environment.merging(own) { $1 }.merging(environment) { $1 }
    return process
  }

  /// The environment without what tests are told, which is no setting: the program refuses it.
  static var environment: [String: String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("HEARTH_TEST_") }
  }

  /// - Parameters:
  ///   - redirected: Where a shell sends what is printed, such as `> /dev/full`.
  ///   - isHeldByRights: Whether it has no more rights than the modes of files say, also where root runs the tests.
  func run(
    _ arguments: [String], input: String = "", redirected: String = "", environment: [String: String] = [:],
    isHeldByRights: Bool = false
  ) throws -> ProgramResult {
    let process = try process(arguments, environment)
    let user = isHeldByRights && getuid() == 0 ? "unshare --user --map-user=65534" : ""
    if !redirected.isEmpty || !user.isEmpty { try wrap(process, "exec \(user) \"$0\" \"$@\" \(redirected)") }
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, stderr)
    try process.run()
    stdin.fileHandleForWriting.write(Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let error = String(decoding: stderr.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return ProgramResult(status: process.terminationStatus, output: output, error: error)
  }

  /// Starts a server on free ports, and returns once it serves.
  ///
  /// - Parameter shell: What a shell does before, such as `ulimit -f 100;`.
  func serve(_ arguments: [String] = [], after shell: String = "", environment: [String: String] = [:]) throws
    -> ServedProgram
  {
    let process = try process(serving + arguments, environment)
    if !shell.isEmpty { try wrap(process, "\(shell) exec \"$0\" \"$@\"") }
    let stderr = Pipe()
    process.standardError = stderr
    try process.run()
    return try ServedProgram(process, log: stderr)
  }

  /// Starts a server with its descriptors redirected as a shell writes it, and returns once it answers.
  func serve(redirected: String, environment: [String: String] = [:]) async throws -> ServedProgram {
    let (polls, admin) = try Self.freePorts()
    let process = try process(
      ["serve"] + place + ["--listen", "127.0.0.1:\(polls)", "--admin-listen", "127.0.0.1:\(admin)"], environment)
    try wrap(process, "exec \"$0\" \"$@\" \(redirected)")
    try process.run()
    let server = ServedProgram(process, polls: polls, admin: admin)
    try await eventually { (try? await ask(admin, "/status").status) == 200 }
    return server
  }

  /// Has a shell run the program.
  private func wrap(_ process: Process, _ line: String) throws {
    process.arguments = ["-c", line, try Self.program().path] + (process.arguments ?? [])
    process.executableURL = URL(filePath: "/bin/sh")
  }

  /// Two ports that nobody listened on a moment ago.
  static func freePorts() throws -> (Int, Int) {
    var ports: [Int] = []
    for _ in 0..<2 {
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          unsafe bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
        }
      }
      try #require(result)
      ports.append(Int(UInt16(bigEndian: address.sin_port)))
    }
    return (ports[0], ports[1])
  }

  /// Loads the demo and makes a token for an admin.
  func loadDemo() throws -> String {
    #expect(try run(["demo"] + place).status == 0)
    let made = try run(["token", "create", "--name", "ops", "--role", "admin"] + place)
    return made.output.trimmingCharacters(in: .newlines)
  }

  /// Runs a line of a shell in the folder.
  func shell(_ line: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", line]
    process.currentDirectoryURL = URL(filePath: folder)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(line)")
  }

  /// Starts a process that holds the database's write lock until it is terminated.
  func hold() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let script = """
      import sqlite3, sys, time
      db = sqlite3.connect(sys.argv[1], isolation_level=None)
      db.execute("BEGIN IMMEDIATE")
      print("held", flush=True)
      time.sleep(600)
      """
    process.arguments = ["python3", "-c", script, database]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    return process
  }

  var serving: [String] {
    ["serve"] + place + ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
  }
}

/// A server that serves.
final class ServedProgram {
  let process: Process
  /// Its standard error, of which the lines up to the one that it serves are read.
  let log: Pipe?
  /// What was read of it.
  private(set) var text = ""
  let polls: Int
  let admin: Int

  /// One whose ports are known.
  init(_ process: Process, polls: Int, admin: Int) {
    self.process = process
    log = nil
    self.polls = polls
    self.admin = admin
  }

  /// One whose log says its ports; returns once it serves.
  init(_ process: Process, log: Pipe) throws {
    self.process = process
    self.log = log
    let text = try Self.lines(of: log, after: "", until: "\"serving\"")
    self.text = text
    func port(of listener: String) throws -> Int {
      let line = try #require(text.split(separator: "\n").first { $0.contains("listener=\(listener)") })
      return try #require(try #/address=[0-9.]+:(\d+)/#.firstMatch(in: line).flatMap { Int($0.1) })
    }
    polls = try port(of: "public")
    admin = try port(of: "admin")
  }

  /// Reads on until the log has a whole line with a word, which it must have before the process ends.
  func read(until word: String) throws {
    guard let log else { return }
    text = try Self.lines(of: log, after: text, until: word)
  }

  private static func lines(of log: Pipe, after text: String, until word: String) throws -> String {
    var text = text
    while !text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().contains(where: {
      $0.contains(word)
    }) {
      let data = log.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the server ended: \(text)")
      text += String(decoding: data, as: UTF8.self)
    }
    return text
  }

  deinit { process.terminate() }

  /// What else it has logged; read it once, when the process has ended.
  var rest: String? { log.map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) } }

  /// Ends it by a signal, and returns its exit status.
  func end(_ signal: Int32 = SIGTERM) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// An answer of the public listener.
  func json(_ path: String) async throws -> JSON { try JSON.parse(Array(try await ask(polls, path).text.utf8)) }

  /// What it says of itself.
  func status() async throws -> JSON { try JSON.parse(Array(try await ask(admin, "/status").text.utf8)) }

  /// A sample of its metrics.
  func metric(_ name: String) async throws -> Double? {
    let lines = try await ask(admin, "/metrics").text.split(separator: "\n")
    return lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
  }
}

/// Asks a listener on this machine. Whatever changes something is forced.
func ask(
  _ port: Int, _ path: String, method: String = "GET", token: String? = nil, body: String? = nil,
  fields: [String: String] = [:]
) async throws -> (status: Int, text: String, fields: [String: String]) {
  let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
  var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 20)
  request.httpMethod = method
  request.httpBody = body.map { Data($0.utf8) }
  if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
  if method != "GET" { request.setValue("*", forHTTPHeaderField: "If-Match") }
  if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
  for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
  let (data, response) = try await URLSession.shared.data(for: request)
  let answer = try #require(response as? HTTPURLResponse)
  let fields = answer.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
  return (
    answer.statusCode, String(decoding: data, as: UTF8.self),
    Dictionary(fields, uniquingKeysWith: { first, _ in first })
  )
}

/// Waits for a condition, for at most so many seconds.
func eventually(within seconds: Int = 120, _ condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < end {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  Issue.record("the condition did not come about")
}
