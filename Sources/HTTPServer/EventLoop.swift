import Logging

/// One thread's share of a server: its listening sockets, its connections, its handler. All of it is used on that thread
/// alone; the rest of the process reaches it through its ``Mailbox``.
@safe public final class EventLoop {
  /// The time of the current wake-up, in nanoseconds since 1970.
  public private(set) var now: Int64 = 0

  let limits: Limits
  let timeouts: Timeouts
  let logger: Logger
  let mailbox: Mailbox
  let admission: Admission
  let pending: PendingBytes
  private let clock: Clock
  private(set) var handler: (any RequestHandler)?

  var poll: Linux.Poll
  var listening: [Int32]
  let table = ConnectionTable()
  /// What this loop has done. Current numbers, such as connections, are counted on request.
  var traffic = Traffic()
  /// Ticks since the loop started, rounded down; what deadlines are counted in.
  private(set) var tick: UInt32 = 0
  static let ticksPerSecond: UInt32 = 16
  static let tickNanoseconds: Int64 = 1_000_000_000 / Int64(ticksPerSecond)
  /// Nanoseconds since the loop started, by a clock that nobody sets.
  public private(set) var elapsed: Int64 = 0
  private var start: Int64 = 0

  let reader: RequestReader
  let head: RequestHead
  let outgoing = Outgoing(capacity: 256 * 1024)
  /// Where all connections read into, one at a time.
  let incoming: UnsafeMutableRawBufferPointer
  /// Octets of all unfinished bodies.
  var uploadBytes = 0
  var lastSerial: UInt64 = 0
  /// Parked exchanges that are to be resumed, from `wakingFrom` on.
  var waking: [ExchangeID] = []
  var wakingFrom = 0

  var reserve: Int32
  var isAcceptingPaused = false
  var isDraining = false
  private var isFinished = false

  init(
    listening: [Int32], limits: Limits, admission: Admission, pending: PendingBytes, clock: Clock, logger: Logger,
    mailbox: Mailbox
  ) throws(SystemError) {
    self.listening = listening
    self.limits = limits
    timeouts = Timeouts(limits: limits)
    self.admission = admission
    self.pending = pending
    self.clock = clock
    self.logger = logger
    self.mailbox = mailbox
    reader = RequestReader(limits: limits)
    head = RequestHead(fieldsMax: limits.fieldsMax)
    // A saved start of a request, which is shorter than a head, or what waits behind an answer, and a read beside it.
    unsafe incoming = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.readBytesMax + max(Self.readBytesMax, limits.headBytesMax), alignment: 64)
    reserve = Linux.openReserve()
    poll = try Linux.Poll()
    guard poll.add(mailbox.event, .read, tag: Self.mailboxTag) else { throw SystemError.last("epoll_ctl") }
    guard watchListening() else { throw SystemError.last("epoll_ctl") }
  }

  deinit {
    unsafe incoming.deallocate()
    Linux.close(reserve)
    for socket in listening { Linux.close(socket) }
  }

  /// Octets read at once.
  static let readBytesMax = 64 * 1024
  /// Parked exchanges resumed in one turn, so that others are served in between.
  private static let resumedATurnMax = 256
  static let mailboxTag = UInt64.max
  static let listeningTag = UInt64.max - 1

  /// The loop. It returns when ``finish()`` was called.
  func run(makeHandler: (EventLoop) -> any RequestHandler) {
    readClock()
    handler = makeHandler(self)
    var events = 0
    while !isFinished {
      // Clients on this machine and a proxy get to send what they have: the next look finds more at once, which costs
      // less a request than being woken for each. With nobody else to run it is nothing (docs/decisions/0011).
      if events > 0 { Linux.giveWay() }
      events = poll.wait(milliseconds: waitMilliseconds)
      readClock()
      var hasMail = false
      for index in 0..<events {
        let (tag, seen) = poll.event(index)
        if tag == Self.mailboxTag {
          Linux.clear(mailbox.event)
          hasMail = true
        } else if tag > UInt64(UInt32.max) << 32 {
          acceptAll(from: Int(truncatingIfNeeded: Self.listeningTag - tag))
        } else if let connection = table.find(tag) {
          ready(connection, seen)
        }
      }
      // Whoever leaves something there signals it: without that, its lock is left alone.
      if hasMail { for work in mailbox.takeAll() { work(self) } }
      resume(atMost: Self.resumedATurnMax)
      if tick >= table.nextDeadline { for connection in table.takeOverdue(at: tick) { expired(connection) } }
      if isAcceptingPaused || reserve < 0 { resumeAccepting() }
    }
    for work in mailbox.close() { work(self) }
    table.removeAll()
    handler = nil
  }

  func finish() { isFinished = true }

  private func readClock() {
    let (realtime, monotonic) = clock.now()
    if start == 0 { start = monotonic }
    now = realtime
    elapsed = monotonic - start
    tick = UInt32(clamping: elapsed / Self.tickNanoseconds)
    outgoing.setTime(realtime)
  }

  /// Milliseconds until the next deadline; -1, for ever, without one.
  private var waitMilliseconds: Int32 {
    if wakingFrom < waking.count { return 0 }
    let most: Int32 = isAcceptingPaused ? 1_000 : .max
    let deadline = table.nextDeadline
    guard deadline != ConnectionTable.never else { return isAcceptingPaused ? most : -1 }
    let left = (Int64(deadline) * Self.tickNanoseconds - elapsed) / 1_000_000
    return Int32(clamping: min(max(left, 0) + 1, Int64(most)))
  }
}
