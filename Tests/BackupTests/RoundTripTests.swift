import Foundation
import GRDB
import SeededRandom
import Storage
import Synchronization
import Testing

@testable import Backup

/// A restore is what was there: for random changes, checkpoints, readers and ends of the process.
@Suite struct RoundTripTests {
  @Test(arguments: 0..<UInt64(Trials.count(100)))
  func `a restore of any moment is the database as it was then`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let kept = try Kept()
    var copies: [(at: BackupMoment, content: String)] = []
    var follower = try LogFollower(kept.store)
    try follower.look()
    var writer = SeriesWriter(at: kept.tick(), after: nil, pageCount: follower.moment.pageCount)
    var readers: [DatabaseQueue] = []

    /// Sends a piece; the changes between the pieces of one step make it long.
    func send(closes: Bool = false) throws {
      try follower.look()
      writer.note(follower.takeChanged(), pageCount: follower.moment.pageCount, at: kept.clock)
      guard writer.waitingCount > 0 || closes else { return }
      let most = closes ? BackupPiece.pagesMax : Int.random(in: 1...300, using: &random)
      let piece = try writer.seal(follower, at: kept.tick(), pagesMax: most, closes: closes)
      try kept.target.put(piece.name, piece.bytes, replaces: false)
      if let moment = piece.completeTo { copies.append((moment, try kept.content())) }
    }

    for _ in 0..<150 {
      switch Int.random(in: 0..<21, using: &random) {
      case 0..<10: for _ in 0..<Int.random(in: 1...8, using: &random) { try kept.change(&random) }
      case 10..<15: try send()
      case 15:
        let mode = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"].randomElement(using: &random) ?? ""
        try kept.writer.writeWithoutTransaction { db in
          do { _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(mode))") } catch let error as DatabaseError {
            #expect([.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode))
          }
        }
      case 16:
        // Somebody who reads for long.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: kept.database, configuration: configuration)
        try reader.writeWithoutTransaction { db in
          try db.execute(sql: "BEGIN")
          _ = try Row.fetchOne(db, sql: "SELECT count(*) FROM things")
        }
        readers.append(reader)
        if readers.count > 2 {
          let first = readers.removeFirst()
          try first.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
          try first.close()
        }
      case 17:
        // The process ends, perhaps in the midst of a step, or as it should. Others write, and the next one goes on.
        let isClosed = Bool.random(using: &random)
        if isClosed { while !writer.isClosed { try send(closes: true) } }
        follower.close()
        for _ in 0..<Int.random(in: 0...3, using: &random) { try kept.change(&random) }
        follower = try LogFollower(kept.store)
        try follower.look()
        let newest = try BackupRestore.series(at: kept.target).last ?? writer.series
        let list = try PieceList(newest, at: kept.target)
        var next: SeriesWriter?
        if let last = list.pieces.last, last.isEnd, newest == writer.series {
          let name = BackupPiece.name(newest, last.sequence, isEnd: true)
          let bytes = try #require(try kept.target.get(name))
          next = try SeriesWriter(after: BackupPiece(bytes, named: name), follower)
        }
        #expect(!isClosed || next != nil, "seed \(seed): after an end as it should be, a series goes on")
        // A series that is not complete has no later one for the same second in its name.
        if next == nil { for _ in 0..<100 { _ = kept.tick() } }
        writer = next ?? SeriesWriter(at: kept.tick(), after: copies.last?.at, pageCount: follower.moment.pageCount)
      case 18:
        // Nobody looks for a while.
        follower.close()
        for _ in 0..<Int.random(in: 0...9, using: &random) { try kept.change(&random) }
        follower = try LogFollower(kept.store)
        try follower.look()
        try writer.note(changesTo: PageSums(follower), at: kept.clock)
      default: try follower.look()
      }
    }
    while writer.waitingCount > 0 { try send() }
    try send()
    #expect(try writer.total == PageSums(follower).total)
    follower.close()
    #expect(copies.count > 3)
    for (at, content) in copies {
      let found = try kept.restored(at: at)
      #expect(found.restored.at == at && found.content == content, "seed \(seed), \(at)")
    }
    #expect(try kept.restored(at: nil).content == kept.content())
    let first = try #require(copies.first?.at)
    #expect(throws: TargetFailure.self) { try kept.restored(at: first.adding(milliseconds: -1)) }
  }

  @Test func `nothing is missed while somebody writes as fast as the disk lets`() throws {
    let kept = try Kept()
    let follower = try LogFollower(kept.store)
    try follower.look()
    var writer = SeriesWriter(at: .now, after: nil, pageCount: follower.moment.pageCount)
    let isOver = Atomic(false)
    let database = kept.database
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var random = SeededGenerator(seed: 7)
      let other = try? DatabaseQueue(path: database)
      for number in 0..<3_000 {
        let bytes = Data((0..<Int.random(in: 10...6_000, using: &random)).map { UInt8(truncatingIfNeeded: $0) })
        try? other?.writeWithoutTransaction { db in
          // As an embedded server would: SQLite moves its log whenever it likes.
          try db.execute(sql: "PRAGMA synchronous = OFF")
          try db.execute(
            sql: "INSERT OR REPLACE INTO things VALUES (?, ?)", arguments: [number % 300, bytes])
        }
      }
      try? other?.close()
      isOver.store(true, ordering: .releasing)
      done.signal()
    }
    var framesMax = 0
    var steps = 0
    repeat {
      try follower.look()
      framesMax = max(framesMax, follower.moment.position?.frame ?? 0)
      writer.note(follower.takeChanged(), pageCount: follower.moment.pageCount, at: .now)
      guard writer.waitingCount > 0 else { continue }
      let piece = try writer.seal(follower, at: .now, pagesMax: 200)
      try kept.target.put(piece.name, piece.bytes, replaces: false)
      if piece.completeTo != nil {
        steps += 1
        #expect(try writer.total == PageSums(follower).total)
      }
    } while !isOver.load(ordering: .acquiring)
    done.wait()
    while true {
      try follower.look()
      writer.note(follower.takeChanged(), pageCount: follower.moment.pageCount, at: .now)
      guard writer.waitingCount > 0 else { break }
      let piece = try writer.seal(follower, at: .now)
      try kept.target.put(piece.name, piece.bytes, replaces: false)
    }
    follower.close()
    #expect(steps > 2)
    // About 6,000 frames were written: without the turns the log would have all of them.
    #expect(framesMax < 4_000, "the log grew to \(framesMax) frames")
    #expect(try kept.restored(at: nil).content == kept.content())
  }
}
