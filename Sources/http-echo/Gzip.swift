/// The gzip form (RFC 1952) of bytes that are stored, not compressed: enough to prove the coding of a response.
enum Gzip {
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var form: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var start = 0
    repeat {
      let end = min(start + 0xFFFF, bytes.count)
      let length = UInt16(end - start)
      form.append(end == bytes.count ? 1 : 0)
      append(UInt32(length) | UInt32(~length) << 16, to: &form)
      form += bytes[start..<end]
      start = end
    } while start < bytes.count
    append(checksum(bytes), to: &form)
    append(UInt32(truncatingIfNeeded: bytes.count), to: &form)
    return form
  }

  private static func append(_ number: UInt32, to form: inout [UInt8]) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { form.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// CRC-32 (RFC 1952 §8).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}
