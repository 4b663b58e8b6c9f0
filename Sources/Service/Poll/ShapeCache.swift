import HTTPServer
import Layout
import Publication

/// Finds what a request asks for by its bytes, so that a shape seen before is neither parsed nor decided again.
///
/// The shape is everything that the choice of a variant depends on: path, query and `Accept-Language`. A table of the
/// two-way set-associative kind: a full pair gives up the one that was found longer ago.
struct ShapeCache {
  /// One shape, what it asks for, and what it is served.
  final class Entry {
    let hash: UInt64
    let path: [UInt8]
    let query: [UInt8]
    let language: [UInt8]
    let page: String
    let resource: Resource
    let client: ClientAttributes
    var variant: ServedVariant

    init(
      _ request: borrowing Request, hash: UInt64, page: String, resource: Resource, client: ClientAttributes,
      variant: ServedVariant
    ) {
      self.hash = hash
      path = request.path.array
      query = request.query.array
      language = request.value(.acceptLanguage).array
      self.page = page
      self.resource = resource
      self.client = client
      self.variant = variant
    }
  }

  private var slots: [Entry?]
  private let mask: Int

  /// A cache of so many shapes, rounded up to a power of two.
  init(capacity: Int) {
    let size = max(2, capacity.nextPowerOfTwo)
    slots = Array(repeating: nil, count: size)
    mask = size - 1
  }

  static func hash(_ request: borrowing Request) -> UInt64 {
    var hash = ByteHash()
    hash.combine(request.path)
    hash.combine(request.query)
    hash.combine(request.value(.acceptLanguage))
    return hash.value
  }

  /// The entry of a request's shape.
  mutating func find(_ request: borrowing Request, hash: UInt64) -> Entry? {
    let first = Int(truncatingIfNeeded: hash) & mask & ~1
    if let entry = slots[first], Self.matches(entry, request, hash) { return entry }
    guard let entry = slots[first | 1], Self.matches(entry, request, hash) else { return nil }
    slots.swapAt(first, first | 1)
    return entry
  }

  mutating func insert(_ entry: Entry) {
    let first = Int(truncatingIfNeeded: entry.hash) & mask & ~1
    if slots[first] != nil { slots[first | 1] = slots[first] }
    slots[first] = entry
  }

  mutating func removeAll() {
    for index in slots.indices { slots[index] = nil }
  }

  private static func matches(_ entry: Entry, _ request: borrowing Request, _ hash: UInt64) -> Bool {
    entry.hash == hash && equal(request.path, entry.path) && equal(request.query, entry.query)
      && equal(request.value(.acceptLanguage), entry.language)
  }

  private static func equal(_ sent: borrowing Span<UInt8>, _ kept: [UInt8]) -> Bool { sent.equals(kept.span) }
}

extension Int {
  /// The least power of two that is not less.
  fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
