public import Logging

/// Hands the listening sockets of a running process to the one that replaces it.
///
/// The successor asks at a unix socket, gets the descriptors, and loads. When it says that it has loaded, its predecessor
/// stops changing what it serves and says so: what the successor then reads is the last word. It serves, and says that
/// it is ready; then its predecessor says that it drains, and does. The sockets are never closed in between, so that no
/// connection that waits in their queues is lost. A successor that fails before it is ready changes nothing, and one that
/// is not told that its predecessor drains must end: of two that go on serving, neither would know of the other.
public final class Handover: Sendable {
  private static let greeting = "hearth-handover 3"
  /// How long either side waits for an answer of the other, which takes no longer than a change that is under way.
  public static let patienceMilliseconds = 30_000

  private let path: String
  private let socket: Int32
  private let patienceMilliseconds: Int
  private let sockets: [(name: String, descriptors: [Int32])]
  private let logger: Logger

  /// Offers the sockets of this process's servers at `path`, for processes of the same user.
  ///
  /// - Parameters:
  ///   - path: Where the unix socket is; one that an earlier process left is replaced.
  ///   - sockets: By the names that the successor knows them by, which have no spaces; they must stay open until
  ///     ``end()``.
  ///   - logger: Logs each hand-over.
  ///   - patienceMilliseconds: How long a successor that has loaded may take to serve. It may load for as long as it likes.
  ///   - settle: Called on a thread of its own when a successor has loaded; what this process serves must not change
  ///     any more once it returns, until it is called with `false`, because the successor gave up.
  ///   - whenDone: Called once, on a thread of its own, when a successor serves: this process is to drain.
  public init(
    path: String, sockets: [String: ListeningSockets], logger: Logger,
    patienceMilliseconds: Int = Handover.patienceMilliseconds,
    settle: @escaping @Sendable (_ settles: Bool) -> Void = { _ in }, whenDone: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.path = path
    self.logger = logger
    self.patienceMilliseconds = patienceMilliseconds
    self.sockets = sockets.sorted { $0.key < $1.key }.map { ($0.key, $0.value.descriptors) }
    socket = try Linux.listen(path: path)
    try Linux.startThread("handover") { [self] in
      var isDone = false
      while let asking = Linux.acceptWaiting(socket) {
        // Whoever else has asked meanwhile is turned away: it is the successor's turn to be asked.
        if !isDone, offer(asking, settle) {
          isDone = true
          Linux.end(socket)
        }
        Linux.close(asking)
      }
      if isDone { whenDone() }
    }
  }

  deinit { Linux.close(socket) }

  /// Stops offering; a successor's offer at the same path is left alone once it has said that it is ready.
  public func end() { Linux.end(socket) }

  /// Whether the one that asked serves now.
  private func offer(_ asking: Int32, _ settle: (Bool) -> Void) -> Bool {
    guard (try? Linux.setTimeout(asking, milliseconds: patienceMilliseconds)) != nil else { return false }
    let lines = [Self.greeting] + sockets.map { "\($0.name) \($0.descriptors.count)" }
    guard Linux.send(asking, lines.joined(separator: "\n"), sockets.flatMap(\.descriptors)) else { return false }
    // However much there is to load, this process serves meanwhile; a successor that ends, ends the connection.
    Linux.waitForInput(asking)
    let hasLoaded = Linux.receive(asking).text == "loaded"
    if hasLoaded { settle(true) }
    let isReady =
      hasLoaded && Linux.send(asking, "settled", []) && Linux.receive(asking).text == "ready"
      && Linux.send(asking, "draining", [])
    if hasLoaded, !isReady { settle(false) }
    logger.notice(isReady ? "a successor serves" : "a successor gave up")
    return isReady
  }

  /// What a successor was given.
  public struct Received: Sendable {
    /// The sockets by their names.
    public let sockets: [String: ListeningSockets]
    fileprivate let connection: Int32

    /// Tells the predecessor that this process has loaded. It may take as long as a change that is under way. Nothing but a
    /// call of ``ready()`` or ``giveUp()`` may follow.
    ///
    /// - Returns: Whether the predecessor has said that what it serves changes no more. Otherwise it has died, or goes on.
    public func loaded() -> Bool {
      Linux.send(connection, "loaded", []) && Linux.receive(connection).text == "settled"
    }

    /// Tells the predecessor that this process serves, so that it drains. Call it once, when requests are answered.
    ///
    /// - Returns: Whether the predecessor has said that it drains. Otherwise it has died, or goes on.
    public func ready() -> Bool {
      defer { Linux.close(connection) }
      return Linux.send(connection, "ready", []) && Linux.receive(connection).text == "draining"
    }

    /// Gives the sockets back unused: the predecessor goes on as if nothing had been.
    public func giveUp() {
      for socket in sockets.values.flatMap(\.descriptors) { Linux.close(socket) }
      Linux.close(connection)
    }
  }

  /// Whether a process offers its sockets at `path`. It takes this for a successor that gave up.
  public static func isOffered(at path: String) throws(SystemError) -> Bool {
    guard let connection = try Linux.connect(path: path) else { return false }
    Linux.close(connection)
    return true
  }

  /// Asks the process that offers its sockets at `path` for them; `nil` if no process does, or another one was faster.
  public static func take(path: String) throws(SystemError) -> Received? {
    guard let connection = try Linux.connect(path: path) else { return nil }
    do { try Linux.setTimeout(connection, milliseconds: patienceMilliseconds) } catch {
      Linux.close(connection)
      throw error
    }
    let (text, descriptors) = Linux.receive(connection)
    var lines = text.split(separator: "\n")
    guard lines.first == greeting[...] else {
      Linux.close(connection)
      for descriptor in descriptors { Linux.close(descriptor) }
      return nil
    }
    lines.removeFirst()
    var sockets: [String: ListeningSockets] = [:]
    var rest = descriptors[...]
    for line in lines {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let count = Int(parts[1]), count >= 0 else { continue }
      sockets[String(parts[0])] = ListeningSockets(adopting: Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return Received(sockets: sockets, connection: connection)
  }
}
