/// The missing pictures that content refers to: addresses below ``AssetName/folder`` without a picture.
public struct LackingPictures: Hashable, Sendable {
  /// What no client looks for yet.
  public var unknown: Set<String>
  /// What clients look for already, or what was live once and comes back: it has been removed.
  public var removed: Set<String>

  /// None, unless they are named.
  public init(unknown: Set<String> = [], removed: Set<String> = []) {
    self.unknown = unknown
    self.removed = removed
  }
}

extension AssetName {
  /// The name in an address, without query and fragment; `nil` if it cannot be a picture's.
  public init?(address: String) {
    guard let name = AssetName(url: String(address.prefix { $0 != "?" && $0 != "#" })) else { return nil }
    self = name
  }

  /// The texts of a JSON document, in its canonical form, that are an address of a picture by where they begin.
  public static func addresses(in text: [UInt8]) -> Set<String> {
    let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    let folder = Array(folder.utf8)
    var found: Set<String> = []
    let bytes = text.span
    var at = 0
    while at + folder.count + 1 < bytes.count {
      defer { at += 1 }
      // Most texts differ at their first character; a quote behind an escape is inside of one.
      guard bytes[at] == quote, bytes[at + 1] == folder[0], at == 0 || bytes[at - 1] != escape,
        text[(at + 1)...].starts(with: folder)
      else { continue }
      found.insert(String(decoding: text[(at + 1)...].prefix { $0 != quote }, as: UTF8.self))
    }
    return found
  }
}
