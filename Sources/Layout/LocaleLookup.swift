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

  /// The ranges of an `Accept-Language` field in order of preference (RFC 9110 §12.5.4); what is malformed is left out.
  public static func parse(acceptLanguage field: String) -> [LanguageRange] {
    let ranges = field.split(separator: ",").prefix(32).compactMap { element -> LanguageRange? in
      var parts = element.split(separator: ";").map { $0.trimmingSpace }
      guard !parts.isEmpty else { return nil }
      let tag = parts.removeFirst()
      var weight = 1_000
      for part in parts {
        guard part.lowercased().hasPrefix("q="), let value = QualityValue.thousandths(part.dropFirst(2)) else {
          return nil
        }
        weight = value
      }
      if tag == "*" { return LanguageRange(locale: nil, weight: weight) }
      return Locale(tag).map { LanguageRange(locale: $0, weight: weight) }
    }
    return ranges.enumerated().sorted { left, right in
      left.element.weight != right.element.weight
        ? left.element.weight > right.element.weight : left.offset < right.offset
    }.map(\.element)
  }
}

/// A weight of RFC 9110 §12.4.2: `0`, `0.5`, `1.000`.
enum QualityValue {
  static func thousandths(_ text: some StringProtocol) -> Int? {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, first == 0x30 || first == 0x31, bytes.count <= 5 else { return nil }
    guard bytes.count == 1 || bytes[1] == UInt8(ascii: ".") else { return nil }
    var value = Int(first - 0x30) * 1_000
    var unit = 100
    for byte in bytes.dropFirst(2) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value += Int(byte - 0x30) * unit
      unit /= 10
    }
    return value <= 1_000 ? value : nil
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  var trimmingSpace: String {
    var text = Substring(self)
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }

  fileprivate func caseInsensitivelyEquals(_ other: String) -> Bool { lowercased() == other.lowercased() }
}
