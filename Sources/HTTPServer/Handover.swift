public import Logging

/// Hands the listening sockets of a running process to the one that replaces it.
///
/// The successor asks at a unix socket, gets the descriptors, and loads. When it says that it has loaded, its predecessor
/// stops changing what it serves and says so: what the successor then reads is the last word. It serves, and says that
/// it is ready; then its predecessor drains. The sockets are never closed in between, so that no connection that waits
/// in their queues is lost. A successor that fails before it is ready changes nothing.
public final class Handover: Sendable {
  private static let greeting = "hearth-handover 2"
  /// How long either side waits for the other.
  private static let patienceSeconds = 30

  private let path: String
  private let socket: Int32
  private let sockets: [(name: String, descriptors: [Int32])]
  private let logger: Logger

  /// Offers the sockets of this process's servers at `path`, for processes of the same user.
  ///
  /// - Parameters:
  ///   - path: Where the unix socket is; one that an earlier process left is replaced.
  ///   - sockets: By the names that the successor knows them by, which have no spaces; they must stay open until
  ///     ``end()``.
  ///   - logger: Logs each hand-over.
  ///   - settle: Called on a thread of its own when a successor has loaded; what this process serves must not change
  ///     any more once it returns, until it is called with `false`, because the successor gave up.
  ///   - whenDone: Called once, on a thread of its own, when a successor serves: this process is to drain.
  public init(
    path: String, sockets: [String: ListeningSockets], logger: Logger,
    settle: @escaping @Sendable (_ settles: Bool) -> Void = { _ in }, whenDone: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.path = path
    self.logger = logger
    self.sockets = sockets.sorted { $0.key < $1.key }.map { ($0.key, $0.value.descriptors) }
    socket = try Linux.listen(path: path)
    try Linux.startThread("handover") { [self] in
      while let asking = Linux.acceptWaiting(socket) {
        let isReady = offer(asking, settle)
        Linux.close(asking)
        if isReady { return whenDone() }
      }
    }
  }

  deinit { Linux.close(socket) }

  /// Stops offering; a successor's offer at the same path is left alone once it has said that it is ready.
  public func end() { Linux.end(socket) }

  /// Whether the one that asked serves now.
  private func offer(_ asking: Int32, _ settle: (Bool) -> Void) -> Bool {
    Linux.setTimeout(asking, seconds: Self.patienceSeconds)
    let lines = [Self.greeting] + sockets.map { "\($0.name) \($0.descriptors.count)" }
    guard Linux.send(asking, lines.joined(separator: "\n"), sockets.flatMap(\.descriptors)) else { return false }
    let hasLoaded = Linux.receive(asking).text == "loaded"
    if hasLoaded { settle(true) }
    let isReady = hasLoaded && Linux.send(asking, "settled", []) && Linux.receive(asking).text == "ready"
    if hasLoaded, !isReady { settle(false) }
    logger.notice(isReady ? "a successor serves" : "a successor gave up")
    return isReady
  }

  /// What a successor was given.
  public struct Received: Sendable {
    /// The sockets by their names.
    public let sockets: [String: ListeningSockets]
    private let connection: Int32

    fileprivate init(sockets: [String: ListeningSockets], connection: Int32) {
      self.sockets = sockets
      self.connection = connection
    }

    /// Tells the predecessor that this process has loaded; what the predecessor serves changes no more when this returns.
    /// It may take as long as a change that is under way. Nothing but a call of ``ready()`` or ``giveUp()`` may follow.
    public func loaded() {
      // A predecessor that has died in the meantime changes nothing either.
      if Linux.send(connection, "loaded", []) { _ = Linux.receive(connection) }
    }

    /// Tells the predecessor that this process serves, so that it drains. Call it once, when requests are answered.
    public func ready() {
      _ = Linux.send(connection, "ready", [])
      Linux.close(connection)
    }

    /// Gives the sockets back unused: the predecessor goes on as if nothing had been.
    public func giveUp() {
      for socket in sockets.values.flatMap(\.descriptors) { Linux.close(socket) }
      Linux.close(connection)
    }
  }

  /// Asks the process that offers its sockets at `path` for them; nil when there is none.
  public static func take(path: String) throws(SystemError) -> Received? {
    guard let connection = try Linux.connect(path: path) else { return nil }
    Linux.setTimeout(connection, seconds: patienceSeconds)
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
