import CZlib

/// The gzip form (RFC 1952) of bytes.
enum Gzip {
  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    // 15 bits of window, and 16 for the gzip header.
    let opened = unsafe deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(opened == Z_OK, "zlib has no memory")
    defer { unsafe deflateEnd(&stream) }
    let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      // zlib reads the input and does not write to it, whatever its signature says.
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        let ended = unsafe deflate(&stream, Z_FINISH)
        precondition(ended == Z_STREAM_END, "deflateBound is the bound")
      }
      count = unsafe Int(stream.total_out)
    }
  }
}
