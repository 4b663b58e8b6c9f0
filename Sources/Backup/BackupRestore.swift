import Glibc

/// Puts a database together from a target.
public struct BackupRestore: Sendable {
  /// What a series can restore.
  public struct Span: Hashable, Sendable {
    /// Its name.
    public var series: String
    /// The first and the last moment of which it has the whole database; `nil` where its snapshot is not complete.
    public var moments: ClosedRange<BackupMoment>?
    /// Its pieces.
    public var pieces: Int
    /// What is wrong with it; `nil` where nothing is, as far as its names tell.
    public var damage: String?
  }

  /// What was restored.
  public struct Restored: Hashable, Sendable {
    /// The moment that the database is of.
    public var at: BackupMoment
    /// From what.
    public var series: String
    /// How many pieces were read.
    public var pieces: Int
    /// The changes after it that left together, if the moment that was asked for lies among them.
    public var together: ClosedRange<BackupMoment>?
  }

  private let target: any BackupTarget

  /// - Parameter target: Where a server has sent its changes.
  public init(from target: any BackupTarget) { self.target = target }

  /// Everything that can be restored, the oldest first.
  public func spans() throws(TargetFailure) -> [Span] {
    var spans: [Span] = []
    for series in try Self.series(at: target) {
      let list = try PieceList(series, at: target)
      var span = Span(series: series, pieces: list.count, damage: list.gap)
      // What is wrong with one is no reason to say nothing of the others.
      do throws(TargetFailure) {
        if let first = list.firstStep, let last = list.lastStep {
          let begin = try piece(series, first, isEnd: true)
          let end = first == last ? begin : try piece(series, last, isEnd: true)
          span.moments = begin.at...max(begin.at, end.at)
        }
      } catch { span.damage = span.damage ?? "\(error)" }
      spans.append(span)
    }
    return spans
  }

  /// Writes the database of a moment into a new file, and compares it with what was there then. `Store.finishCopy` has the
  /// disk keep it.
  ///
  /// - Parameters:
  ///   - moment: The latest that it may be of; `nil` for all there is.
  ///   - path: Where no file is.
  /// - Throws: ``TargetFailure`` that names what is missing or damaged, and up to when a restore would go.
  public func restore(at moment: BackupMoment?, to path: String) throws(TargetFailure) -> Restored {
    let all = try Self.series(at: target)
    for (place, series) in all.enumerated().reversed() {
      // Its name tells when it began: what is damaged in a later one is not looked at.
      if let moment, let began = BackupPiece.beginning(of: series), began > moment { continue }
      let list = try PieceList(series, at: target)
      guard let first = list.firstStep else { continue }
      var reached: BackupMoment?
      do throws(TargetFailure) {
        if let moment, try piece(series, first, isEnd: true).at > moment { continue }
        return try restore(list, at: moment, to: path, &reached)
      } catch {
        guard let last = reached ?? (try? newestStep(of: all[..<place]))?.piece.at else { throw error }
        throw TargetFailure("\(error); what can be restored ends before it: --at \(last)")
      }
    }
    let when = moment.map { "of \($0) or before" } ?? "that is complete"
    throw TargetFailure("\(target.name) has no backup \(when); hearth restore --list tells what it has")
  }

  /// The newest step of some series that no piece is missing before and that is not damaged, and whether it is the last piece
  /// of the series that a restore begins with: the newest that has a step by its names.
  func newestStep(
    of series: some BidirectionalCollection<String>
  ) throws(TargetFailure) -> (piece: BackupPiece, isLast: Bool)? {
    var hasNewer = false
    for series in series.reversed() {
      let list = try PieceList(series, at: target)
      for (sequence, isEnd) in list.whole.reversed() where isEnd {
        let name = BackupPiece.name(series, sequence, isEnd: true)
        guard let bytes = try target.get(name), let step = try? BackupPiece(bytes, named: name) else { continue }
        return (step, !hasNewer && sequence == list.pieces.last?.sequence)
      }
      hasNewer = hasNewer || list.firstStep != nil
    }
    return nil
  }

  /// - Parameter reached: Gets each moment whose database stands in the file.
  private func restore(
    _ list: PieceList, at moment: BackupMoment?, to path: String, _ reached: inout BackupMoment?
  ) throws(TargetFailure) -> Restored {
    let file = try NewDatabase(path)
    defer { file.close() }
    var restored: Restored?
    var next = 0
    for (last, isEnd) in list.pieces where isEnd {
      // What follows it may be damaged, and is not wanted.
      if let moment, let done = restored, done.at == moment { break }
      // The pieces before it are looked at below: their places in the list are their numbers, unless one is missing.
      // The last piece first: it tells of which moment its step is.
      let end = try piece(list.series, last, isEnd: true)
      if let moment, end.at > moment {
        if let done = restored, end.from <= moment { restored?.together = done.at...end.at }
        break
      }
      while next < last {
        guard list.pieces[next].sequence == next else {
          throw TargetFailure("the piece \(next) of \(BackupPiece.folder)\(list.series) is missing")
        }
        try file.write(try piece(list.series, next, isEnd: false))
        next += 1
      }
      try file.write(end)
      next = last + 1
      guard file.sums.total == end.end?.sum, file.sums.count == end.pageCount else {
        throw TargetFailure("\(end.name) does not lead to the database that was there at \(end.at)")
      }
      restored = Restored(at: end.at, series: list.series, pieces: next)
      reached = end.at
    }
    guard let restored else { throw TargetFailure("the series \(list.series) of \(target.name) is not complete") }
    return restored
  }

  private func piece(_ series: String, _ sequence: Int, isEnd: Bool) throws(TargetFailure) -> BackupPiece {
    let name = BackupPiece.name(series, sequence, isEnd: isEnd)
    guard let bytes = try target.get(name) else { throw TargetFailure("\(name) is missing") }
    return try BackupPiece(bytes, named: name)
  }

  /// The newest version of a file that is kept beside the series; `nil` where there is none.
  public func latest(_ name: String) throws(TargetFailure) -> [UInt8]? {
    guard let bytes = try target.get(BackupPiece.latest(name)) else { return nil }
    guard let content = BackupPiece.unsealed(bytes) else { throw TargetFailure("latest/\(name) is damaged") }
    return content
  }

  /// The names of the series of a target, the oldest first.
  static func series(at target: any BackupTarget) throws(TargetFailure) -> [String] {
    try target.list(BackupPiece.folder).filter { $0.hasSuffix("/") }.map { String($0.dropLast()) }
      // What somebody else has put there is none.
      .filter { BackupPiece.beginning(of: $0) != nil }
  }
}

/// The pieces of a series by their names.
struct PieceList {
  let series: String
  private(set) var pieces: [(sequence: Int, isEnd: Bool)] = []
  var count: Int { pieces.count }
  var firstStep: Int? { pieces.first { $0.isEnd }?.sequence }
  var lastStep: Int? { pieces.last { $0.isEnd }?.sequence }

  init(_ series: String, at target: any BackupTarget) throws(TargetFailure) {
    self.series = series
    pieces = try target.list("\(BackupPiece.folder)\(series)/").compactMap { BackupPiece.parse(name: $0) }
      .sorted { $0.sequence < $1.sequence }
  }

  /// The pieces before the first that is missing.
  var whole: ArraySlice<(sequence: Int, isEnd: Bool)> {
    pieces.prefix(zip(0..., pieces).first { $0 != $1.sequence }?.0 ?? pieces.count)
  }

  /// Which piece is missing.
  var gap: String? { whole.count < pieces.count ? "the piece \(whole.count) is missing" : nil }
}

/// A database file that is being put together; it has its name once it is whole.
private final class NewDatabase {
  private let path: String
  private let descriptor: Int32
  private(set) var sums = PageSums()

  init(_ path: String) throws(TargetFailure) {
    self.path = path
    descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TargetFailure.last("\(path) cannot be made") }
  }

  func write(_ piece: BackupPiece) throws(TargetFailure) {
    sums.resize(piece.pageCount)
    guard ftruncate(descriptor, piece.pageCount * piece.pageSize) == 0 else {
      throw TargetFailure.last("\(path) cannot be written")
    }
    for page in piece.pages where Int(page.number) <= piece.pageCount && page.number > 0 {
      let offset = Int(page.number - 1) * piece.pageSize
      guard unsafe pwrite(descriptor, page.bytes, page.bytes.count, offset) == page.bytes.count else {
        throw TargetFailure.last("\(path) cannot be written")
      }
      sums.note(page.number, page.bytes)
    }
  }

  func close() { Glibc.close(descriptor) }
}
