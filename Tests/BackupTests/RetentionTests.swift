import Storage
import Testing

@testable import Backup

/// What is removed from a target, and what stays.
@Suite struct RetentionTests {
  private static let day: Int64 = 86_400_000
  private static let begin = BackupMoment(milliseconds: 1_800_000_000_000)

  private func moment(_ days: Double) -> BackupMoment {
    Self.begin.adding(milliseconds: Int64(days * Double(Self.day)))
  }

  /// A series that begins on a day, of two pieces: with one, its snapshot is not complete.
  private func series(_ kept: Kept, on day: Double, isComplete: Bool = true) throws -> String {
    let follower = try LogFollower(kept.store)
    defer { follower.close() }
    try follower.look()
    var writer = SeriesWriter(at: moment(day), after: nil, pageCount: follower.moment.pageCount)
    for most in isComplete ? [3, BackupPiece.pagesMax] : [3] {
      let piece = try writer.seal(follower, at: moment(day), pagesMax: most)
      try kept.target.put(piece.name, piece.bytes, replaces: false)
    }
    return writer.series
  }

  private func apply(_ kept: Kept, on day: Double, sparing making: Set<String> = []) throws -> [String] {
    var removed: [String] = []
    try BackupRetention(target: kept.target, daysKept: 14).apply(at: moment(day), sparing: making) {
      removed.append($0)
    }
    return removed
  }

  @Test func `each moment of the days that are kept can be restored, and nothing more is kept for it`() throws {
    let kept = try Kept()
    let all = try (0..<20).map { try series(kept, on: Double($0)) }
    for day in 0..<20 { #expect(try apply(kept, on: Double(day) * 0.7) == []) }
    // A restore to a moment on day 5 takes the series of day 5.
    #expect(try apply(kept, on: 19.5) == Array(all[0..<5].reversed()))
    #expect(try BackupRestore.series(at: kept.target) == Array(all[5...]))
    for day in stride(from: 5.5, to: 20, by: 1) {
      #expect(try kept.restored(at: moment(day)).restored.series == all[Int(day)])
    }
    #expect(try apply(kept, on: 19.5) == [])
    // Nobody sends any more: the last one stays.
    #expect(try apply(kept, on: 400) == Array(all[5..<19].reversed()))
    #expect(try kept.restored(at: nil).restored.series == all[19])
  }

  @Test func `what was left unfinished goes after a day, unless it is being made`() throws {
    let kept = try Kept()
    let whole = try series(kept, on: 0)
    let (old, made, new) = (
      try series(kept, on: 1, isComplete: false), try series(kept, on: 1.1, isComplete: false),
      try series(kept, on: 2, isComplete: false)
    )
    #expect(try apply(kept, on: 2.5, sparing: [made]) == [old])
    #expect(try BackupRestore.series(at: kept.target) == [whole, made, new])
    // It is no series that others could be removed for.
    #expect(try apply(kept, on: 400, sparing: [made]) == [new])
    #expect(try kept.restored(at: nil).restored.series == whole)
  }

  @Test func `a series that lacks a piece replaces none before it`() throws {
    let kept = try Kept()
    let all = try (0..<3).map { try series(kept, on: Double($0)) }
    try kept.target.remove(BackupPiece.name(all[2], 0, isEnd: false))
    #expect(try apply(kept, on: 30) == [all[0]])
    #expect(try kept.restored(at: moment(1)).restored.series == all[1])
  }

  @Test func `a removal that ends in the midst leaves what can be restored`() throws {
    let kept = try Kept()
    let all = try (0..<2).map { try series(kept, on: Double($0)) }
    // The last one is removed first.
    try kept.target.remove(BackupPiece.name(all[0], 1, isEnd: true))
    #expect(try BackupRestore(from: kept.target).spans().map(\.damage) == [nil, nil])
    #expect(try apply(kept, on: 30) == [all[0]])
    #expect(try BackupRestore.series(at: kept.target) == [all[1]])
  }
}
