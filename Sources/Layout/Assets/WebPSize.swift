/// How large a WebP is, in the three forms that RFC 9649 has: the canvas of an extended one, else its only bitstream.
enum WebPSize {
  static func read(_ octets: Octets) -> (width: Int, height: Int)? {
    var canvas: (width: Int, height: Int)?
    var isWhole = true
    octets.forEachChunk(from: 12, to: octets.count) { name, body in
      let first = canvas
      switch name {
      case "VP8X":
        guard let width = octets.little(3, at: body.lowerBound + 4),
          let height = octets.little(3, at: body.lowerBound + 7)
        else { break }
        canvas = canvas ?? (width + 1, height + 1)
        isWhole = isWhole && first == nil
      case "ANMF":
        guard let left = octets.little(3, at: body.lowerBound), let top = octets.little(3, at: body.lowerBound + 3),
          let width = octets.little(3, at: body.lowerBound + 6), let height = octets.little(3, at: body.lowerBound + 9)
        else { break }
        isWhole = isWhole && fits((2 * left + width + 1, 2 * top + height + 1), in: first)
        octets.forEachChunk(from: body.lowerBound + 16, to: body.upperBound) { name, body in
          guard let size = bitstream(octets, name, body) else { return }
          isWhole = isWhole && fits(size, in: (width + 1, height + 1))
        }
      default:
        guard let size = bitstream(octets, name, body) else { break }
        canvas = canvas ?? size
        isWhole = isWhole && fits(size, in: canvas)
      }
    }
    return isWhole ? canvas : nil
  }

  /// Whether a frame fits into its canvas.
  private static func fits(_ size: (width: Int, height: Int), in canvas: (width: Int, height: Int)?) -> Bool {
    canvas.map { size.width <= $0.width && size.height <= $0.height } ?? false
  }

  private static func bitstream(_ octets: Octets, _ name: String, _ body: Range<Int>) -> (width: Int, height: Int)? {
    let at = body.lowerBound
    if name == "VP8L", octets.has([0x2F], at: at), let bits = octets.little(4, at: at + 1) {
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }
    if name == "VP8 ", octets.has([0x9D, 0x01, 0x2A], at: at + 3), let width = octets.little(2, at: at + 6),
      let height = octets.little(2, at: at + 8)
    {
      return (width & 0x3FFF, height & 0x3FFF)
    }
    return nil
  }
}

extension Octets {
  /// Calls `body` with the chunks of a RIFF file that stand side by side; the last may be cut off.
  fileprivate func forEachChunk(from start: Int, to end: Int, _ body: (String, Range<Int>) -> Void) {
    var at = start
    while at + 8 <= end, let length = little(4, at: at + 4) {
      body(String(decoding: bytes[at..<(at + 4)], as: UTF8.self), (at + 8)..<min(at + 8 + length, end))
      at += 8 + length + length & 1
    }
  }
}
