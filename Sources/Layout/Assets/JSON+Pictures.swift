public import JSON

/// A picture that takes the place of another one in content.
public struct PictureReplacement: Hashable, Sendable {
  /// The picture that goes.
  public var old: AssetName
  /// The one that comes.
  public var new: AssetName
  /// The width of the one that comes, in pixels.
  public var width: Int
  /// The height of the one that comes, in pixels.
  public var height: Int

  /// A replacement.
  public init(of old: AssetName, by new: AssetName, width: Int, height: Int) {
    (self.old, self.new, self.width, self.height) = (old, new, width, height)
  }
}

extension JSON {
  /// With the other picture wherever a text is the address of the first, whatever query or fragment stands behind it. An object
  /// whose `url` that is gets the other one's `width` and `height` where it has them, and loses `sizes` and `sources`, which
  /// were the first one's.
  ///
  /// - Parameter count: Rises by one for each address.
  public func replacing(_ replacement: PictureReplacement, counting count: inout Int) -> JSON {
    switch self {
    case .string(let text):
      guard AssetName(address: text) == replacement.old else { return self }
      count += 1
      return .string(replacement.new.url + text.dropFirst(replacement.old.url.count))
    case .array(let elements):
      let replaced = elements.map { $0.replacing(replacement, counting: &count) }
      return .array(replaced)
    case .object(let object):
      let isShown = object["url"]?.string.flatMap(AssetName.init(address:)) == replacement.old
      var replaced = object
      if isShown { (replaced["sizes"], replaced["sources"]) = (nil, nil) }
      for member in replaced { replaced[member.name] = member.value.replacing(replacement, counting: &count) }
      guard isShown else { return .object(replaced) }
      for (name, length) in [("width", replacement.width), ("height", replacement.height)]
      where replaced[name]?.int != nil { replaced[name] = .number(JSONNumber(length)) }
      return .object(replaced)
    default: return self
    }
  }
}
