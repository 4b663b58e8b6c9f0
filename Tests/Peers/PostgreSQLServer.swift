import Foundation
import Synchronization

/// PostgreSQL as Debian has it, in a folder and on a Unix socket of its own: nothing of it is left once the tests end,
/// however they end.
public final class PostgreSQLServer: Sendable {
  /// Where Debian keeps the programs of a version.
  private static let programs = "/usr/lib/postgresql/15/bin"
  private static let shared = Mutex<PostgreSQLServer?>(nil)

  /// The server that all tests share which do not stop it.
  public static func running() throws -> PostgreSQLServer {
    try shared.withLock { shared in
      if let shared { return shared }
      let server = try PostgreSQLServer()
      shared = server
      return server
    }
  }

  /// The folder of its data, its socket and its log.
  public let folder: String
  /// As long as this is open, the server is looked after.
  private let life = Pipe()
  private let guardian = Process()
  private let names = Atomic(0)

  /// - Parameter settings: What differs from the defaults, by name.
  public init(_ settings: [String: String] = [:]) throws {
    guard FileManager.default.isExecutableFile(atPath: Self.programs + "/initdb") else {
      throw Peer.Missing(program: "postgresql-15")
    }
    folder = FileManager.default.temporaryDirectory.appending(path: "hearth-pg-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    if getuid() == 0 { _ = try Peer.run("chown", ["postgres:postgres", folder]) }
    // A database's own order of texts is not the one that is wanted.
    try run([
      "initdb", "-D", "\(folder)/data", "-U", "hearth", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8",
      "--locale-provider=icu", "--icu-locale=en-US",
    ])
    let all = [
      "listen_addresses": "''", "unix_socket_directories": "'\(folder)'", "fsync": "off", "max_connections": "200",
      "shared_buffers": "'16MB'", "lc_messages": "'C'", "password_encryption": "'scram-sha-256'",
    ].merging(settings) { _, own in own }
    try write(all.map { "\($0) = \($1)\n" }.joined(), to: "postgresql.conf")
    // Whoever is named so needs a password.
    try write("local all locked,locked2 scram-sha-256\nlocal all all trust\n", to: "pg_hba.conf")
    guardian.executableURL = URL(fileURLWithPath: "/bin/sh")
    guardian.arguments = [
      "-c",
      "cat > /dev/null; \(Self.words(["pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "stop"])); rm -rf \(folder)",
    ]
    guardian.standardInput = life
    guardian.standardOutput = FileHandle.nullDevice
    guardian.standardError = FileHandle.nullDevice
    // Nobody else's child may keep it open.
    _ = fcntl(life.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try guardian.run()
    try start()
  }

  deinit {
    try? life.fileHandleForWriting.close()
    guardian.waitUntilExit()
  }

  /// A program as the user that may run a server: never root.
  private static func arguments(_ words: [String]) -> [String] {
    let program = ["\(programs)/\(words[0])"] + words.dropFirst()
    return getuid() == 0
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] + program : program
  }

  private static func words(_ words: [String]) -> String { arguments(words).joined(separator: " ") }

  /// Has a program inherit nothing but the first three descriptors: a server would keep open what others wait for the end of.
  private static let closing = """
    for one in /proc/self/fd/*; do n=${one##*/}; if [ "$n" -gt 2 ]; then eval "exec $n>&-"; fi; done; cd /; exec "$@"
    """

  private func run(_ words: [String]) throws {
    let (text, status) = try Peer.run("bash", ["-c", Self.closing, "bash"] + Self.arguments(words))
    guard status == 0 else { throw Failed(command: words[0], output: text) }
  }

  /// What a program of PostgreSQL printed that failed.
  public struct Failed: Error {
    let command: String
    let output: String
  }

  private func write(_ text: String, to name: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/data/\(name)"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  /// Starts it again.
  public func start() throws { try run(["pg_ctl", "-D", "\(folder)/data", "-l", "\(folder)/log", "-w", "start"]) }

  /// Stops it at once; who is connected is cut off.
  public func stop() throws { try run(["pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "-w", "stop"]) }

  /// Starts it as a standby that follows nobody: what it has can be read, until it is promoted.
  public func startInRecovery() throws {
    try run(["pg_ctl", "-D", "\(folder)/data", "-m", "fast", "-w", "stop"])
    try Data().write(to: URL(fileURLWithPath: "\(folder)/data/standby.signal"))
    if getuid() == 0 { _ = try Peer.run("chown", ["postgres:postgres", "\(folder)/data/standby.signal"]) }
    try start()
  }

  /// Sets who is let in, by the lines of pg_hba.conf; who is connected stays so.
  public func letIn(_ lines: String) throws {
    try write(lines, to: "pg_hba.conf")
    try run(["pg_ctl", "-D", "\(folder)/data", "reload"])
  }

  /// Stops all of its processes where they are, or has them go on: what is sent to them meanwhile is taken by the kernel, and
  /// nobody answers.
  public func freeze(_ isFrozen: Bool) throws {
    let file = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    guard let postmaster = Int32(file.prefix { $0 != "\n" }) else {
      throw Failed(command: "postmaster.pid", output: file)
    }
    let signal = isFrozen ? SIGSTOP : SIGCONT
    // The first one first, so that it starts no other meanwhile.
    guard kill(postmaster, signal) == 0 else { throw Failed(command: "kill", output: "\(postmaster)") }
    // One that has ended meanwhile needs no signal.
    for process in Processes.children(of: postmaster) { kill(process, signal) }
  }

  /// Runs SQL as the superuser.
  ///
  /// - Returns: What was found, a line for each row.
  @discardableResult
  public func psql(_ sql: String, database: String = "postgres") throws -> String {
    let (text, status) = try Peer.run(
      "psql",
      ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "hearth", "-d", database, "-f", "-"],
      input: sql)
    guard status == 0 else { throw Failed(command: sql, output: text) }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().joined(separator: "\n")
  }

  /// Makes an empty database.
  ///
  /// - Parameter options: Words after `CREATE DATABASE … TEMPLATE template0`.
  /// - Returns: Its name, for ``place(_:user:password:)``.
  public func makeDatabase(_ options: String = "") throws -> String {
    let name = "test\(names.add(1, ordering: .relaxed).newValue)"
    try psql("CREATE DATABASE \(name) TEMPLATE template0 \(options)")
    return name
  }

  /// The connection string of a database.
  public func place(_ database: String, user: String = "hearth", password: String? = nil) -> String {
    "postgresql://\(user)\(password.map { ":" + $0 } ?? "")@/\(database)?host=\(folder)"
  }

  /// Removes a database, whoever is connected.
  public func drop(_ database: String) { _ = try? psql("DROP DATABASE IF EXISTS \(database) WITH (FORCE)") }

  /// Ends all connections to a database.
  public func cut(_ database: String) throws {
    try psql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)' AND pid <> pg_backend_pid()"
    )
  }
}
