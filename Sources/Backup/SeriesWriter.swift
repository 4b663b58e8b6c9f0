import Storage

/// What a series has of the database, and which pages wait to be in it.
struct SeriesWriter {
  /// A piece that is ready to be sent.
  struct Sealed: Sendable {
    var name: String
    var bytes: [UInt8]
    var series: String
    /// Until then the database was as the step before says.
    var from: BackupMoment
    /// The moment that the series is complete to with it; `nil` where more of the step follow.
    var completeTo: BackupMoment?
  }

  let series: String
  let began: BackupMoment
  /// The number of the next piece.
  private(set) var sequence: Int
  /// What each page holds as it was sent; of one that waits, something else.
  private var sums = PageSums()
  /// The sum of all pages as they were sent.
  var total: UInt64 { sums.total }
  /// By page, whether it waits.
  private var isWaiting: [Bool] = []
  private(set) var waitingCount = 0
  /// Where the next piece begins to look for pages that wait.
  private var cursor = 0
  /// Until then nothing that waits had changed.
  private(set) var from: BackupMoment?
  /// No piece may be of an earlier moment, whatever the clock shows.
  private var last: BackupMoment
  /// Whether the last piece tells the next process what each page holds.
  private(set) var isClosed = false

  /// A new series, in which every page waits.
  ///
  /// - Parameter previous: What the series before is complete to.
  init(at moment: BackupMoment, after previous: BackupMoment?, pageCount: Int) {
    series = BackupPiece.seriesName(at: moment)
    (began, last, sequence) = (moment, moment, 0)
    resize(pageCount, at: previous ?? moment)
  }

  private mutating func resize(_ pageCount: Int, at moment: BackupMoment) {
    if pageCount < isWaiting.count {
      waitingCount -= isWaiting[pageCount...].count { $0 }
      isWaiting.removeSubrange(pageCount...)
    } else if pageCount > isWaiting.count {
      // What SQLite has never written is there as well.
      waitingCount += pageCount - isWaiting.count
      isWaiting += [Bool](repeating: true, count: pageCount - isWaiting.count)
      from = from ?? moment
    }
    sums.resize(pageCount)
  }

  /// Notes that pages have changed.
  ///
  /// - Parameter moment: Until then they had not.
  mutating func note(_ pages: Set<UInt32>, pageCount: Int, at moment: BackupMoment) {
    resize(pageCount, at: moment)
    for page in pages where Int(page) <= pageCount && page > 0 && !isWaiting[Int(page) - 1] {
      isWaiting[Int(page) - 1] = true
      waitingCount += 1
    }
    if waitingCount > 0 { from = from ?? moment }
  }

  /// Notes what has changed while nobody looked: all that is not as it was sent.
  mutating func note(changesTo found: PageSums, at moment: BackupMoment) {
    note(sums.pages(otherThan: found), pageCount: found.count, at: moment)
  }

  /// The next piece, of the moment of the follower's last look, whose changes were noted.
  ///
  /// - Parameters:
  ///   - now: What the clock showed right before that look.
  ///   - pagesMax: The most pages of the piece.
  ///   - closes: Whether it is to tell the next process what each page holds.
  mutating func seal(
    _ follower: LogFollower, at now: BackupMoment, pagesMax: Int = BackupPiece.pagesMax, closes: Bool = false
  ) throws -> Sealed {
    let moment = follower.moment
    var numbers: [UInt32] = []
    while numbers.count < min(waitingCount, pagesMax) {
      if cursor >= isWaiting.count { cursor = 0 }
      if isWaiting[cursor] { numbers.append(UInt32(cursor + 1)) }
      cursor += 1
    }
    var pages: [BackupPiece.Page] = []
    pages.reserveCapacity(numbers.count)
    var sums = sums
    try follower.read(numbers.sorted()) { number, bytes in
      pages.append(BackupPiece.Page(number: number, bytes: bytes))
      sums.note(number, bytes)
    }
    self.sums = sums
    for number in numbers { isWaiting[Int(number) - 1] = false }
    waitingCount -= numbers.count
    let isEnd = waitingCount == 0
    isClosed = isEnd && closes
    let at = max(now, last)
    let pageSums = isClosed && sums.count <= BackupPiece.pageSumsMax ? sums.sums : nil
    let piece = BackupPiece(
      series: series, sequence: sequence, from: min(from ?? at, at), at: at, pageSize: moment.pageSize,
      pageCount: moment.pageCount,
      end: isEnd ? BackupPiece.End(sum: sums.total, position: moment.position, pageSums: pageSums) : nil, pages: pages)
    last = at
    sequence += 1
    if isEnd { from = nil }
    return Sealed(
      name: piece.name, bytes: piece.bytes, series: series, from: piece.from, completeTo: isEnd ? at : nil)
  }
}

extension SeriesWriter {
  /// Goes on with the series of a step if the database is what that says, if that says what each page held, or if the
  /// log has all that has changed since.
  ///
  /// - Returns: `nil` where only a new series can tell what the database has.
  init?(after step: BackupPiece, _ follower: LogFollower) throws {
    guard let end = step.end, step.pageSize == follower.moment.pageSize else { return nil }
    let found = try PageSums(follower)
    var changed: Set<UInt32> = []
    if let sums = end.pageSums {
      changed = PageSums(sums).pages(otherThan: found)
    } else if found.total != end.sum || found.count != step.pageCount {
      guard let position = end.position, let since = try follower.pages(since: position) else { return nil }
      changed = since
    }
    if found.count > step.pageCount { changed.formUnion(UInt32(step.pageCount) + 1...UInt32(found.count)) }
    series = step.series
    (began, last, sequence) = (BackupPiece.beginning(of: step.series) ?? step.at, step.at, step.sequence + 1)
    sums = found
    isWaiting = [Bool](repeating: false, count: found.count)
    isClosed = end.pageSums != nil
    note(changed, pageCount: found.count, at: step.at)
  }
}

extension PageSums {
  /// What all pages hold at the moment of a follower's last look.
  init(_ follower: LogFollower) throws {
    self.init()
    resize(follower.moment.pageCount)
    try follower.read(1...UInt32(follower.moment.pageCount)) { number, bytes in note(number, bytes) }
  }
}
