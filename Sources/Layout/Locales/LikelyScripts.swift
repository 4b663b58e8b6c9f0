import Foundation
import Synchronization

/// The scripts that a language is written in, by CLDR's likely subtags: Chinese is `Hans`, but `Hant` in `TW` and `HK`.
///
/// All of a language's are read at once and kept, and asked for of the languages that pages have: whatever clients send
/// is only looked up.
struct LikelyScripts: Sendable {
  /// The script where the region is not said, or has no other.
  private let usual: String?
  private let others: [String: String]

  private static let known = Mutex<[String: LikelyScripts]>([:])

  /// Those of a language.
  static func of(_ language: String) -> LikelyScripts {
    known.withLock { known in
      if let scripts = known[language] { return scripts }
      let scripts = LikelyScripts(language)
      known[language] = scripts
      return scripts
    }
  }

  private init(_ language: String) {
    let usual = Self.script(of: language)
    self.usual = usual
    let regions = Foundation.Locale.Region.isoRegions.map(\.identifier)
    let scripts = regions.compactMap { region in Self.script(of: "\(language)-\(region)").map { (region, $0) } }
    others = Dictionary(scripts.filter { $0.1 != usual }, uniquingKeysWith: { first, _ in first })
  }

  /// The script in a region, `nil` when it is not known.
  func script(in region: String?) -> String? { region.flatMap { others[$0] } ?? usual }

  private static func script(of tag: String) -> String? {
    let subtags = Foundation.Locale.Language(identifier: tag).maximalIdentifier.split(separator: "-")
    return subtags.dropFirst().first { $0.utf8.count == 4 }.map(String.init)
  }
}

extension Locale {
  /// The scripts that are written from right to left (ISO 15924) and that CLDR has a language for.
  private static let rightToLeft: Set = [
    "Adlm", "Arab", "Aran", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi",
  ]

  /// Whether the tag's script, or the likely one, is written from right to left.
  var isRightToLeft: Bool { script.map(Self.rightToLeft.contains) ?? false }

  /// The language alone: `zh`.
  var language: String { String(Substring(tag.utf8.prefix { $0 != UInt8(ascii: "-") })) }

  /// The script that the tag names, else the likely one: `Hant` for `zh-TW`; `nil` when it is not known.
  var script: String? {
    let language = language
    let second = tag.utf8.dropFirst(language.utf8.count + 1).prefix { $0 != UInt8(ascii: "-") }
    let isName = second.first.map { (0x41...0x5A).contains($0) } ?? false
    if second.count == 4, isName { return String(Substring(second)) }
    return LikelyScripts.of(language).script(in: [2, 3].contains(second.count) ? String(Substring(second)) : nil)
  }
}
