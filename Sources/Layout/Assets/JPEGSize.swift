/// Where the head of a JPEG tells its size: in the frame's header, and which way up it is shown in its Exif.
enum JPEGSize {
  static func read(_ octets: Octets) -> (width: Int, height: Int)? {
    var at = 2
    var isTurned = false
    var size: (width: Int, height: Int)?
    while let marker = octets.nextMarker(from: &at) {
      // The end, and what has no length: a restart within a scan.
      if marker == 0xD9 { break }
      if (0xD0...0xD7).contains(marker) || marker == 0x01 { continue }
      guard let length = octets.big(2, at: at), length >= 2 else { break }
      // Of a frame, or of all frames of one that is told in steps (T.81 B.2.2, B.3.2).
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame || marker == 0xDE {
        guard let height = octets.big(2, at: at + 3), let width = octets.big(2, at: at + 5) else { break }
        if let size, size != (width, height) { return nil }
        size = (width, height)
      }
      if marker == 0xE1, octets.has("Exif\0\0", at: at + 2) {
        isTurned = isShownTurned(octets, tiff: at + 8, to: at + length)
      }
      at += length
    }
    return size.map { isTurned ? ($0.height, $0.width) : $0 }
  }

  /// Whether the Exif orientation, tag 0x0112, turns the picture by a quarter.
  private static func isShownTurned(_ octets: Octets, tiff: Int, to end: Int) -> Bool {
    let isLittle = octets.has("II", at: tiff)
    func number(_ length: Int, _ at: Int) -> Int? {
      guard at + length <= end else { return nil }
      return isLittle ? octets.little(length, at: at) : octets.big(length, at: at)
    }
    guard let directory = number(4, tiff + 4), let count = number(2, tiff + directory) else { return false }
    for entry in 0..<count {
      let at = tiff + directory + 2 + entry * 12
      guard let tag = number(2, at) else { return false }
      if tag == 0x0112 { return number(2, at + 8).map { (5...8).contains($0) } ?? false }
    }
    return false
  }
}

extension Octets {
  /// The octet of the next marker, and the place behind it. What comes before it is data of a scan, in which 0xFF is followed by 0.
  fileprivate func nextMarker(from at: inout Int) -> Int? {
    while at + 1 < bytes.count {
      if bytes[at] == 0xFF, bytes[at + 1] != 0, bytes[at + 1] != 0xFF {
        at += 2
        return Int(bytes[at - 1])
      }
      at += 1
    }
    return nil
  }
}
