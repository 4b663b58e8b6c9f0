import CZlib

extension Gzip {
  /// Bytes compressed by themselves, to be joined with others to one gzip member (RFC 1952).
  public struct Fragment: Sendable {
    /// Deflate blocks (RFC 1951) that end at a byte and refer to nothing before them.
    let blocks: [UInt8]
    /// The CRC-32 of the bytes.
    let checksum: UInt
    /// How many bytes there are uncompressed.
    let size: Int

    /// Compresses bytes.
    public init(_ bytes: [UInt8]) {
      size = bytes.count
      checksum = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe crc32(0, input.baseAddress, UInt32(input.count))
      }
      // 15 bits of window, negative: no header and no trailer.
      blocks = Gzip.deflated(bytes, windowBits: -15, flush: Z_FULL_FLUSH)
    }
  }

  private static let comma = Fragment([UInt8(ascii: ",")])

  /// One gzip member of a head, parts with commas between them, and a tail.
  public static func join(_ head: Fragment, _ parts: [Fragment], _ tail: Fragment) -> [UInt8] {
    let pieces = [head] + parts.enumerated().flatMap { $0 == 0 ? [$1] : [comma, $1] } + [tail]
    // The magic number, deflate, no flags, no time, the best compression, Unix.
    var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3]
    member.reserveCapacity(member.count + pieces.reduce(10) { $0 + $1.blocks.count })
    var checksum: UInt = 0
    var size = 0
    for piece in pieces {
      member += piece.blocks
      checksum = crc32_combine(checksum, piece.checksum, piece.size)
      size += piece.size
    }
    // An empty last block.
    member += [0x03, 0x00]
    for value in [UInt32(truncatingIfNeeded: checksum), UInt32(truncatingIfNeeded: size)] {
      for shift in stride(from: 0, to: 32, by: 8) { member.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }
    return member
  }
}
