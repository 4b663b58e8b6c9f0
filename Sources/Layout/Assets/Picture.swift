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

/// What a picture's headers say of it, without decoding.
///
/// A file names its size in more than one place, and viewers may go by any of them. The largest counts. A file that
/// claims to be smaller than its content is refused.
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
    case .gif: return GIFSize.read(octets)
    case .jpg: return JPEGSize.read(octets)
    case .webp: return WebPSize.read(octets)
    case .avif: return AVIFSize.read(octets)
    }
  }
}
