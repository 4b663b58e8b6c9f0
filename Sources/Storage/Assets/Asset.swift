public import Layout

/// A picture that the database keeps.
public struct Asset: Hashable, Sendable {
  /// Ascending in the order in which they came.
  public var id: Int64
  /// Its name: the hash of its bytes, and its format.
  public var name: AssetName
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// Its bytes.
  public var size: Int
  /// When it came.
  public var createdAt: Instant
  /// Who brought it.
  public var createdBy: String
  /// What operators say of it.
  public var details: AssetDetails
  /// The picture that it was cut from.
  public var original: AssetName?
  /// The entity tag of its details, quotes included.
  public var tag: String
}

/// Which pictures are wanted.
public struct AssetFilter: Hashable, Sendable {
  /// Only those; all when `nil`.
  public var names: Set<AssetName>?
  /// Only pictures whose name or text contains this, ignoring case, and marks on Latin letters.
  public var text: String?
  /// Those with this tag.
  public var tag: String?

  /// A filter that lets everything through.
  public init() {}

  func lets(_ asset: Asset, folded: String?) -> Bool {
    guard names?.contains(asset.name) ?? true, tag.map(asset.details.tags.contains) ?? true else { return false }
    guard let folded else { return true }
    return asset.details.texts.contains { $0.folded.contains(folded) }
  }
}

/// How many pictures the database may keep, and how large they may be.
public struct AssetLimits: Hashable, Sendable {
  /// Bytes of one picture.
  public var bytesMax = 2 * 1024 * 1024
  /// Pixels of one picture, width times height. Drawing takes four bytes for each.
  public var pixelsMax = 40_000_000
  /// Bytes of all pictures together.
  public var totalBytesMax = 1024 * 1024 * 1024
  /// Pictures in all.
  public var countMax = 20_000
  /// What one source may take of ``totalBytesMax`` and of ``countMax``, in percent.
  public var sourcePercentMax = 25

  /// Bytes of all pictures that one source brought.
  public var sourceBytesMax: Int { share(of: totalBytesMax) }
  /// Pictures that one source brought.
  public var sourceCountMax: Int { share(of: countMax) }

  private func share(of most: Int) -> Int { Int((Double(most) * Double(sourcePercentMax) / 100).rounded(.up)) }

  /// The default limits.
  public init() {}
}

/// Why a picture is not kept.
public enum AssetRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its bytes are not an accepted picture.
  case noPicture
  /// It has more bytes than a picture may have.
  case tooLarge(bytes: Int, most: Int)
  /// It has more pixels than a picture may have.
  case tooManyPixels(pixels: Int, most: Int)
  /// The limits leave no room.
  case full(bytes: Int, count: Int, AssetLimits)
  /// The source that brings it has its share of the room.
  case shareFull(bytes: Int, count: Int, AssetLimits)

  /// The problem and what would be right, in words.
  public var description: String {
    switch self {
    case .noPicture:
      "the bytes are no picture that is taken; PNG, JPEG, WebP, GIF and AVIF are, by what their heads say. SVG is not: it can run "
        + "scripts"
    case .tooLarge(let bytes, let most):
      "the picture has \(bytes) bytes; assets.bytesMax allows \(most). Make it smaller, or save it as WebP or AVIF"
    case .tooManyPixels(let pixels, let most):
      "the picture has \(pixels) pixels, width times height; assets.pixelsMax allows \(most). Make it smaller"
    case .full(let bytes, let count, let limits):
      "\(count) pictures with \(bytes) bytes are kept; assets.countMax allows \(limits.countMax) and assets.totalBytesMax "
        + "\(limits.totalBytesMax) bytes. Remove some, or raise the limit; those that nothing refers to go after "
        + "assets.unusedDaysKept"
    case .shareFull(let bytes, let count, let limits):
      "\(count) pictures with \(bytes) bytes are of this source; assets.sourcePercentMax allows one source "
        + "\(limits.sourcePercentMax) %, which is \(limits.sourceCountMax) pictures and \(limits.sourceBytesMax) bytes. Remove some, "
        + "or raise the limit; those that nothing refers to go after assets.unusedDaysKept"
    }
  }
}

/// A picture on its way into the database.
public struct NewAsset: Hashable, Sendable {
  /// Its name.
  public let name: AssetName
  /// What its head says.
  public let picture: Picture
  /// The picture itself.
  public let bytes: [UInt8]
  /// The details to store if the picture is new.
  public var details = AssetDetails()
  /// The picture that it was cut from, whose name, text and tags it takes over where none are said.
  public var original: AssetName?

  /// Looks at bytes that are to be kept.
  ///
  /// - Throws: ``AssetRefusal``.
  public init(_ bytes: [UInt8], within limits: AssetLimits) throws(AssetRefusal) {
    guard bytes.count <= limits.bytesMax else { throw .tooLarge(bytes: bytes.count, most: limits.bytesMax) }
    guard let picture = Picture(bytes) else { throw .noPicture }
    let pixels = picture.width * picture.height
    guard pixels <= limits.pixelsMax else { throw .tooManyPixels(pixels: pixels, most: limits.pixelsMax) }
    name = AssetName(of: bytes, format: picture.format)
    self.picture = picture
    self.bytes = bytes
  }
}
