public import HomePayload
public import JSON

/// One of the sizes of a picture.
public struct PictureSource: Hashable, Sendable {
  /// Its address.
  public var url: String
  /// Its width, in pixels.
  public var width: Int

  /// A size.
  public init(url: String, width: Int) { (self.url, self.width) = (url, width) }

  /// The address of the narrowest that has a pixel for each that is drawn, else of the widest; `nil` without any.
  ///
  /// - Parameters:
  ///   - width: How wide the picture is drawn, in points.
  ///   - scale: The screen's pixels for a point.
  public static func url(among sources: [PictureSource], width: Double, scale: Double) -> String? {
    let ascending = sources.sorted { $0.width < $1.width }
    return (ascending.first { Double($0.width) >= width * scale - 1e-6 } ?? ascending.last)?.url
  }

  /// The address to load of a content's picture: `url`, or one of its `sources`.
  ///
  /// - Parameters:
  ///   - width: How wide the picture is drawn, in points.
  ///   - scale: The screen's pixels for a point.
  public static func url(of picture: JSON, width: Double, scale: Double) -> String? {
    let own = picture["url"]?.string
    let all = (picture["sources"]?.array ?? []) + [picture]
    let sources = all.compactMap { source -> PictureSource? in
      guard let url = source["url"]?.string, let width = source["width"]?.int else { return nil }
      return PictureSource(url: url, width: width)
    }
    return url(among: sources, width: width, scale: scale) ?? own
  }
}

extension SectionLayout.BackgroundPicture {
  /// The address to load: `url`, or one of its `sources`.
  ///
  /// - Parameters:
  ///   - width: How wide the background is, in points.
  ///   - scale: The screen's pixels for a point.
  public func url(width: Double, scale: Double) -> String {
    let own = self.width.map { [PictureSource(url: url, width: $0)] } ?? []
    let all = sources.map { PictureSource(url: $0.url, width: $0.width) } + own
    return PictureSource.url(among: all, width: width, scale: scale) ?? url
  }
}
