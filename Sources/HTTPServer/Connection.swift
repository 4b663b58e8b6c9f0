/// One client's connection, as its loop keeps it. Idle, it is this object and nothing else: what it needs to read or
/// write is the loop's, or is made while it lasts.
final class Connection {
  /// What happens next on the connection.
  enum Phase {
    /// The next request, or more of the present one, is read.
    case reading
    /// The handler answers later.
    case postponed
    /// The handler is asked again when woken.
    case parked
    /// The last response is out; what the client still sends is thrown away (RFC 9112 §9.6).
    case lingering
  }

  let descriptor: Int32
  let slot: UInt32
  let generation: UInt32
  let peer: PeerAddress

  var phase = Phase.reading
  /// What the loop watches the descriptor for.
  var interest = Connection.requests
  /// Octets read that are not used yet: the start of a request, or those that wait behind an answer.
  var input: [UInt8] = []
  /// A request's body in progress.
  var upload: RequestReader.Upload?
  /// Octets written that the kernel has not taken yet.
  var output: PendingOutput?
  /// The exchange in hand, which is postponed or parked.
  var serial: UInt64 = 0
  var requestCount: UInt32 = 0
  /// The tick in which the head that is being read began.
  var headTick: UInt32?
  /// Of a parked exchange: its waiting time is over.
  var isWaitOver = false
  /// Of the exchange in hand: whether the answer is its head alone, and what the connection does after it.
  var isHead = false
  var keepsAlive = true
  var isOldVersion = false
  /// The connection ends when its output is written.
  var isEnding = false
  /// The octets of ``input`` and ``output`` that are counted, and the response shared with others that is.
  var pendingBytes = 0
  var pendingResponse: ReadyResponse?
  /// The octets of ``upload`` that its loop has counted.
  var uploadBytes = 0

  /// Whether anything waits on it.
  var hasPending: Bool { pendingBytes > 0 || pendingResponse != nil }

  init(descriptor: Int32, slot: UInt32, generation: UInt32, peer: PeerAddress) {
    self.descriptor = descriptor
    self.slot = slot
    self.generation = generation
    self.peer = peer
  }

  deinit { Linux.close(descriptor) }

  /// The events watched between requests. Each is reported once, so epoll need not check a descriptor again after each
  /// request. Code that leaves octets unread must arm it anew.
  static let requests: Linux.Interest = [.read, .peerEnd, .once]

  /// What epoll reports of this connection by: the generation tells it from an earlier one in the same slot.
  var tag: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

  var exchange: ExchangeID { ExchangeID(slot: slot, serial: serial) }

  /// What the response in hand says of the connection.
  var option: ConnectionOption {
    keepsAlive ? (isOldVersion ? .keepAlive : .unsaid) : .close
  }
}

/// What a connection has yet to write: at most the loop's outgoing bytes and one response's content, which is shared
/// with everyone else who gets it.
final class PendingOutput {
  private var copied: [UInt8]
  private var content: [UInt8]
  private var copiedFrom = 0
  private var contentFrom: Int
  /// The response that the content belongs to, if others get it too.
  let shared: ReadyResponse?
  /// When the exchange in hand is to be answered at the latest, which counts again when all is written.
  let deadline: UInt32
  /// The answer to the exchange in hand, which came meanwhile.
  var answer: Answer?
  /// The exchange in hand was to be resumed meanwhile.
  var isWoken = false

  init(copied: [UInt8], content: [UInt8], contentFrom: Int, shared: ReadyResponse?, deadline: UInt32) {
    self.deadline = deadline
    self.shared = shared
    self.copied = copied
    self.content = content
    self.contentFrom = contentFrom
  }

  /// Writes what fits, and tells how much that was; nil when the connection is dead.
  func write(to descriptor: Int32) -> Int? {
    let result = unsafe copied.withUnsafeBytes { first in
      unsafe content.withUnsafeBytes { second in
        unsafe Linux.send(
          descriptor, UnsafeRawBufferPointer(rebasing: first[copiedFrom...]),
          UnsafeRawBufferPointer(rebasing: second[contentFrom...]))
      }
    }
    guard case .bytes(let written) = result else {
      if case .wouldBlock = result { return 0 }
      return nil
    }
    let ofCopied = min(written, copied.count - copiedFrom)
    copiedFrom += ofCopied
    contentFrom += written - ofCopied
    return written
  }

  /// The octets that it alone holds, for as long as it lasts.
  var ownBytes: Int {
    var bytes = copied.count + (shared == nil ? content.count : 0)
    if case .response(let response)? = answer { bytes += response.body.count }
    return bytes
  }

  var isEmpty: Bool { copiedFrom == copied.count && contentFrom == content.count }
}
