/// The formats of pictures that Hearth keeps, by the ending of their names.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  /// PNG.
  case png
  /// JPEG.
  case jpg
  /// WebP.
  case webp
  /// GIF.
  case gif
  /// AVIF.
  case avif

  /// Its media type.
  public var mediaType: String { self == .jpg ? "image/jpeg" : "image/\(rawValue)" }
}

/// What the head of a picture's bytes says of it: nothing is decoded.
public struct Picture: Hashable, Sendable {
  /// The format.
  public let format: PictureFormat
  /// The width in pixels as it is shown, from 1 to 65,535.
  public let width: Int
  /// The height in pixels as it is shown, from 1 to 65,535.
  public let height: Int

  /// What bytes are; `nil` when they are no picture of these formats, or do not say how large it is.
  public init?(_ bytes: [UInt8]) {
    let octets = Octets(bytes: bytes)
    guard let format = Self.format(octets), let size = Self.size(octets, format),
      Self.sides.contains(size.width), Self.sides.contains(size.height)
    else { return nil }
    self.format = format
    (width, height) = size
  }

  /// What a side may have. JPEG and GIF have no more, and an area of them is a number that is never too great.
  private static let sides = 1...65_535

  private static func format(_ octets: Octets) -> PictureFormat? {
    if octets.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
    if octets.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpg }
    if octets.has("GIF87a", at: 0) || octets.has("GIF89a", at: 0) { return .gif }
    if octets.has("RIFF", at: 0), octets.has("WEBP", at: 8) { return .webp }
    if octets.has("ftyp", at: 4), octets.has("avif", at: 8) || octets.has("avis", at: 8) { return .avif }
    return nil
  }

  private static func size(_ octets: Octets, _ format: PictureFormat) -> (width: Int, height: Int)? {
    switch format {
    case .png:
      guard octets.has("IHDR", at: 12), let width = octets.big(4, at: 16), let height = octets.big(4, at: 20) else {
        return nil
      }
      return (width, height)
    case .gif:
      guard let width = octets.little(2, at: 6), let height = octets.little(2, at: 8) else { return nil }
      return (width, height)
    case .jpg: return JPEGSize.read(octets)
    case .webp: return webpSize(octets)
    case .avif: return avifSize(octets)
    }
  }

  /// Of the three forms that RFC 9649 has.
  private static func webpSize(_ octets: Octets) -> (width: Int, height: Int)? {
    if octets.has("VP8X", at: 12), let width = octets.little(3, at: 24), let height = octets.little(3, at: 27) {
      return (width + 1, height + 1)
    }
    if octets.has("VP8L", at: 12), octets.has([0x2F], at: 20), let bits = octets.little(4, at: 21) {
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }
    if octets.has("VP8 ", at: 12), octets.has([0x9D, 0x01, 0x2A], at: 23), let width = octets.little(2, at: 26),
      let height = octets.little(2, at: 28)
    {
      return (width & 0x3FFF, height & 0x3FFF)
    }
    return nil
  }

  /// The greatest of the extents that the boxes of the file's head tell: tiles and alpha planes are no larger than the
  /// picture (ISO/IEC 23008-12, `ispe`).
  private static func avifSize(_ octets: Octets) -> (width: Int, height: Int)? {
    guard let meta = octets.box("meta", from: 0, to: octets.count),
      let properties = octets.box("iprp", from: meta.lowerBound + 4, to: meta.upperBound),
      let container = octets.box("ipco", from: properties.lowerBound, to: properties.upperBound)
    else { return nil }
    var largest: (width: Int, height: Int)?
    var turns = 0
    octets.forEachBox(from: container.lowerBound, to: container.upperBound) { name, body in
      if name == "irot" { turns = octets.big(1, at: body.lowerBound) ?? 0 }
      guard name == "ispe", let width = octets.big(4, at: body.lowerBound + 4),
        let height = octets.big(4, at: body.lowerBound + 8), sides.contains(width), sides.contains(height)
      else { return }
      if let found = largest, found.width * found.height >= width * height { return }
      largest = (width, height)
    }
    guard let largest else { return nil }
    return turns & 1 == 1 ? (largest.height, largest.width) : largest
  }
}

/// Where the head of a JPEG tells its size: in the frame's header, and which way up it is shown in its Exif.
private enum JPEGSize {
  static func read(_ octets: Octets) -> (width: Int, height: Int)? {
    var at = 2
    var isTurned = false
    while let marker = octets.big(2, at: at) {
      // Octets of 0xFF may stand before a marker.
      if marker == 0xFFFF {
        at += 1
        continue
      }
      guard marker >= 0xFFC0, let length = octets.big(2, at: at + 2), length >= 2 else { return nil }
      let isFrame = (0xFFC0...0xFFCF).contains(marker) && ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker)
      if isFrame {
        guard let height = octets.big(2, at: at + 5), let width = octets.big(2, at: at + 7) else { return nil }
        return isTurned ? (height, width) : (width, height)
      }
      if marker == 0xFFE1, octets.has("Exif\0\0", at: at + 4) {
        isTurned = isShownTurned(octets, tiff: at + 10, to: at + 2 + length)
      }
      // Behind the start of the scan there is no header any more.
      if marker == 0xFFDA { return nil }
      at += 2 + length
    }
    return nil
  }

  /// Whether the Exif orientation, tag 0x0112, is one of those that turn the picture by a quarter.
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

/// Bytes that are read at places which they may not have.
private struct Octets {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func has(_ wanted: [UInt8], at place: Int) -> Bool {
    place >= 0 && place + wanted.count <= bytes.count && bytes[place..<(place + wanted.count)].elementsEqual(wanted)
  }

  func has(_ wanted: String, at place: Int) -> Bool { has(Array(wanted.utf8), at: place) }

  /// A number, its greatest octet first.
  func big(_ length: Int, at place: Int) -> Int? {
    guard place >= 0, place + length <= bytes.count else { return nil }
    return bytes[place..<(place + length)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A number, its least octet first.
  func little(_ length: Int, at place: Int) -> Int? {
    guard place >= 0, place + length <= bytes.count else { return nil }
    return bytes[place..<(place + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Calls `body` with the boxes of ISO base media that stand side by side.
  func forEachBox(from start: Int, to end: Int, _ body: (String, Range<Int>) -> Void) {
    var at = start
    while let length = big(4, at: at), at + 8 <= end {
      // 0 is up to the end; what has 64 bits is media, which no head needs.
      let size = length == 0 ? end - at : length
      guard size >= 8, at + size <= end else { return }
      body(String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self), (at + 8)..<(at + size))
      at += size
    }
  }

  func box(_ wanted: String, from start: Int, to end: Int) -> Range<Int>? {
    var found: Range<Int>?
    forEachBox(from: start, to: end) { name, body in if name == wanted, found == nil { found = body } }
    return found
  }
}
