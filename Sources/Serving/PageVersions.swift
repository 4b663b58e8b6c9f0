import Layout
import Synchronization

/// Makes the versions of large pages. Where a page begins with the same sections as the last one that was hashed, the hash
/// goes on from behind them: of an edit in the middle of five megabytes half of the time is left.
final class PageVersions: Sendable {
  /// Whoever serves a part keeps it, not this.
  private struct Seen { weak var part: SectionParts.Part? }

  /// A page that was hashed: how it begins, and the hash at some places in it.
  private struct Hashed {
    var head: [UInt8]
    var parts: [Seen]
    /// The hash before the parts 0, 16, 32 and so on.
    var marks: [PieceHash]
  }

  /// The parts between two marks.
  private static let stride = 16
  private static let comma = [UInt8(ascii: ",")]

  private let last = Mutex<Hashed?>(nil)

  /// The version of a page: 16 hexadecimal digits of the SHA-256 of its frame, without a version, and its parts.
  func version(of frame: (head: [UInt8], tail: [UInt8]), _ parts: [SectionParts.Part]) -> String {
    let before = last.withLock { $0 }
    var same = 0
    if let before, before.head == frame.head {
      same = zip(before.parts, parts).prefix { $0.part === $1 }.count
    }
    // A mark in front of parts that are the same holds for this page, too.
    var marks = Array((before?.marks ?? []).prefix(same == 0 ? 0 : same / Self.stride + 1))
    var hash = marks.last ?? PieceHash()
    let start = marks.isEmpty ? 0 : (marks.count - 1) * Self.stride
    if marks.isEmpty {
      hash.update(frame.head)
      marks.append(hash)
    }
    for (position, part) in parts.enumerated().dropFirst(start) {
      if position > start, position.isMultiple(of: Self.stride) { marks.append(hash) }
      if position > 0 { hash.update(Self.comma) }
      hash.update(part.bytes)
    }
    hash.update(frame.tail)
    let hashed = Hashed(head: frame.head, parts: parts.map { Seen(part: $0) }, marks: marks)
    last.withLock { $0 = hashed }
    return String(hash.fingerprint.prefix(16))
  }
}
