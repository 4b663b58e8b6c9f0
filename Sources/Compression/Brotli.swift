import CBrotli

/// Compression by brotli (RFC 7932): the same bytes always give the same bytes.
public enum Brotli {
  /// How much effort goes into some bytes; docs/decisions/0034 has the measurements.
  struct Effort {
    /// From 0 to 11, which takes about a millisecond for each kilobyte.
    var quality = 11
    /// Whether letters are told apart by what stands before them: it has a price that short texts do not win back.
    var modelsContext = true
  }

  /// Which effort gives the fewest bytes for so short a text cannot be known before: all are tried.
  private static let shortBytesMax = 4 * 1_024
  private static let shortEfforts = [10, 11].flatMap { quality in
    [true, false].map { Effort(quality: quality, modelsContext: $0) }
  }

  /// The bytes with content coding `br`: as few as can be had in half a second or so, so never on a loop.
  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    switch bytes.count {
    case ...shortBytesMax: shortEfforts.map { compress(bytes, $0) }.min { $0.count < $1.count } ?? []
    case ...(256 * 1_024): compress(bytes, Effort())
    case ...(4 * 1_024 * 1_024): compress(bytes, Effort(quality: 9))
    default: compress(bytes, Effort(quality: 5))
    }
  }

  /// The bytes with content coding `br`, in some microseconds for each kilobyte.
  public static func compressQuickly(_ bytes: [UInt8]) -> [UInt8] { compress(bytes, Effort(quality: 5)) }

  private static func compress(_ bytes: [UInt8], _ effort: Effort) -> [UInt8] {
    guard let encoder = unsafe BrotliEncoderCreateInstance(nil, nil, nil) else {
      preconditionFailure("brotli has no memory")
    }
    defer { unsafe BrotliEncoderDestroyInstance(encoder) }
    // All of the bytes and no more than that, as a power of two: a larger window costs time. 16 takes the fewest bits.
    let least = bytes.count <= shortBytesMax ? 10 : 16
    let window = min(max(Int.bitWidth - bytes.count.leadingZeroBitCount, least), 22)
    let parameters = [
      (BROTLI_PARAM_QUALITY, effort.quality), (BROTLI_PARAM_LGWIN, window), (BROTLI_PARAM_SIZE_HINT, bytes.count),
      (BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING, effort.modelsContext ? 0 : 1),
    ]
    for (parameter, value) in parameters {
      unsafe BrotliEncoderSetParameter(encoder, parameter, UInt32(clamping: value))
    }
    let bound = BrotliEncoderMaxCompressedSize(bytes.count) + 1_024
    // Into an array of its own size at last, since it is kept.
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bound) { output in
      var room = output.count
      var place = output.baseAddress
      unsafe bytes.withUnsafeBufferPointer { input in
        var left = input.count
        var next = input.baseAddress
        let went = unsafe BrotliEncoderCompressStream(
          encoder, BROTLI_OPERATION_FINISH, &left, &next, &room, &place, nil)
        let isFinished = unsafe BrotliEncoderIsFinished(encoder)
        precondition(went == BROTLI_TRUE && isFinished == BROTLI_TRUE, "the output has room")
      }
      return unsafe [UInt8](output.prefix(bound - room))
    }
  }
}
