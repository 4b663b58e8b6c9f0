internal import CLinux
import Glibc

/// The operating system, all of it: every call into the kernel and libc goes through here, and nothing above this file
/// sees a C structure. Results are values; errors are `errno` numbers.
enum Linux {
  // MARK: - Bytes

  /// Whether both have the same bytes; both have the same count.
  @inline(__always)
  static func equalBytes(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard let first = one.baseAddress, let second = other.baseAddress else { return true }
    return unsafe memcmp(first, second, min(one.count, other.count)) == 0
  }

  /// Where `byte` is first in `bytes` at or after `start`, or nil.
  @inline(__always)
  static func firstByte(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start >= 0, start < bytes.count, let base = bytes.baseAddress else { return nil }
    guard let found = unsafe memchr(base + start, Int32(byte), bytes.count - start) else { return nil }
    return unsafe UnsafeRawPointer(found) - base
  }

  // MARK: - Clocks

  /// Nanoseconds since 1970 and since some start that never goes back, as of the kernel's last tick (at most 10 ms ago), but
  /// never of a second that is over: what begins with a second would come late, and a cache before the server would keep for
  /// the new second what was answered for the old one.
  static func coarseTime() -> (realtime: Int64, monotonic: Int64) {
    let coarse = time(CLOCK_REALTIME_COARSE)
    let isNearEnd = coarse % 1_000_000_000 >= 980_000_000
    return (isNearEnd ? time(CLOCK_REALTIME) : coarse, time(CLOCK_MONOTONIC_COARSE))
  }

  private static func time(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    unsafe clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  // MARK: - Readiness

  /// What a descriptor is watched for, and what was seen on it.
  struct Interest: OptionSet {
    let rawValue: UInt32

    static let read = Interest(rawValue: EPOLLIN.rawValue)
    /// Of the loops that wait on the same socket, wake one.
    static let exclusive = Interest(rawValue: EPOLLEXCLUSIVE.rawValue)
    static let write = Interest(rawValue: EPOLLOUT.rawValue)
    /// The peer has sent all it will send.
    static let peerEnd = Interest(rawValue: EPOLLRDHUP.rawValue)
    /// Report it once, when it comes about, not for as long as it lasts.
    static let once = Interest(rawValue: EPOLLET.rawValue)
    /// The connection is dead; reported whether asked for or not.
    static let dead = Interest(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
  }

  /// An epoll instance and room for what it reports at once.
  @safe struct Poll: ~Copyable {
    private let descriptor: Int32
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: 256)

    init() throws(SystemError) {
      descriptor = try check(epoll_create1(Int32(EPOLL_CLOEXEC)), "epoll_create1")
    }

    deinit { Linux.close(descriptor) }

    func add(_ watched: Int32, _ interest: Interest, tag: UInt64) -> Bool {
      control(EPOLL_CTL_ADD, watched, interest, tag)
    }

    func change(_ watched: Int32, _ interest: Interest, tag: UInt64) {
      _ = control(EPOLL_CTL_MOD, watched, interest, tag)
    }

    func remove(_ watched: Int32) {
      _ = control(EPOLL_CTL_DEL, watched, [], 0)
    }

    private func control(_ operation: Int32, _ watched: Int32, _ interest: Interest, _ tag: UInt64) -> Bool {
      var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data_t(u64: tag))
      return unsafe epoll_ctl(descriptor, operation, watched, &event) == 0
    }

    /// Waits for at most `milliseconds` (-1: for ever) and returns how many events there are.
    mutating func wait(milliseconds: Int32) -> Int {
      max(0, Int(unsafe hearth_wait(descriptor, &events, Int32(events.count), milliseconds)))
    }

    /// The event at `index`, which is below what ``wait(milliseconds:)`` returned.
    func event(_ index: Int) -> (tag: UInt64, seen: Interest) {
      unsafe (events[index].data.u64, Interest(rawValue: events[index].events))
    }
  }

  static func makeEventDescriptor() throws(SystemError) -> Int32 {
    try check(eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)), "eventfd")
  }

  static func signal(_ event: Int32) {
    eventfd_write(event, 1)
  }

  static func clear(_ event: Int32) {
    var count: eventfd_t = 0
    unsafe eventfd_read(event, &count)
  }

  // MARK: - Connections

  enum Transfer {
    case bytes(Int)
    case wouldBlock
    case failed(Int32)
  }

  /// Reads what is there, without waiting; 0 bytes is the peer's end.
  @inline(__always)
  static func receive(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    transfer(unsafe hearth_receive(socket, buffer.baseAddress, buffer.count))
  }

  /// Writes what fits, without waiting and without SIGPIPE.
  @inline(__always)
  static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
    transfer(unsafe hearth_send(socket, bytes.baseAddress, bytes.count))
  }

  /// Writes what fits of both, in order, in one call.
  static func send(_ socket: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Transfer {
    var parts = unsafe (
      iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
      iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
    )
    return unsafe withUnsafeMutablePointer(to: &parts) { pair in
      unsafe pair.withMemoryRebound(to: iovec.self, capacity: 2) { vector in
        var message = unsafe msghdr()
        unsafe message.msg_iov = vector
        unsafe message.msg_iovlen = 2
        return transfer(unsafe sendmsg(socket, &message, Int32(MSG_NOSIGNAL)))
      }
    }
  }

  @inline(__always)
  private static func transfer(_ result: Int) -> Transfer {
    if result >= 0 { return .bytes(result) }
    let error = errno
    return error == EAGAIN || error == EINTR ? .wouldBlock : .failed(error)
  }

  /// Says that nothing more will be sent; the peer can still send.
  static func endSending(_ socket: Int32) {
    _ = shutdown(socket, Int32(SHUT_WR))
  }

  /// Has the kernel throw away what it has yet to send when the socket is closed, and reset the connection.
  static func resetOnClose(_ socket: Int32) {
    try? set(socket, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0), "")
  }

  static func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  /// Takes a waiting connection.
  static func accept(_ listening: Int32) -> Result<(descriptor: Int32, peer: PeerAddress), SystemError> {
    var from = sockaddr_storage()
    let descriptor = unsafe hearth_accept(listening, &from)
    guard descriptor >= 0 else { return .failure(.last("accept4")) }
    return .success((descriptor, address(from)))
  }

  /// Whether an error of ``accept(_:)`` means that descriptors, or memory for one, are exhausted.
  static func isExhaustion(_ error: SystemError) -> Bool {
    [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.number)
  }

  static func isNothingWaiting(_ error: SystemError) -> Bool {
    error.number == EAGAIN
  }

  /// Opens a spare descriptor, to be given up when no others are left.
  static func openReserve() -> Int32 {
    unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  /// The descriptors that this process may have open at once.
  static func descriptorsMax() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises ``descriptorsMax()`` as far as this process may, at most to `most`. Never lowers it.
  static func raiseDescriptorsMax(to most: Int) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = min(limit.rlim_max, rlim_t(most))
    guard wanted > limit.rlim_cur else { return }
    limit.rlim_cur = wanted
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Has malloc keep one heap for all threads.
  static func keepOneHeap() { hearth_keep_one_heap() }

  // MARK: - Listening

  /// Whether an address is free. With SO_REUSEPORT alone, a second process of the same user would be given it as well,
  /// and half of the connections.
  static func checkFree(host: String, port: UInt16) throws(SystemError) {
    let operation = "listen on \(host):\(port)"
    close(
      try opened(host, port, operation) { (socket, address) throws(SystemError) in
        try set(socket, SOL_SOCKET, SO_REUSEADDR, Int32(1), operation)
        _ = try check(unsafe address.with { unsafe bind(socket, $0, $1) }, operation)
      })
  }

  /// A socket listening on a numeric address, one of several on the same port.
  static func listen(host: String, port: UInt16) throws(SystemError) -> Int32 {
    let operation = "listen on \(host):\(port)"
    return try opened(host, port, operation, options: SOCK_NONBLOCK.rawValue) { (socket, address) throws(SystemError) in
      try set(socket, SOL_SOCKET, SO_REUSEADDR, Int32(1), operation)
      try set(socket, SOL_SOCKET, SO_REUSEPORT, Int32(1), operation)
      // Connections inherit it: an answer is one write, and must not wait for the client's acknowledgement.
      try set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1), operation)
      _ = try check(unsafe address.with { unsafe bind(socket, $0, $1) }, operation)
      _ = try check(Glibc.listen(socket, 4_096), operation)
    }
  }

  /// A connection to a numeric address, of which each call waits at most `milliseconds`, this one included.
  static func connect(host: String, port: UInt16, milliseconds: Int) throws(SystemError) -> Int32 {
    let operation = "connect to \(host):\(port)"
    return try opened(host, port, operation) { (socket, address) throws(SystemError) in
      try setTimeout(socket, milliseconds: milliseconds)
      _ = try check(unsafe address.with { unsafe Glibc.connect(socket, $0, $1) }, operation)
    }
  }

  /// A socket for a numeric address, once `prepare` is done with it.
  private static func opened(
    _ host: String, _ port: UInt16, _ operation: String, options: UInt32 = 0,
    _ prepare: (Int32, SocketAddress) throws(SystemError) -> Void
  ) throws(SystemError) -> Int32 {
    let address = try address(host, port)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | options)
    let socket = try check(socket(Int32(address.storage.ss_family), type, 0), operation)
    do throws(SystemError) { try prepare(socket, address) } catch {
      close(socket)
      throw error
    }
    return socket
  }

  /// An address as calls of the kernel take it.
  private struct SocketAddress {
    let storage: sockaddr_storage
    let length: socklen_t

    /// - Parameter address: One of the structures of a family.
    init<Address>(_ address: Address) {
      var storage = sockaddr_storage()
      unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: Address.self) }
      (self.storage, length) = (storage, socklen_t(MemoryLayout<Address>.size))
    }

    func with(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
      unsafe withUnsafePointer(to: storage) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
      }
    }
  }

  /// How long each call on a blocking socket waits, at least a millisecond.
  static func setTimeout(_ socket: Int32, milliseconds: Int) throws(SystemError) {
    let milliseconds = max(milliseconds, 1)
    let timeout = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      try set(socket, SOL_SOCKET, option, timeout, "set the timeout of a socket")
    }
  }

  /// The address that a socket is bound to.
  static func localAddress(_ socket: Int32) -> PeerAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(socket, $0, &length) }
    }
    return result == 0 ? address(storage) : nil
  }

  private static func set<Value: BitwiseCopyable>(
    _ socket: Int32, _ level: Int32, _ option: Int32, _ value: Value, _ operation: String
  ) throws(SystemError) {
    var value = value
    _ = try check(unsafe setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Value>.size)), operation)
  }

  /// A numeric address with a port.
  private static func address(_ host: String, _ port: UInt16) throws(SystemError) -> SocketAddress {
    var version4 = sockaddr_in()
    version4.sin_family = sa_family_t(AF_INET)
    version4.sin_port = port.bigEndian
    if unsafe inet_pton(AF_INET, host, &version4.sin_addr) == 1 { return SocketAddress(version4) }
    var version6 = sockaddr_in6()
    version6.sin6_family = sa_family_t(AF_INET6)
    version6.sin6_port = port.bigEndian
    if unsafe inet_pton(AF_INET6, host, &version6.sin6_addr) == 1 { return SocketAddress(version6) }
    throw SystemError(operation: "\(host) is not a numeric address", number: EINVAL)
  }

  /// Whether bytes are a numeric address of IPv6, without a zone.
  static func isIPv6(_ text: Span<UInt8>) -> Bool {
    // As long as the longest, with its end.
    guard text.count < Int(INET6_ADDRSTRLEN), text.first(0) == nil else { return false }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: text.count + 1) { copy in
      for index in text.indices { unsafe copy[index] = CChar(truncatingIfNeeded: text[index]) }
      unsafe copy[text.count] = 0
      var address = in6_addr()
      return unsafe inet_pton(AF_INET6, copy.baseAddress, &address) == 1
    }
  }

  /// A numeric address, `nil` for anything else.
  static func address(_ host: String) -> PeerAddress? {
    // A C string ends at its first NUL.
    guard !host.utf8.contains(0), let found = try? address(host, 0) else { return nil }
    return address(found.storage)
  }

  private static func address(_ storage: sockaddr_storage) -> PeerAddress {
    unsafe withUnsafeBytes(of: storage) { bytes in
      if Int32(storage.ss_family) == AF_INET {
        let version4 = unsafe bytes.load(as: sockaddr_in.self)
        return PeerAddress(
          high: 0, low: 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: version4.sin_addr.s_addr)),
          port: UInt16(bigEndian: version4.sin_port))
      }
      let version6 = unsafe bytes.load(as: sockaddr_in6.self)
      return unsafe withUnsafeBytes(of: version6.sin6_addr) { octets in
        PeerAddress(
          high: UInt64(bigEndian: unsafe octets.load(as: UInt64.self)),
          low: UInt64(bigEndian: unsafe octets.load(fromByteOffset: 8, as: UInt64.self)),
          port: UInt16(bigEndian: version6.sin6_port))
      }
    }
  }

  /// Prepares a socket opened elsewhere like one of ``listen(host:port:)``.
  static func adopt(_ socket: Int32) {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    try? set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1), "")
  }

  /// Another descriptor of the same socket.
  static func duplicate(_ socket: Int32) throws(SystemError) -> Int32 {
    try check(fcntl(socket, F_DUPFD_CLOEXEC, 3), "fcntl F_DUPFD_CLOEXEC")
  }

  // MARK: - Handing descriptors on

  static let processID = getpid()

  /// A unix socket listening at `path`, for this user alone. What was at the path before is replaced.
  static func listen(path: String) throws(SystemError) -> Int32 {
    let descriptor = try unixSocket(path)
    unsafe unlink(path)
    let former = umask(0o177)
    defer { umask(former) }
    do throws(SystemError) {
      _ = try check(unsafe address(ofPath: path).with { unsafe bind(descriptor, $0, $1) }, "listen on \(path)")
      _ = try check(Glibc.listen(descriptor, 4), "listen on \(path)")
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// A connection to the unix socket at `path`, or nil when nobody listens there.
  static func connect(path: String) throws(SystemError) -> Int32? {
    let descriptor = try unixSocket(path)
    if unsafe address(ofPath: path).with({ unsafe Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
    let error = SystemError.last("connect to \(path)")
    close(descriptor)
    if error.number == ENOENT || error.number == ECONNREFUSED { return nil }
    throw error
  }

  /// Waits for a connection to a unix socket; nil when the socket was ended.
  static func acceptWaiting(_ socket: Int32) -> Int32? {
    while true {
      let descriptor = Glibc.accept(socket, nil, nil)
      if descriptor >= 0 { return descriptor }
      if errno != EINTR && errno != ECONNABORTED { return nil }
    }
  }

  /// Ends a socket for all who wait on it.
  static func end(_ socket: Int32) {
    _ = shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Sends a text with descriptors; `false` if the other end is gone.
  static func send(_ socket: Int32, _ text: String, _ descriptors: [Int32]) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe hearth_send_descriptors(socket, bytes, bytes.count, descriptors, Int32(descriptors.count))
      == bytes.count
  }

  /// Waits until there is something to receive or the other end is gone, however long its timeout is.
  static func waitForInput(_ socket: Int32) {
    var interest = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while unsafe Glibc.poll(&interest, 1, -1) < 0, errno == EINTR {}
  }

  /// Receives a text with the descriptors beside it; an empty text when the other end is gone.
  static func receive(_ socket: Int32) -> (text: String, descriptors: [Int32]) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var descriptors = [Int32](repeating: -1, count: Int(hearth_descriptors_max))
    var count: Int32 = 0
    let got = unsafe hearth_receive_descriptors(socket, &bytes, bytes.count, &descriptors, &count)
    return (String(decoding: bytes.prefix(max(got, 0)), as: UTF8.self), Array(descriptors.prefix(Int(count))))
  }

  private static func unixSocket(_ path: String) throws(SystemError) -> Int32 {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
      throw SystemError(operation: "\(path) is too long for a unix socket", number: ENAMETOOLONG)
    }
    return try check(
      socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0), "unix socket \(path)")
  }

  private static func address(ofPath path: String) -> SocketAddress {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return SocketAddress(address)
  }

  // MARK: - Threads

  /// Runs `body` on a thread of its own, which nobody waits for.
  static func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    final class Box: Sendable {
      let name: String
      let body: @Sendable () -> Void
      init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
      }
    }
    let box = unsafe Unmanaged.passRetained(Box(name: name, body: body))
    var thread = pthread_t()
    let error = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let box = unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
        unsafe hearth_name_thread(box.name)
        box.body()
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      unsafe box.release()
      throw SystemError(operation: "pthread_create", number: error)
    }
    pthread_detach(thread)
  }

  /// Lets other threads run that are ready to.
  static func giveWay() {
    sched_yield()
  }

  // MARK: - Errors

  private static func check(_ result: Int32, _ operation: String) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw .last(operation) }
    return result
  }
}
