/// A 64-bit hash of byte runs for a handler's own tables, seeded anew in each process so that clients cannot choose
/// requests that collide. It speeds a look-up up; the bytes still have to be compared.
public struct ByteHash: Sendable {
  /// The hash of what was combined so far.
  public private(set) var value: UInt64

  private static let seed = UInt64.random(in: .min ... .max)

  /// A hash of nothing.
  public init() {
    value = Self.seed
  }

  /// Adds a run of bytes, its length included: `ab`, `c` and `a`, `bc` differ.
  public mutating func combine(_ bytes: Span<UInt8>) {
    let raw = unsafe bytes.bytes
    var index = 0
    while index &+ 8 <= bytes.count {
      mix(unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      index = index &+ 8
    }
    var last: UInt64 = 0
    while index < bytes.count {
      last = last &<< 8 | UInt64(bytes[index])
      index = index &+ 1
    }
    mix(last)
    mix(UInt64(truncatingIfNeeded: bytes.count))
  }

  /// Multiplying to 128 bits and folding the halves spreads each bit of the word over all of the hash.
  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    let product = (value ^ word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = product.high ^ product.low ^ value.byteSwapped
  }
}
