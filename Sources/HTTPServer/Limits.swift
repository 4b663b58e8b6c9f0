/// What one server allows its clients. Each limit has a setting; the defaults suit a public listener.
public struct Limits: Sendable {
  /// Octets of a request line without its CRLF; more is a 414. RFC 9112 §3 asks for at least 8,000.
  public var requestLineBytesMax = 8 * 1024
  /// Octets of a request's head, from its request line to its empty line; more is a 431.
  public var headBytesMax = 16 * 1024
  /// Fields of a request; more is a 431.
  public var fieldsMax = 100
  /// Octets of a request's body; more is a 413, before it is read where its length is known. 0 takes no bodies.
  public var bodyBytesMax = 0
  /// Octets of chunk extensions and trailers of one body; more is a 431. The sizes and line ends of its chunks are none.
  public var chunkOverheadBytesMax = 16 * 1024
  /// How long a whole head may take from its first octet; longer is a 408.
  public var headTimeout: Duration = .seconds(10)
  /// Octets of the unfinished bodies that one loop holds; the one that would be more is a 503.
  public var uploadBytesMax = 64 * 1024 * 1024
  /// The least octets a second that a body must bring, counted over any ``bodyRateGrace``; less is a 408.
  public var bodyBytesPerSecondMin = 240
  /// How long a body may be slower than ``bodyBytesPerSecondMin``, and so how long it may bring nothing.
  public var bodyRateGrace: Duration = .seconds(5)
  /// How long a response may make no progress before its connection is cut.
  public var writeStallTimeout: Duration = .seconds(10)
  /// How long a connection may wait for its next request.
  public var idleTimeout: Duration = .seconds(75)
  /// How long a connection that was refused is still read from, so that the client can read the refusal.
  public var lingerTimeout: Duration = .seconds(2)
  /// Requests that one connection may make; the last is answered with `Connection: close`.
  public var requestsPerConnectionMax = 1_000_000
  /// Connections of all loops together; nil is half of the process's descriptor limit.
  public var connectionsMax: Int?
  /// Connections of one client address, an IPv6 client being its /64; 0 sets no limit, as behind a proxy.
  public var connectionsPerAddressMax = 1_024
  /// Whether clients on a loopback address (the machine itself, a proxy on it) are free of the limit an address.
  public var loopbackIsUnlimited = true
  /// Octets of answers that one connection may have waiting before its next request is read.
  public var responseBufferBytesMax = 256 * 1024

  /// Octets that all connections together may have waiting: answers that their clients do not read, and requests that
  /// are not whole or wait behind an answer. Above it the connections with the most are cut.
  public var pendingBytesMax = 16 * 1024 * 1024

  /// The defaults.
  public init() {}

  /// The descriptors that this process may have open at once.
  public static var descriptorsMax: Int { Linux.descriptorsMax() }

  /// The most descriptors that ``raiseDescriptorsMax()`` asks for: some container engines set no limit, and half of that
  /// many connections would be no limit either.
  public static let descriptorsRaisedTo = 1_048_576

  /// Raises the soft limit of descriptors to the hard one, at most to ``descriptorsRaisedTo``: shells start programs with
  /// 1,024.
  public static func raiseDescriptorsMax() { Linux.raiseDescriptorsMax(to: descriptorsRaisedTo) }

  /// Has all threads allocate from one heap: to be called before there are threads. With a heap for each of them, a server
  /// whose ready answers come and go takes twice the memory that it uses. Polls allocate nothing, and do not feel it.
  public static func keepOneHeap() { Linux.keepOneHeap() }
}
