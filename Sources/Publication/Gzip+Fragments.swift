import CZlib

extension Gzip {
  /// Bytes compressed by themselves, to be joined with others to one gzip member (RFC 1952).
  struct Fragment: Sendable {
    /// Deflate blocks (RFC 1951) that end at a byte and refer to nothing before them.
    let blocks: [UInt8]
    /// The CRC-32 of the bytes.
    let checksum: UInt
    /// How many bytes there are uncompressed.
    let size: Int

    init(_ bytes: [UInt8]) {
      size = bytes.count
      checksum = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe crc32(0, input.baseAddress, UInt32(input.count))
      }
      blocks = Gzip.deflateFragment(bytes)
    }
  }

  private static let comma = Fragment([UInt8(ascii: ",")])

  /// One gzip member of a head, parts with commas between them, and a tail.
  static func join(_ head: Fragment, _ parts: [Fragment], _ tail: Fragment) -> [UInt8] {
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

  /// Deflate blocks of some bytes, ended by a full flush.
  fileprivate static func deflateFragment(_ bytes: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    // 15 bits of window, negative: no header and no trailer.
    let opened = unsafe deflateInit2_(
      &stream, Int32(level), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(opened == Z_OK, "zlib has no memory")
    defer { unsafe deflateEnd(&stream) }
    // A flush adds at most five bytes and some bits to what deflateBound tells.
    let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count))) + 16
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      // zlib reads the input and does not write to it, whatever its signature says.
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        let flushed = unsafe deflate(&stream, Z_FULL_FLUSH)
        precondition(flushed == Z_OK, "the output has room")
      }
      count = unsafe Int(stream.total_out)
    }
  }
}
