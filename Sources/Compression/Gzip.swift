import CZlib

/// Compression by zlib: the same bytes always give the same bytes (no time, no name in the header).
public enum Gzip {
  /// The best compression, which is paid once for each variant of an edition.
  public static let level = 9

  /// A gzip member (RFC 1952) of some bytes.
  ///
  /// - Parameter level: From 1, the quickest, to 9.
  public static func compress(_ bytes: [UInt8], level: Int = level) -> [UInt8] {
    // 15 bits of window, and 16 for the gzip header.
    deflated(bytes, windowBits: 15 + 16, flush: Z_FINISH, level: level)
  }

  /// The bytes of a gzip member that `compress` made.
  ///
  /// - Parameter size: How many they are.
  public static func decompress(_ compressed: [UInt8], size: Int) -> [UInt8] {
    var stream = unsafe z_stream()
    let opened = unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(opened == Z_OK, "zlib has no memory")
    defer { unsafe inflateEnd(&stream) }
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
      unsafe compressed.withUnsafeBufferPointer { input in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        let ended = unsafe inflate(&stream, Z_FINISH)
        precondition(ended == Z_STREAM_END, "the bytes are those that were compressed")
      }
      count = unsafe Int(stream.total_out)
    }
  }

  /// What somebody else's gzip member unpacks to.
  ///
  /// - Parameter bytesMax: The most that is unpacked.
  /// - Returns: `nil` when it is none, damaged, cut, or unpacks to more.
  public static func unpack(_ compressed: [UInt8], bytesMax: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    let opened = unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(opened == Z_OK, "zlib has no memory")
    defer { unsafe inflateEnd(&stream) }
    var unpacked: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    return unsafe compressed.withUnsafeBufferPointer { input -> [UInt8]? in
      unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.avail_in = UInt32(input.count)
      while true {
        let (result, count) = unsafe piece.withUnsafeMutableBufferPointer { output in
          unsafe stream.next_out = output.baseAddress
          unsafe stream.avail_out = UInt32(output.count)
          let result = unsafe inflate(&stream, Z_NO_FLUSH)
          return unsafe (result, output.count - Int(stream.avail_out))
        }
        unpacked += piece[..<count]
        guard unpacked.count <= bytesMax else { return nil }
        if result == Z_STREAM_END { return unpacked }
        // What is cut makes no progress at last.
        let hasMore = unsafe stream.avail_in > 0
        guard result == Z_OK, count > 0 || hasMore else { return nil }
      }
    }
  }

  /// What deflate makes of some bytes, all at once.
  ///
  /// - Parameters:
  ///   - windowBits: As zlib takes it; its sign and size say which header there is.
  ///   - flush: `Z_FINISH`, or a flush that ends at a byte and leaves the stream open.
  static func deflated(_ bytes: [UInt8], windowBits: Int32, flush: Int32, level: Int = level) -> [UInt8] {
    var stream = unsafe z_stream()
    let opened = unsafe deflateInit2_(
      &stream, Int32(level), Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(opened == Z_OK, "zlib has no memory")
    defer { unsafe deflateEnd(&stream) }
    // A flush adds at most five bytes and some bits to what deflateBound tells.
    let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count))) + 16
    // Into an array of its own size at last: what is kept must not hold the room of the worst case, often ten times as much.
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bound) { output in
      // zlib reads the input and does not write to it, whatever its signature says.
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        let ended = unsafe deflate(&stream, flush)
        precondition(ended == (flush == Z_FINISH ? Z_STREAM_END : Z_OK), "the output has room")
      }
      return unsafe [UInt8](output.prefix(Int(stream.total_out)))
    }
  }
}
