/// Finds the best locale for a client's ranges and the best value for a locale: lookup of RFC 4647 §3.4, in which a tag
/// without a script has its likely one.
public enum LocaleLookup {
  /// The locale that a client gets of those that a page has.
  ///
  /// Range by range, in the order of their weights: the longest of the locales that lookup of the range comes by. Where no
  /// range leads anywhere, the first locale of the same language and script as a range will do, and else the page's
  /// default one. What a weight of 0 excludes is taken only when everything is excluded. `*` says nothing: RFC 4647 §3.4.
  public static func best(of ranges: [LanguageRange], among locales: [Locale], else fallback: Locale) -> Locale {
    let languages = Set(locales.map(\.language))
    // What strangers send costs no more than a look, unless it is of a language that the page has.
    let named = ranges.filter { $0.locale.map { languages.contains($0.language) } ?? false }
    let exclusions = Exclusions(named)
    let open = locales.map { LookupTag($0) }.filter { !exclusions.excludes($0) }
    let wanted = named.filter(\.isAcceptable).compactMap { $0.locale.map { LookupTag($0) } }
    let found = wanted.lazy.compactMap { $0.lookup(in: open) }.first
    let related = { wanted.lazy.compactMap { $0.firstRelated(in: open) }.first }
    guard let best = found ?? related() else {
      return open.contains { $0.locale == fallback } ? fallback : open.first?.locale ?? fallback
    }
    return best.locale
  }

  /// The name, among those of a map from locale to value, that is best for a locale.
  ///
  /// What lookup comes by, then `*`, any other locale, then what it comes by for the page's default locale.
  public static func name(for locale: Locale, default fallback: Locale, among names: [String]) -> String? {
    if names.contains(locale.tag) { return locale.tag }
    if let name = name(for: locale, among: names) { return name }
    return names.contains("*") ? "*" : name(for: fallback, among: names)
  }

  private static func name(for locale: Locale, among names: [String]) -> String? {
    let language = locale.language
    let known = names.filter { $0.lowercased().hasPrefix(language) }.compactMap { name in
      Locale(name).map { (name: name, tag: LookupTag($0)) }
    }
    guard !known.isEmpty, let found = LookupTag(locale).lookup(in: known.map(\.tag)) else { return nil }
    return known.first { $0.tag.locale == found.locale }?.name
  }
}

/// A locale as lookup compares it: by its tag, and by its tag with the script.
private struct LookupTag {
  let locale: Locale
  let scripted: String

  init(_ locale: Locale) {
    self.locale = locale
    scripted = locale.scripted
  }

  /// The longest of the locales that the lookup chain comes by: with scripts first, so that `zh-TW` leads to `zh-Hant`
  /// before `zh`; of those that are the same with their scripts, the one that the tag itself comes by.
  func lookup(in locales: [LookupTag]) -> LookupTag? {
    longest(of: locales.filter { $0.scripted.isRange(of: scripted) }, by: \.scripted)
      ?? longest(of: locales.filter { $0.locale.tag.isRange(of: locale.tag) }, by: \.locale.tag)
  }

  private func longest(of locales: [LookupTag], by tag: (LookupTag) -> String) -> LookupTag? {
    let length = locales.map { tag($0).utf8.count }.max()
    let longest = locales.filter { tag($0).utf8.count == length }
    let named = longest.filter { $0.locale.tag.isRange(of: locale.tag) }
    return named.max { $0.locale.tag.utf8.count < $1.locale.tag.utf8.count } ?? longest.first
  }

  /// The first locale of the same language and script.
  func firstRelated(in locales: [LookupTag]) -> LookupTag? {
    let subtags = scripted.split(separator: "-").prefix(2)
    let hasScript = subtags.count == 2 && subtags[1].utf8.count == 4
    let range = hasScript ? subtags.joined(separator: "-") : locale.language
    return locales.first { range.isRange(of: $0.scripted) }
  }
}

/// What a client excludes by a weight of 0 (RFC 9110 §12.4.2): of the ranges that match a locale, the longest decides.
private struct Exclusions {
  private let ranges: [(tag: LookupTag, isOpen: Bool)]

  init(_ ranges: [LanguageRange]) {
    let excludes = ranges.contains { !$0.isAcceptable }
    self.ranges =
      excludes ? ranges.compactMap { range in range.locale.map { (LookupTag($0), range.isAcceptable) } } : []
  }

  func excludes(_ locale: LookupTag) -> Bool {
    verdict(on: locale, by: \.locale.tag) ?? verdict(on: locale, by: \.scripted) ?? false
  }

  /// What the longest range says that matches a locale.
  private func verdict(on locale: LookupTag, by tag: (LookupTag) -> String) -> Bool? {
    let matching = ranges.filter { tag($0.tag).isRange(of: tag(locale)) }
    guard let length = matching.map({ tag($0.tag).utf8.count }).max() else { return nil }
    return !matching.contains { $0.isOpen && tag($0.tag).utf8.count == length }
  }
}

extension String {
  /// Whether a tag is this one or begins with its subtags (RFC 4647 §3.3.1); both are in their canonical case.
  fileprivate func isRange(of tag: String) -> Bool {
    let (range, tag) = (utf8, tag.utf8)
    guard range.count < tag.count else { return range.count == tag.count && range.elementsEqual(tag) }
    return tag.starts(with: range) && tag[tag.index(tag.startIndex, offsetBy: range.count)] == UInt8(ascii: "-")
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
}
