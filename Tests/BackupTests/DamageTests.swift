import Foundation
import SeededRandom
import Storage
import Testing

@testable import Backup

/// What is wrong with a target is named, with what can be restored all the same.
@Suite struct DamageTests {
  /// A series of five steps, and when each was.
  private func series() throws -> (kept: Kept, names: [String], moments: [BackupMoment]) {
    var random = SeededGenerator(seed: 1)
    let kept = try Kept()
    let follower = try LogFollower(kept.store)
    try follower.look()
    var writer = SeriesWriter(at: kept.tick(), after: nil, pageCount: follower.moment.pageCount)
    var (names, moments): ([String], [BackupMoment]) = ([], [])
    for _ in 0..<5 {
      for _ in 0..<5 { try kept.change(&random) }
      try follower.look()
      writer.note(follower.takeChanged(), pageCount: follower.moment.pageCount, at: kept.tick())
      let piece = try writer.seal(follower, at: kept.tick())
      try kept.target.put(piece.name, piece.bytes, replaces: false)
      names.append(piece.name)
      moments.append(try #require(piece.completeTo))
    }
    follower.close()
    return (kept, names, moments)
  }

  private func refusal(_ kept: Kept, at moment: BackupMoment? = nil) -> String {
    do {
      _ = try kept.restored(at: moment)
      return ""
    } catch { return "\(error)" }
  }

  @Test func `a piece that is missing is named, and what is before it can be restored`() throws {
    let (kept, names, moments) = try series()
    try kept.target.remove(names[2])
    let folder = names[2].split(separator: "/").dropLast().joined(separator: "/")
    #expect(
      refusal(kept)
        == "the piece 2 of \(folder) is missing; what can be restored ends before it: --at \(moments[1])")
    #expect(try kept.restored(at: moments[1]).restored.at == moments[1])
    #expect(try BackupRestore(from: kept.target).spans().first?.damage == "the piece 2 is missing")
  }

  @Test(arguments: [0, 1, 60, 200, 3_000]) func `a piece that is changed or cut anywhere is named`(offset: Int) throws {
    let (kept, names, moments) = try series()
    let bytes = try #require(try kept.target.get(names[3]))
    var changed = bytes
    changed[min(offset, bytes.count - 1)] ^= 1
    for damaged in [changed, Array(bytes.prefix(min(offset, bytes.count - 1))), bytes + [0]] {
      try kept.target.put(names[3], damaged, replaces: true)
      #expect(refusal(kept).hasPrefix("\(names[3]) is damaged or cut short; what can be restored ends before it"))
      #expect(try kept.restored(at: moments[2]).restored.at == moments[2])
    }
    try kept.target.put(names[3], bytes, replaces: true)
    #expect(refusal(kept) == "")
  }

  @Test func `a piece of another series in its place is named`() throws {
    let (kept, names, _) = try series()
    let (other, others, _) = try series()
    try kept.target.put(names[4], try #require(try other.target.get(others[4])), replaces: true)
    #expect(refusal(kept).hasPrefix("\(names[4]) is not what this program writes"))
  }

  @Test func `a piece that is whole and holds something else is found by the sum`() throws {
    let (kept, names, _) = try series()
    var piece = try BackupPiece(try #require(try kept.target.get(names[4])), named: names[4])
    piece.pages[0].bytes[100] ^= 1
    try kept.target.put(names[4], piece.bytes, replaces: true)
    #expect(refusal(kept).contains("does not lead to the database that was there"))
  }

  @Test func `a damaged series hides none before it, and what is no series is passed over`() throws {
    let (kept, _, moments) = try series()
    let last = try #require(moments.last)
    try FileManager.default.createDirectory(
      atPath: kept.folder + "/target/series/新建文件夹 (2)", withIntermediateDirectories: false)
    let later = BackupPiece.seriesName(at: last.adding(milliseconds: 60_000))
    let name = BackupPiece.name(later, 0, isEnd: true)
    try kept.target.put(name, Array("something else".utf8), replaces: false)
    #expect(refusal(kept) == "\(name) is damaged or cut short; what can be restored ends before it: --at \(last)")
    #expect(try kept.restored(at: last).restored.at == last)
    let spans = try BackupRestore(from: kept.target).spans()
    #expect(spans.map(\.damage) == [nil, "\(name) is damaged or cut short"])
    #expect(spans.first?.moments?.upperBound == last)
  }

  @Test func `a piece is never replaced by another`() throws {
    let (kept, names, _) = try series()
    let bytes = try #require(try kept.target.get(names[1]))
    try kept.target.put(names[1], bytes, replaces: false)
    #expect(throws: TargetFailure.self) { try kept.target.put(names[1], bytes + [1], replaces: false) }
    #expect(try kept.target.get(names[1]) == bytes)
  }

  @Test func `a folder that has gone is no empty folder`() throws {
    let (kept, names, _) = try series()
    try FileManager.default.moveItem(atPath: kept.folder + "/target", toPath: kept.folder + "/moved")
    #expect(refusal(kept).hasPrefix("the folder \(kept.folder)/target is not there"))
    // Its mount point is there.
    try FileManager.default.createDirectory(atPath: kept.folder + "/target", withIntermediateDirectories: false)
    #expect(throws: TargetFailure.self) { try kept.target.put(names[1], [1], replaces: false) }
    #expect(refusal(kept).contains("has no backup that is complete"))
  }

  @Test(arguments: ["2027-01-15T08:00:00Z", "2027-01-15T08:00:00.000Z", "2027-01-15T16:00:00.0+08:00"])
  func `moments are written as RFC 3339 has them`(text: String) {
    #expect(BackupMoment(text)?.milliseconds == 1_800_000_000_000)
    #expect(BackupMoment(milliseconds: 1_800_000_000_007).description == "2027-01-15T08:00:00.007Z")
    #expect(BackupMoment("2027-01-15T08:00:00.25Z")?.milliseconds == 1_800_000_000_250)
    for wrong in ["2027-01-15", "2027-01-15T08:00:00", "2027-01-15T08:00:00.Z", "2027-01-15T08:00:00.1234Z", "now"] {
      #expect(BackupMoment(wrong) == nil, "\(wrong)")
    }
  }
}
