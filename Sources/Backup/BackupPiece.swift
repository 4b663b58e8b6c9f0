import Compression
import Crypto
import JSON
import Layout
import Storage

/// An object of a series: some pages of the database.
///
/// A step of a series is one piece or several, of which the last says that the database is whole with them: what it held
/// at a moment. The first step has all pages, a snapshot; each other one those that have changed since.
///
/// As bytes: a line with the SHA-256 of all that follows it, a line of JSON that describes the piece, and as a gzip
/// member the pages, each after its number, perhaps with the sums of all pages after them.
struct BackupPiece: Equatable {
  /// What the last piece of a step says.
  struct End: Equatable {
    /// The sum of all pages (``PageSums``).
    var sum: UInt64
    /// Where the database's log ended.
    var position: LogFollower.Position?
    /// What each page holds, in the step that a process ends with: by it the next one knows which have changed since.
    var pageSums: [UInt64]?
  }

  struct Page: Equatable {
    var number: UInt32
    var bytes: [UInt8]
  }

  /// Which series it is of.
  var series: String
  /// Its number in the series, from 0 on, without a gap.
  var sequence: Int
  /// Until then the database was as the step before says.
  var from: BackupMoment
  /// Every change that was committed before is in it, or in the pieces before; of those right after it, some may be.
  var at: BackupMoment
  /// The bytes of a page.
  var pageSize: Int
  /// The pages of the database.
  var pageCount: Int
  /// `nil` where more pieces of the step follow.
  var end: End?
  var pages: [Page]

  /// The most pages of a piece.
  static let pagesMax = 2_048
  /// The most sums of a piece: of a database of 8 GiB.
  static let pageSumsMax = 2_097_152
  private static let firstWords = "hearth-backup 1 "

  /// The name of a series that begins at a moment.
  static func seriesName(at moment: BackupMoment) -> String {
    let time = moment.instant.description.replacing(":", with: "")
    return "\(time)-\(String(UInt32.random(in: .min ... .max) | 1 << 31, radix: 16))"
  }

  /// When a series began, by its name.
  static func beginning(of series: String) -> BackupMoment? {
    // 2026-11-27T021500Z-…
    guard series.utf8.count > 18, series.utf8.prefix(18).allSatisfy({ $0 < 0x80 }) else { return nil }
    var text = String(series.prefix(18))
    for offset in [15, 13] { text.insert(":", at: text.index(text.startIndex, offsetBy: offset)) }
    return BackupMoment(text)
  }

  /// The folder of a target that has the series.
  static let folder = "series/"

  /// What is kept beside the series, in its newest version.
  static func latest(_ name: String) -> String { "latest/\(name)" }

  /// Whether a name is that of a series' first piece.
  static func isFirst(_ name: String) -> Bool { name.hasPrefix(folder) && name.contains("/0000000000.") }

  /// Its name at the target.
  var name: String { Self.name(series, sequence, isEnd: end != nil) }

  static func name(_ series: String, _ sequence: Int, isEnd: Bool) -> String {
    let digits = String(sequence)
    let padded = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    return "\(folder)\(series)/\(padded).\(isEnd ? "step" : "part")"
  }

  /// The number and the kind that a name in a series' folder has; `nil` for other files.
  static func parse(name: String) -> (sequence: Int, isEnd: Bool)? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count >= 10, let sequence = Int(parts[0]), sequence >= 0,
      parts[1] == "step" || parts[1] == "part"
    else { return nil }
    return (sequence, parts[1] == "step")
  }

  /// Some bytes after a line that tells whether they are whole.
  static func sealed(_ content: [UInt8]) -> [UInt8] {
    Array("\(firstWords)\(Fingerprint.of(content))\n".utf8) + content
  }

  /// What follows that line; `nil` where it is not what was sealed.
  static func unsealed(_ bytes: [UInt8]) -> [UInt8]? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let content = Array(bytes[(end + 1)...])
    return sealed(content).prefix(end) == bytes[..<end] ? content : nil
  }

  var bytes: [UInt8] {
    var head: JSONObject = [
      "series": .string(series), "sequence": .count(sequence), "from": .string(from.description),
      "at": .string(at.description), "pageSize": .count(pageSize), "pageCount": .count(pageCount),
      "pages": .count(pages.count),
    ]
    if let end {
      head["sum"] = .string(String(end.sum, radix: 16))
      if let position = end.position {
        head["log"] = [
          "salt": .string(position.salt), "frame": .count(position.frame), "checksum": .string(position.checksum),
        ]
      }
      if end.pageSums != nil { head["sums"] = true }
    }
    var content: [UInt8] = []
    content.reserveCapacity(pages.count * (pageSize + 4))
    for page in pages { content += page.number.bytes + page.bytes }
    for sum in end?.pageSums ?? [] { content += sum.bytes }
    return Self.sealed(JSON.object(head).canonicalBytes + [UInt8(ascii: "\n")] + Gzip.compress(content, level: 4))
  }
}

extension BackupPiece {
  /// What somebody has kept as bytes.
  ///
  /// - Throws: ``TargetFailure`` that names what is wrong with it.
  init(_ bytes: [UInt8], named name: String) throws(TargetFailure) {
    guard let content = Self.unsealed(bytes) else { throw TargetFailure("\(name) is damaged or cut short") }
    let line = content.prefix { $0 != UInt8(ascii: "\n") }
    guard let head = try? JSON.parse(Array(line)),
      let piece = Self.described(by: head, content.dropFirst(line.count + 1)),
      piece.name == name
    else { throw TargetFailure("\(name) is not what this program writes") }
    self = piece
  }

  private static func described(by head: JSON, _ packed: ArraySlice<UInt8>) -> BackupPiece? {
    guard let series = head["series"]?.string, let sequence = head["sequence"]?.int,
      let from = head["from"]?.string.flatMap(BackupMoment.init(_:)),
      let at = head["at"]?.string.flatMap(BackupMoment.init(_:)), let pageSize = head["pageSize"]?.int,
      (512...65_536).contains(pageSize), let pageCount = head["pageCount"]?.int, pageCount > 0,
      let count = head["pages"]?.int, (0...pagesMax).contains(count)
    else { return nil }
    let sumCount = head["sums"]?.bool == true ? min(pageCount, pageSumsMax) : 0
    let size = count * (pageSize + 4) + sumCount * 8
    guard let content = Gzip.unpack(Array(packed), bytesMax: size), content.count == size else { return nil }
    var end: End?
    if let text = head["sum"]?.string {
      guard let sum = UInt64(text, radix: 16) else { return nil }
      end = End(sum: sum)
      if let log = head["log"] {
        guard let salt = log["salt"]?.string, let frame = log["frame"]?.int, let checksum = log["checksum"]?.string
        else {
          return nil
        }
        end?.position = LogFollower.Position(salt: salt, frame: frame, checksum: checksum)
      }
      if sumCount > 0 {
        let sums = stride(from: size - sumCount * 8, to: size, by: 8).map { UInt64(bytes: content[$0..<$0 + 8]) }
        guard sums.count == pageCount, sums.reduce(0, ^) == end?.sum else { return nil }
        end?.pageSums = sums
      }
    }
    let pages = (0..<count).map { index in
      let start = index * (pageSize + 4)
      return Page(
        number: UInt32(bytes: content[start..<start + 4]),
        bytes: Array(content[start + 4..<start + 4 + pageSize]))
    }
    return BackupPiece(
      series: series, sequence: sequence, from: from, at: at, pageSize: pageSize, pageCount: pageCount, end: end,
      pages: pages)
  }
}

/// A sum of what all pages of a database hold, which changes with any of them: by it a restored database is compared
/// with the one that was there.
struct PageSums: Equatable {
  /// Of each page; 0 of one that was never taken in.
  private(set) var sums: [UInt64] = []
  /// Of all pages: the exclusive or of each one's.
  private(set) var total: UInt64

  var count: Int { sums.count }

  /// Of sums that somebody has kept.
  init(_ sums: [UInt64] = []) { (self.sums, total) = (sums, sums.reduce(0, ^)) }

  /// The pages of both that hold something else in the other.
  func pages(otherThan other: PageSums) -> Set<UInt32> {
    Set((0..<min(count, other.count)).filter { sums[$0] != other.sums[$0] }.map { UInt32($0 + 1) })
  }

  /// Takes in how many pages there are now.
  mutating func resize(_ count: Int) {
    while sums.count > count, let last = sums.popLast() { total ^= last }
    if sums.count < count { sums += [UInt64](repeating: 0, count: count - sums.count) }
  }

  /// Takes in what a page holds now; `number` is at most ``count``.
  mutating func note(_ number: UInt32, _ bytes: [UInt8]) {
    let index = Int(number) - 1
    var hash = SHA256()
    hash.update(data: number.bytes)
    hash.update(data: bytes)
    let sum = UInt64(bytes: hash.finalize().prefix(8))
    total ^= sums[index] ^ sum
    sums[index] = sum
  }
}

extension FixedWidthInteger {
  /// The most significant first.
  fileprivate var bytes: [UInt8] {
    stride(from: bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }

  fileprivate init(bytes: some Sequence<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Self($1) } }
}
