import CBrotli

/// Compression by brotli (RFC 7932): the same bytes always give the same bytes.
public enum Brotli {
  /// The quality for so many bytes: the best for what takes no longer than half a second. Decision 0034 has the
  /// measurements.
  public static func quality(bytes: Int) -> Int { bytes <= 256 * 1_024 ? 11 : bytes <= 4 * 1_024 * 1_024 ? 9 : 5 }

  /// The bytes with content coding `br`.
  ///
  /// - Parameter quality: From 0, the least effort, to 11, which takes about a millisecond for each kilobyte.
  public static func compress(_ bytes: [UInt8], quality: Int) -> [UInt8] {
    // All of the bytes and no more than that, as a power of two: a larger window costs time.
    let window = Int32(min(max(Int.bitWidth - bytes.count.leadingZeroBitCount, 16), 22))
    let bound = max(BrotliEncoderMaxCompressedSize(bytes.count), 16)
    // As large as it is, not as it might have been: it is kept.
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bound) { output in
      var count = bound
      let ended = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe BrotliEncoderCompress(
          Int32(quality), window, BROTLI_MODE_TEXT, input.count, input.baseAddress, &count, output.baseAddress)
      }
      precondition(ended == BROTLI_TRUE, "brotli has no memory")
      return unsafe [UInt8](output.prefix(count))
    }
  }
}
