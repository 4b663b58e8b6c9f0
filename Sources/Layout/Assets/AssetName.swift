import JSON

/// What a picture that Hearth keeps is called: the SHA-256 of its bytes, and its format, as in `3f9c….png`.
public struct AssetName: Hashable, Sendable, CustomStringConvertible {
  /// The path below which pictures are served; content refers to them by it.
  public static let folder = "/v1/assets/"

  /// The SHA-256 of the bytes: 64 hexadecimal digits.
  public let hash: String
  /// What the bytes are.
  public let format: PictureFormat

  /// The name of some bytes.
  public init(of bytes: [UInt8], format: PictureFormat) {
    hash = Fingerprint.of(bytes)
    self.format = format
  }

  /// A name from its text; `nil` if the text is not one.
  public init?(_ text: some StringProtocol) { self.init(utf8: text.utf8) }

  /// By bytes: a mark that joins the dot before it would be no character of its own.
  private init?(utf8 bytes: some Collection<UInt8>) {
    let (digits, rest) = (Array(bytes.prefix(64)), bytes.dropFirst(64))
    guard digits.count == 64, digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      rest.first == UInt8(ascii: "."),
      let format = PictureFormat.allCases.first(where: { rest.dropFirst().elementsEqual($0.rawValue.utf8) })
    else { return nil }
    hash = String(decoding: digits, as: UTF8.self)
    self.format = format
  }

  /// A name by its address in content; `nil` for any other text.
  public init?(url: String) {
    guard url.hasPrefix(Self.folder) else { return nil }
    self.init(url.dropFirst(Self.folder.count))
  }

  /// As it is written.
  public var description: String { "\(hash).\(format.rawValue)" }

  /// Its address in content.
  public var url: String { Self.folder + description }

  /// The names in a JSON text, in any context.
  ///
  /// It may include a few that a JSON reader would not find; it misses none.
  public static func mentioned(in text: some StringProtocol) -> Set<AssetName> {
    var names: Set<AssetName> = []
    let bytes = Array(text.utf8)
    let folder = Array(folder.utf8)
    var at = 0
    // A hash and the longest ending: what is shorter cannot be a name.
    while at + folder.count + 64 < bytes.count {
      guard bytes[at] == folder[0], bytes[at..<(at + folder.count)].elementsEqual(folder) else {
        at += 1
        continue
      }
      at += folder.count
      for format in PictureFormat.allCases {
        if let name = AssetName(utf8: bytes[at...].prefix(65 + format.rawValue.utf8.count)) { names.insert(name) }
      }
    }
    return names
  }
}

extension JSONObject {
  /// Puts a base address, such as a CDN's, before the addresses of stored pictures.
  ///
  /// - Returns: `nil` if it has no such address.
  func placingAssets(below base: String) -> JSONObject? {
    var placed: JSONObject?
    for member in self {
      if let value = member.value.placingAssets(below: base) { placed = (placed ?? self).setting(member.name, value) }
    }
    return placed
  }

  private func setting(_ name: String, _ value: JSON) -> JSONObject {
    var object = self
    object[name] = value
    return object
  }
}

extension JSON {
  fileprivate func placingAssets(below base: String) -> JSON? {
    switch self {
    case .string(let text): AssetName(url: text).map { .string(base + $0.url) }
    case .object(let object): object.placingAssets(below: base).map { .object($0) }
    case .array(let elements):
      elements.contains { $0.placingAssets(below: base) != nil }
        ? .array(elements.map { $0.placingAssets(below: base) ?? $0 }) : nil
    default: nil
    }
  }
}

extension Kinds {
  /// The same kinds with the address that pictures are placed below.
  public func placingAssets(below base: String?) -> Kinds {
    var kinds = self
    kinds.assetsBaseURL = base
    return kinds
  }

  /// Content as a client gets it that knows addresses by their schemes: a picture of one's own has one, too, once its
  /// client has put it behind the server's. Schemas say what clients get.
  func addressed(_ content: JSONObject) -> JSON {
    let content = tokens.placed(in: content)
    return .object(content.placingAssets(below: assetsBaseURL ?? "https://assets.invalid") ?? content)
  }

  /// Content with the addresses that clients get.
  func placed(_ content: JSONObject) -> JSONObject {
    guard let assetsBaseURL else { return content }
    return content.placingAssets(below: assetsBaseURL) ?? content
  }
}
