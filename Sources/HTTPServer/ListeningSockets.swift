/// The sockets that a server takes connections from: bound here, or handed on by an earlier process or by systemd.
public struct ListeningSockets: Sendable {
  /// The descriptors, non-blocking. Whoever starts a server with them gives them away.
  public let descriptors: [Int32]

  /// Sockets that are bound and listening already.
  public init(adopting descriptors: [Int32]) {
    for socket in descriptors { Linux.adopt(socket) }
    self.descriptors = descriptors
  }

  /// Binds `count` sockets to one numeric address and port; port 0 takes a free one.
  ///
  /// Each loop takes connections from its own (SO_REUSEPORT), so that loops never contend for one.
  public init(host: String, port: UInt16, count: Int) throws(SystemError) {
    try Linux.checkFree(host: host, port: port)
    let first = try Linux.listen(host: host, port: port)
    var all = [first]
    do throws(SystemError) {
      let bound = Linux.localAddress(first)?.port ?? port
      for _ in 1..<max(count, 1) {
        all.append(try Linux.listen(host: host, port: bound))
      }
    } catch {
      for socket in all { Linux.close(socket) }
      throw error
    }
    descriptors = all
  }

  /// The addresses that they listen on, each once, as the system has them (getsockname(2)).
  public var addresses: [PeerAddress] {
    descriptors.compactMap(Linux.localAddress).reduce(into: []) { addresses, address in
      if !addresses.contains(address) { addresses.append(address) }
    }
  }

  /// The port that they listen on; with several addresses, the first one's.
  public var port: UInt16 { addresses.first?.port ?? 0 }

  /// The sockets of each of `loops`: every loop takes connections to every address. Where an address has fewer sockets than
  /// there are loops, several of them wait on the same one.
  func spread(over loops: Int) throws(SystemError) -> [[Int32]] {
    var dealt = Array(repeating: [Int32](), count: loops)
    for address in addresses {
      let own = descriptors.filter { Linux.localAddress($0) == address }
      for index in 0..<max(own.count, loops) {
        dealt[index % loops].append(index < own.count ? own[index] : try Linux.duplicate(own[index % own.count]))
      }
    }
    return dealt
  }

  /// The sockets that systemd passed to this process, by their `FileDescriptorName`; empty when it was not started so
  /// (sd_listen_fds(3)).
  ///
  /// - Parameters:
  ///   - environment: The process's environment, of which `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES` are read.
  ///   - firstDescriptor: The first that was passed, which sd_listen_fds(3) says is 3.
  public static func fromSystemd(
    _ environment: [String: String], from firstDescriptor: Int32 = 3
  ) -> [String: ListeningSockets] {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == Linux.processID,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...1_024).contains(count)
    else { return [:] }
    let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
    let descriptors = (0..<count).map { index -> (name: String, descriptor: Int32) in
      let name = Int(index) < names.count ? String(names[Int(index)]) : ""
      return (name: name.isEmpty ? "unknown" : name, descriptor: firstDescriptor + index)
    }
    return Dictionary(grouping: descriptors, by: \.name).mapValues {
      ListeningSockets(adopting: $0.map(\.descriptor))
    }
  }
}
