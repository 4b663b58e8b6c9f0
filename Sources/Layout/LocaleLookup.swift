/// Finds the best locale for a client's ranges and the best value for a locale (RFC 4647 §3.4).
public enum LocaleLookup {
  /// The first of a client's ranges, in its order of preference, that leads to one of a page's locales.
  ///
  /// A range leads to a locale that is the range itself or one of the shorter tags of its lookup chain; failing
  /// that to a locale of the same language that is more special than the range, the page's first one.
  public static func best(of ranges: [LanguageRange], among locales: [Locale], else fallback: Locale) -> Locale {
    for range in ranges where range.isAcceptable {
      guard let wanted = range.locale else {
        if let any = locales.first(where: { locale in !ranges.contains { $0.refuses(locale) } }) {
          return locales.contains(fallback) && !ranges.contains { $0.refuses(fallback) } ? fallback : any
        }
        continue
      }
      for tag in wanted.lookupChain {
        if let found = locales.first(where: { $0.tag == tag }) { return found }
      }
      if let special = locales.first(where: { $0.matches(range: wanted.tag) }) { return special }
      if let related = locales.first(where: { $0.lookupChain.last == wanted.lookupChain.last }) { return related }
    }
    return fallback
  }

  /// The name, among those of a map from locale to value, that is best for a locale.
  ///
  /// The locale's own lookup chain, then `*`, any other locale, then the page's default locale's chain.
  public static func name(for locale: Locale, default fallback: Locale, among names: [String]) -> String? {
    if let name = name(in: locale.lookupChain, among: names) { return name }
    return names.contains("*") ? "*" : name(in: fallback.lookupChain, among: names)
  }

  private static func name(in chain: [String], among names: [String]) -> String? {
    for tag in chain {
      if let name = names.first(where: { $0 == tag || $0.caseInsensitivelyEquals(tag) }) { return name }
    }
    return nil
  }
}

/// One range of an `Accept-Language` field, or the locale that a client names.
public struct LanguageRange: Hashable, Sendable {
  /// The locale wanted, `nil` for `*`.
  public var locale: Locale?
  /// The weight in thousandths, 0 to 1,000.
  public var weight: Int

  /// A range.
  public init(locale: Locale?, weight: Int = 1_000) {
    self.locale = locale
    self.weight = weight
  }

  var isAcceptable: Bool { weight > 0 }

  func refuses(_ other: Locale) -> Bool {
    guard weight == 0, let locale else { return false }
    return other.matches(range: locale.tag)
  }
}

extension StringProtocol {
  fileprivate func caseInsensitivelyEquals(_ other: String) -> Bool { lowercased() == other.lowercased() }
}
