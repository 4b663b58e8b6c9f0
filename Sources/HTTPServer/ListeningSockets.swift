/// The sockets that a server takes connections from: bound here, or handed on by an earlier process or by systemd.
public struct ListeningSockets: Sendable {
  /// The descriptors, non-blocking. Whoever starts a server with them gives them away.
  public let descriptors: [Int32]

  /// Sockets that are bound and listening already.
  public init(adopting descriptors: [Int32]) {
    self.descriptors = descriptors
  }

  /// Binds `count` sockets to one numeric address and port; port 0 takes a free one.
  ///
  /// Each loop takes connections from its own (SO_REUSEPORT), so that loops never contend for one.
  public init(host: String, port: UInt16, count: Int, backlog: Int32 = 4_096) throws(SystemError) {
    let first = try Linux.listen(host: host, port: port, backlog: backlog)
    var all = [first]
    do throws(SystemError) {
      let bound = Linux.localAddress(first)?.port ?? port
      for _ in 1..<max(count, 1) {
        all.append(try Linux.listen(host: host, port: bound, backlog: backlog))
      }
    } catch {
      for socket in all { Linux.close(socket) }
      throw error
    }
    descriptors = all
  }

  /// The port that they listen on.
  public var port: UInt16 {
    descriptors.first.flatMap { Linux.localAddress($0)?.port } ?? 0
  }
}
