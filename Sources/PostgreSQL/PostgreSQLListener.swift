import Foundation
import Glibc
import Synchronization

/// One connection that listens (`LISTEN`), and is made again when it is lost.
///
/// It wakes, and says nothing more: whoever is woken reads what is true now. A notification may come late, twice, or not
/// at all.
public final class PostgreSQLListener: Sendable {
  /// How it stands with the connection.
  public enum State: Hashable, Sendable {
    /// There is none yet.
    case connecting
    /// It listens.
    case listening
    /// It listens to a pooler, such as PgBouncer, which passes notifications on in session mode alone.
    case throughPooler
    /// It was lost, or could not be made; it is tried again.
    case lost(PostgreSQLError)
  }

  private let listening: Listening

  /// Begins to listen, on a thread of its own.
  ///
  /// - Parameters:
  ///   - connectionString: Where to. A pooler in transaction mode does not do.
  ///   - channel: What to listen to.
  ///   - whenChanged: Is told how it stands, on the listener's thread.
  ///   - onWake: Is called for notifications, several that come at once together, and whenever a connection was made:
  ///     what came before is not known.
  /// - Throws: ``PostgreSQLError`` of kind `connectionString`.
  public init(
    _ connectionString: String, channel: String, _ settings: PostgreSQLSettings = PostgreSQLSettings(),
    whenChanged: @escaping @Sendable (State) -> Void = { _ in }, onWake: @escaping @Sendable () -> Void
  ) throws(PostgreSQLError) {
    listening = Listening(
      place: try ConnectionString(connectionString), channel: channel, settings: settings, whenChanged: whenChanged,
      onWake: onWake)
    Thread.detachNewThread { [listening] in listening.run() }
  }

  deinit { stop() }

  /// How it stands.
  public var state: State { listening.state.withLock { $0 } }

  /// Ends it.
  public func stop() { listening.stop() }
}

/// What the listener's thread does.
private final class Listening: Sendable {
  let state = Mutex(PostgreSQLListener.State.connecting)
  private let place: ConnectionString
  private let channel: String
  private let settings: PostgreSQLSettings
  private let whenChanged: @Sendable (PostgreSQLListener.State) -> Void
  private let onWake: @Sendable () -> Void
  private let isStopped = Atomic(false)
  /// A pipe that can be read once it is to end.
  private let end: Int32
  private let ending: Int32

  /// How long nothing may come before the server is asked whether it is there.
  private static let silenceMax: Duration = .seconds(5)

  init(
    place: ConnectionString, channel: String, settings: PostgreSQLSettings,
    whenChanged: @escaping @Sendable (PostgreSQLListener.State) -> Void, onWake: @escaping @Sendable () -> Void
  ) {
    self.place = place
    self.channel = channel
    self.settings = settings
    self.whenChanged = whenChanged
    self.onWake = onWake
    var pipe: [Int32] = [-1, -1]
    _ = unsafe Glibc.pipe(&pipe)
    (end, ending) = (pipe[0], pipe[1])
    for descriptor in pipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(end)
    close(ending)
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    _ = unsafe write(ending, "x", 1)
  }

  func run() {
    var pause: Duration = .milliseconds(50)
    while !isStopped.load(ordering: .acquiring) {
      do {
        let connection = try PostgreSQLConnection(place, until: .now + settings.connectTimeout)
        let isPooled = try begin(connection)
        change(isPooled ? .throughPooler : .listening)
        pause = .milliseconds(50)
        onWake()
        try listen(connection)
      } catch {
        change(.lost(error))
        // Longer from time to time, so that a server that comes back is not run over.
        waitForEnd(pause)
        pause = min(pause * 2, .seconds(2))
      }
    }
  }

  /// - Returns: Whether a pooler stands before the server.
  private func begin(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    let name = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    try connection.script("LISTEN \"\(name)\"")
    let process = try connection.query("SELECT pg_backend_pid()").rows.first?.first ?? nil
    return process != String(connection.process)
  }

  private func listen(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    while !isStopped.load(ordering: .acquiring) {
      if try connection.notifications(or: end, within: Self.silenceMax) > 0 {
        onWake()
      } else if !isStopped.load(ordering: .acquiring) {
        // A link that was cut is silent, too.
        connection.deadline = .now + settings.connectTimeout
        try connection.script("SELECT 1")
      }
    }
  }

  private func waitForEnd(_ wait: Duration) {
    var descriptor = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&descriptor, 1, Int32(clamping: Int(wait / .milliseconds(1))))
  }

  private func change(_ new: PostgreSQLListener.State) {
    let isNew = state.withLock { state in
      defer { state = new }
      return state != new
    }
    if isNew { whenChanged(new) }
  }
}
