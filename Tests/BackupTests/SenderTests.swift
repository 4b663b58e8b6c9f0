import Foundation
import GRDB
import Layout
import Logging
import Storage
import Testing

@testable import Backup

/// What a sender does when its database, its target or its process fails: all that changes is in a series, or in a gap
/// that is named.
@Suite struct SenderTests {
  private func sender(
    _ kept: Kept, _ target: any BackupTarget, files: [(name: String, path: String)] = [],
    _ change: (inout BackupSettings) -> Void = { _ in },
    clock: @escaping @Sendable () -> BackupMoment = { .now }
  ) -> BackupSender {
    var settings = BackupSettings()
    change(&settings)
    let sender = BackupSender(
      store: kept.store, target: target, settings: settings, files: files,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock)
    sender.start()
    return sender
  }

  /// Waits for what must come about, however busy the machine is.
  private func eventually(_ condition: () throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < end {
      if try condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("the condition did not come about")
  }

  /// Waits until the target has what was committed before this is called.
  private func settle(_ sender: BackupSender, after moment: BackupMoment = .now) async throws {
    try await eventually { sender.status.completeTo.map { $0 > moment } ?? false }
  }

  /// Adds rows of a page each.
  private func change(_ kept: Kept, times: Int) throws {
    for _ in 0..<times {
      try kept.writer.write { db in try db.execute(sql: "INSERT INTO things (bytes) VALUES (randomblob(3000))") }
    }
  }

  /// A process that ends without a word: nothing that it would say at its end arrives.
  private func kill(_ sender: BackupSender, _ target: ScriptedTarget) async throws {
    target.become(.fails("it is away"))
    try await eventually { sender.status.failure == "it is away" || sender.status.waitingSince == nil }
    await sender.stop()
    target.become(.works)
  }

  @Test func `what changes while the database cannot be looked at leaves together, in the same series`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    try await kept.store.claim()
    let number = try kept.changeNumber()
    let sender = sender(kept, target)
    try await settle(sender)
    let before = sender.status
    try kept.setChangeNumber(number ^ 1 << 30)
    try await eventually { sender.status.failure?.contains("overwritten") == true }
    // Others read and write on, and the log begins anew.
    try change(kept, times: 40)
    try kept.emptyLog()
    try change(kept, times: 40)
    let unseen = BackupMoment.now
    try kept.setChangeNumber(number)
    try await settle(sender)
    let after = sender.status
    #expect(after.series == before.series && after.gap == nil, "\(before), \(after)")
    #expect(try kept.restored(at: unseen, from: target).restored.together?.contains(unseen) == true)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await sender.stop()
  }

  @Test func `a piece that is on its way while the database fails arrives once`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    try await kept.store.claim()
    let number = try kept.changeNumber()
    let sender = sender(kept, target)
    try await settle(sender)
    let series = sender.status.series
    target.become(.hangs)
    try change(kept, times: 3)
    try await eventually { target.isAsked && sender.status.waitingSince != nil }
    try kept.setChangeNumber(number ^ 1 << 30)
    try await eventually { sender.status.failure?.contains("overwritten") == true }
    try change(kept, times: 3)
    target.become(.works)
    try await eventually { !target.isAsked }
    try kept.setChangeNumber(number)
    try await settle(sender)
    #expect(sender.status.series == series && sender.status.gap == nil)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await sender.stop()
  }

  @Test func `a target that never answers bounds what waits, and names the gap from what it has`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    let first = sender(kept, target)
    try await settle(first)
    let before = first.status
    try await kill(first, target)
    target.become(.hangs)
    let second = sender(kept, target) { $0.waitingBytesMax = 100_000 }
    try await eventually { target.isAsked }
    let began = BackupMoment.now
    try change(kept, times: 1)
    try await eventually { second.status.waitingBytes > 0 }
    #expect(second.status.gap == nil && second.status.completeTo == nil)
    try change(kept, times: 60)
    try await eventually { second.status.gap != nil }
    #expect(second.status.waitingBytes < 10_000_000 && second.status.waitingSince.map { $0 <= began } == true)
    target.become(.works)
    try await settle(second)
    let after = second.status
    #expect(after.series != before.series)
    let gap = try #require(after.gap)
    #expect(gap.from <= began && gap.to.map { $0 > began } == true, "\(gap), \(before)")
    #expect(try kept.restored(at: gap.from, from: target).restored.series == before.series)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await second.stop()
  }

  @Test func `where nothing was, there is no gap`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    target.become(.hangs)
    let sender = sender(kept, target) { $0.waitingBytesMax = 100_000 }
    try await eventually { target.isAsked }
    try change(kept, times: 60)
    try await eventually { sender.status.gap != nil }
    target.become(.works)
    try await settle(sender)
    #expect(sender.status.gap == nil)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await sender.stop()
  }

  @Test func `a piece that arrives after its series was given up stops nothing`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    let sender = sender(kept, target) { $0.waitingBytesMax = 100_000 }
    try await settle(sender)
    let before = sender.status
    target.become(.hangs)
    try change(kept, times: 1)
    try await eventually { target.isAsked && sender.status.waitingSince != nil }
    try change(kept, times: 60)
    try await eventually { sender.status.gap != nil }
    target.become(.works)
    try await settle(sender)
    // What waited when it could be sent again may have been more than may wait once more.
    try await eventually { sender.status.series.map { $0 != before.series } == true && sender.status.gap?.to != nil }
    #expect(try BackupRestore(from: target).spans().allSatisfy { $0.damage == nil })
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await sender.stop()
  }

  @Test func `after a stop the next start goes on with the series, whatever was written between`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    try change(kept, times: 60)
    let first = sender(kept, target)
    try await settle(first)
    await first.stop()
    let pieces = target.names.count
    try change(kept, times: 5)
    try kept.emptyLog()
    let unseen = BackupMoment.now
    try change(kept, times: 5)
    let second = sender(kept, target)
    try await settle(second)
    #expect(second.status.series == first.status.series && second.status.gap == nil)
    #expect(target.names.count <= pieces + 2, "a piece of changes")
    #expect(try kept.restored(at: unseen, from: target).restored.together?.contains(unseen) == true)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await second.stop()
    // With nothing to tell, it tells nothing.
    let names = target.names
    let third = sender(kept, target)
    try await settle(third)
    await third.stop()
    #expect(target.names == names)
  }

  @Test func `after a kill the series goes on by the log, and where that is gone the gap is named`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    let first = sender(kept, target)
    try await settle(first)
    try change(kept, times: 1)
    try await settle(first)
    try await kill(first, target)
    try change(kept, times: 2)
    let second = sender(kept, target)
    try await settle(second)
    #expect(second.status.series == first.status.series && second.status.gap == nil)
    try await kill(second, target)
    try change(kept, times: 2)
    try kept.emptyLog()
    try change(kept, times: 2)
    let unseen = BackupMoment.now
    let third = sender(kept, target)
    try await settle(third)
    #expect(third.status.series != first.status.series)
    let gap = try #require(third.status.gap)
    #expect(gap.from < unseen && gap.to.map { unseen < $0 } == true)
    #expect(try kept.restored(at: unseen, from: target).restored.at <= gap.from)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await third.stop()
  }

  @Test func `with the clock set back, the newest series is still the newest by its name`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    let first = sender(kept, target)
    try await settle(first)
    try await kill(first, target)
    try change(kept, times: 2)
    try kept.emptyLog()
    try change(kept, times: 2)
    let second = sender(kept, target, clock: { BackupMoment.now.adding(milliseconds: -3_600_000) })
    try await eventually { second.status.series.map { $0 != first.status.series } ?? false }
    try await eventually { second.status.waitingSince == nil }
    #expect(try BackupRestore.series(at: target).last == second.status.series)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await second.stop()
  }

  @Test func `a target of another database is told, and gets nothing`() async throws {
    let (kept, other, target) = (try Kept(), try Kept(), ScriptedTarget())
    let record = kept.folder + "/record"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: record))
    let first = sender(kept, target, files: [("tokens", record)])
    try await settle(first)
    await first.stop()
    let names = target.names
    try Data("another's".utf8).write(to: URL(fileURLWithPath: record))
    let second = sender(other, target, files: [("tokens", record)])
    try await eventually { second.status.failure?.contains("has the backup of another database") == true }
    #expect(second.status.reason()?.contains("are not in backup.to") == true)
    await second.stop()
    #expect(target.names == names)
    #expect(try BackupRestore(from: target).latest("tokens") == Array("mine".utf8))
  }

  @Test func `another process that sends the same piece ends the series, and the gap is named`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    let sender = sender(kept, target)
    try await settle(sender)
    let before = try #require(sender.status.series)
    let next = try PieceList(before, at: target).count
    try target.put(BackupPiece.name(before, next, isEnd: true), [1], replaces: false)
    try change(kept, times: 1)
    try await settle(sender)
    #expect(sender.status.series != before && sender.status.gap?.to != nil)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await sender.stop()
  }

  @Test func `what a target has lost is named by a restore and found by the next start`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    let first = sender(kept, target)
    try await settle(first)
    for _ in 0..<3 {
      try change(kept, times: 1)
      try await settle(first)
    }
    await first.stop()
    let names = target.names.filter { $0.hasPrefix("series/") }
    let lost = try #require(names.dropLast(2).last)
    target.lose(lost)
    let number = names.count - 3
    #expect(throws: TargetFailure.self) { try kept.restored(at: nil, from: target) }
    #expect(try BackupRestore(from: target).spans().first?.damage == "the piece \(number) is missing")
    let second = sender(kept, target)
    try await settle(second)
    #expect(second.status.series != first.status.series && second.status.gap?.to != nil)
    #expect(try kept.restored(at: nil, from: target).content == kept.content())
    await second.stop()
  }

  @Test func `a target that is emptied under a sender is no place for a new series`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    let sender = sender(kept, target) { $0.waitingBytesMax = 100_000 }
    try await settle(sender)
    target.become(.fails("No space left on device"))
    try change(kept, times: 60)
    // More than may wait is found by one thread, what the target says by the other.
    try await eventually { sender.status.gap != nil && sender.status.failure == "No space left on device" }
    for name in target.names { target.lose(name) }
    target.become(.works)
    try await eventually { sender.status.failure?.contains("has lost latest/database; is its disk mounted?") == true }
    #expect(target.names.allSatisfy { !BackupPiece.isFirst($0) })
    await sender.stop()
  }

  @Test func `a stop ends though the target never answers`() async throws {
    let (kept, target) = (try Kept(), ScriptedTarget())
    let sender = sender(kept, target)
    try await settle(sender)
    target.become(.hangs)
    try change(kept, times: 1)
    try await eventually { target.isAsked }
    await sender.stop()
    #expect(target.isAsked)
    target.become(.works)
  }
}
