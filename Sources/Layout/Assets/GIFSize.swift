/// How large a GIF is: its screen, or a frame that reaches beyond it (GIF89a §18, §20).
enum GIFSize {
  static func read(_ octets: Octets) -> (width: Int, height: Int)? {
    guard var width = octets.little(2, at: 6), var height = octets.little(2, at: 8),
      let flags = octets.little(1, at: 10)
    else { return nil }
    var at = 13 + tableSize(flags)
    while let block = octets.little(1, at: at) {
      switch block {
      case 0x2C:
        guard let left = octets.little(2, at: at + 1), let top = octets.little(2, at: at + 3),
          let frameWidth = octets.little(2, at: at + 5), let frameHeight = octets.little(2, at: at + 7),
          let flags = octets.little(1, at: at + 9)
        else { return (width, height) }
        width = max(width, left + frameWidth)
        height = max(height, top + frameHeight)
        at = octets.endOfBlocks(from: at + 11 + tableSize(flags))
      case 0x21: at = octets.endOfBlocks(from: at + 2)
      // The trailer, or nothing that anybody reads.
      default: return (width, height)
      }
    }
    return (width, height)
  }

  /// The bytes of a table of colours, if flags say that there is one.
  private static func tableSize(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }
}

extension Octets {
  /// The place behind sub-blocks, each with its length before it, and the empty one that ends them.
  fileprivate func endOfBlocks(from start: Int) -> Int {
    var at = start
    while let length = little(1, at: at), length > 0 { at += 1 + length }
    return at + 1
  }
}
