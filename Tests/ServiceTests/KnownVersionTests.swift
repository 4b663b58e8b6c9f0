import Layout
import Storage
import Testing

@testable import Serving

/// The versions that clients may still hold: strangers can make them, so that each byte of them is counted.
@Suite struct KnownVersionTests {
  private static func version(_ number: Int, of lineage: Int, outcome: Int = 100) -> KnownVersion {
    KnownVersion(
      page: "home", lineage: "lineage \(lineage)", version: "version \(number) of \(lineage)", revision: number,
      outcome: "en:" + String(repeating: "0", count: outcome), at: Instant(secondsSinceEpoch: 0))
  }

  private static func isKnown(_ number: Int, of lineage: Int, _ versions: KnownVersions) -> Bool {
    versions.origin(of: "version \(number) of \(lineage)", "home") != nil
  }

  @Test(arguments: [10, 100, 10_000])
  func `all that is known takes an eighth of the budget at most, and is counted in it`(outcome: Int) {
    let budget = ByteBudget(bytesMax: 1_048_576)
    let versions = KnownVersions(keep: 8, budget: budget)
    for number in 1...3 {
      for lineage in 0..<2_000 {
        versions.note(Self.version(number, of: lineage, outcome: outcome))
        #expect(budget.bytes <= budget.bytesMax / 8)
      }
    }
    #expect(versions.bytes == budget.bytes)
    #expect(budget.bytes > budget.bytesMax / 16)
    #expect(Self.isKnown(3, of: 1_999, versions))
    #expect(!Self.isKnown(3, of: 0, versions))
  }

  @Test func `those that had nothing new for the longest go first, and the last of each stay`() {
    let budget = ByteBudget(bytesMax: 1_048_576 * 64)
    let versions = KnownVersions(keep: 2, lineagesMax: 10, budget: budget)
    for lineage in 0..<10 { versions.note(Self.version(1, of: lineage)) }
    for number in 2...4 { versions.note(Self.version(number, of: 0)) }
    #expect((1...4).map { Self.isKnown($0, of: 0, versions) } == [false, false, true, true])
    for lineage in 10..<15 { versions.note(Self.version(1, of: lineage)) }
    #expect(Self.isKnown(4, of: 0, versions))
    #expect(!Self.isKnown(1, of: 1, versions))
    #expect(Self.isKnown(1, of: 14, versions))
    let bytes = versions.bytes
    versions.note(Self.version(4, of: 0))
    versions.note(Self.version(1, of: 14))
    #expect(versions.bytes == bytes)
    #expect(budget.bytes == bytes)
  }

  @Test func `what is not saved waits in the same bound, and is saved once`() {
    let versions = KnownVersions(keep: 8, lineagesMax: 100, budget: ByteBudget(bytesMax: 1_048_576 * 64))
    versions.load([Self.version(1, of: 1_000_000)])
    #expect(versions.unsaved.versions.isEmpty)
    // History is cut, or the database is locked, for as long as a stranger likes.
    for lineage in 0..<10_000 { versions.note(Self.version(1, of: lineage)) }
    let (unsaved, last) = versions.unsaved
    #expect(unsaved.count <= 100)
    #expect(unsaved.last == Self.version(1, of: 9_999))
    versions.note(Self.version(2, of: 9_999))
    versions.markSaved(upTo: last)
    #expect(versions.unsaved.versions == [Self.version(2, of: 9_999)])
    versions.markSaved(upTo: versions.unsaved.last)
    #expect(versions.unsaved.versions.isEmpty)
  }
}
