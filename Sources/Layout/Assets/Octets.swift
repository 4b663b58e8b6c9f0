/// Bytes that are read at places which they may not have.
struct Octets {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func has(_ wanted: [UInt8], at place: Int) -> Bool {
    place >= 0 && place + wanted.count <= bytes.count && bytes[place..<(place + wanted.count)].elementsEqual(wanted)
  }

  func has(_ wanted: String, at place: Int) -> Bool { has(Array(wanted.utf8), at: place) }

  /// A number, its greatest octet first.
  func big(_ length: Int, at place: Int) -> Int? {
    guard place >= 0, place + length <= bytes.count else { return nil }
    return bytes[place..<(place + length)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A number, its least octet first.
  func little(_ length: Int, at place: Int) -> Int? {
    guard place >= 0, place + length <= bytes.count else { return nil }
    return bytes[place..<(place + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Calls `body` with the boxes of ISO base media that stand side by side.
  func forEachBox(from start: Int, to end: Int, _ body: (String, Range<Int>) -> Void) {
    var at = start
    while let length = big(4, at: at), at + 8 <= end {
      // 0 is up to the end; what has 64 bits is media, which no head needs.
      let size = length == 0 ? end - at : length
      guard size >= 8, at + size <= end else { return }
      body(String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self), (at + 8)..<(at + size))
      at += size
    }
  }

  /// The first box with a name, among siblings.
  func box(_ wanted: String, from start: Int, to end: Int) -> Range<Int>? {
    var found: Range<Int>?
    forEachBox(from: start, to: end) { name, body in if name == wanted, found == nil { found = body } }
    return found
  }
}
