/// How the text of a section is cut, so that another item in it is another piece or two, wherever it is.
enum SectionPieces {
  /// The most bytes of a text that is kept whole: two pages of SQLite.
  static let wholeBytesMax = 7_900
  /// The most bytes of a piece of several items: a page holds two, and so new ones begin a page now and then.
  static let bytesMax = 1_900
  /// From as many bytes on a piece may end.
  static let bytesMin = 700
  /// The bytes from there to the next boundary, on average.
  private static let bytesBeyond: UInt64 = 600

  /// Cuts a canonical text. The pieces one behind the other are the text again.
  ///
  /// Whether a piece ends behind an item is said by the item's bytes, so that a change moves no boundary far from it.
  static func cut(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    for item in items(of: text) {
      if item.end - start > bytesMax, item.start > start {
        pieces.append(text[start..<item.start])
        start = item.start
      }
      let chance = UInt64(UInt32.max) / bytesBeyond * UInt64(item.end - item.start)
      if item.end - start >= bytesMin, UInt64(item.hash) < chance {
        pieces.append(text[start..<item.end])
        start = item.end
      }
    }
    return pieces + (start < text.count ? [text[start...]] : [])
  }

  /// What stands between the commas of the lists of an object, and of its objects: items, mostly.
  private static func items(of text: [UInt8]) -> [(start: Int, end: Int, hash: UInt32)] {
    var items: [(start: Int, end: Int, hash: UInt32)] = []
    var (start, depth, isString, isEscaped) = (0, 0, false, false)
    // FNV-1a.
    var hash: UInt32 = 2_166_136_261
    for (place, byte) in text.enumerated() {
      hash = (hash ^ UInt32(byte)) &* 16_777_619
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 2:
        items.append((start, place + 1, hash))
        (start, hash) = (place + 1, 2_166_136_261)
      default: break
      }
    }
    items.append((start, text.count, hash))
    return items
  }
}

/// The pieces of a document in their order.
struct PieceList {
  let ids: [Int64]

  init(_ ids: [Int64] = []) { self.ids = ids }

  /// Those of a document's row; `nil` where it is whole.
  ///
  /// - Throws: ``StoreError/DatabaseFailure/corrupt`` when the list is none.
  init?(of row: Row) throws {
    guard let text = row["pieces"] as String? else { return nil }
    var ids: [Int64] = []
    for run in text.split(separator: ",") {
      let ends = run.split(separator: "-").map { Int64($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last, last - first < Self.runMax else {
        throw StoreError.database(.corrupt)
      }
      ids += first...last
    }
    self.ids = ids
  }

  /// More are in no document.
  private static let runMax: Int64 = 1_000_000

  /// As documents have it: ids that follow each other are a run. `1-40,52,42-60`.
  var text: String {
    var runs: [ClosedRange<Int64>] = []
    for id in ids {
      if let run = runs.last, run.upperBound + 1 == id {
        runs[runs.count - 1] = run.lowerBound...id
      } else {
        runs.append(id...id)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  /// The places of a statement for one of the ``batches``.
  static let places = "(\(Array(repeating: "?", count: batchSize).joined(separator: ", ")))"
  private static let batchSize = 500

  /// The ids, so many at a time as a statement has places: the last one again and again where there are fewer.
  var batches: [[SQLValue]] { ids.map(\.sql).filledParts(of: Self.batchSize) }
}
