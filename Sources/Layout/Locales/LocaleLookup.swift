import JSON

/// A page's locales, for lookups of what clients ask for: RFC 4647 §3.4, where a tag without a script has its likely
/// one.
///
/// The page's own tags are analysed once, since strangers may send new ranges with every poll.
public struct PageLocales: Sendable {
  private let all: [LookupTag]
  private let fallback: LookupTag
  private let languages: Set<String>

  /// A page's locales.
  ///
  /// - Parameter fallback: The page's default locale.
  public init(_ locales: [Locale], default fallback: Locale) {
    all = locales.map { LookupTag($0) }
    self.fallback = LookupTag(fallback)
    languages = Set(locales.map(\.language))
  }

  /// The locale that a client gets.
  ///
  /// Range by range, in the order of their weights: the longest of the locales that lookup of the range comes by. Where no
  /// range leads anywhere, the first locale of the same language and script as a range will do, and else the page's
  /// default one. What a weight of 0 excludes is taken only when everything is excluded. `*` says nothing: RFC 4647 §3.4.
  public func best(of ranges: [LanguageRange]) -> Locale {
    let named = ranges.compactMap { range in
      range.locale.flatMap { locale in
        languages.contains(locale.language) ? (tag: LookupTag(locale), isOpen: range.isAcceptable) : nil
      }
    }
    let exclusions = Exclusions(named)
    let open = exclusions.isEmpty ? all : all.filter { !exclusions.excludes($0) }
    for (tag, isOpen) in named where isOpen {
      if let found = tag.lookup(in: open) { return found.locale }
    }
    for (tag, isOpen) in named where isOpen {
      if let related = tag.firstRelated(in: open) { return related.locale }
    }
    return exclusions.excludes(fallback) ? open.first?.locale ?? fallback.locale : fallback.locale
  }
}

/// Finds the best value for a locale (RFC 4647 §3.4).
public enum LocaleLookup {
  /// A text for a locale, of a text for all or a map from locale to text; `nil` when the map has none.
  static func text(_ json: JSON, for locale: Locale, default fallback: Locale) -> String? {
    guard case .object(let map) = json else { return json.string }
    return name(for: locale, default: fallback, among: map.names).flatMap { map[$0]?.string }
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
private struct LookupTag: Sendable {
  /// With which script a tag is compared.
  enum Form { case named, likely }

  let locale: Locale
  /// The tag as it is, and with its script. Both end in a hyphen: what begins with another begins with its subtags.
  private let named: String
  private let likely: String
  /// The language and the script, or the language alone.
  let family: String

  init(_ locale: Locale) {
    self.locale = locale
    named = locale.tag + "-"
    let script = locale.script
    let language = locale.language + "-"
    family = script.map { language + $0 + "-" } ?? language
    // A tag that names its script begins with it already.
    likely = named.hasPrefix(family) ? named : family + named.dropFirst(language.utf8.count)
  }

  subscript(form: Form) -> String { form == .named ? named : likely }

  /// The longest of the locales that the lookup chain comes by: with scripts first, so that `zh-TW` leads to `zh-Hant`
  /// before `zh`; of those that are the same with their scripts, the one that the tag itself comes by.
  func lookup(in locales: [LookupTag]) -> LookupTag? {
    longest(of: locales, by: .likely) ?? longest(of: locales, by: .named)
  }

  private func longest(of locales: [LookupTag], by form: Form) -> LookupTag? {
    var best: (position: Int, length: Int, named: Int)?
    for (position, candidate) in locales.enumerated() where self[form].hasPrefix(candidate[form]) {
      let length = candidate[form].utf8.count
      let count = named.hasPrefix(candidate.named) ? candidate.named.utf8.count : 0
      if let best, (best.length, best.named) >= (length, count) { continue }
      best = (position, length, count)
    }
    return best.map { locales[$0.position] }
  }

  /// The first locale of the same language and script.
  func firstRelated(in locales: [LookupTag]) -> LookupTag? { locales.first { $0.family == family } }
}

/// What a client excludes by a weight of 0 (RFC 9110 §12.4.2): of the ranges that match a locale, the longest decides.
private struct Exclusions {
  private let ranges: [(tag: LookupTag, isOpen: Bool)]
  let isEmpty: Bool

  init(_ ranges: [(tag: LookupTag, isOpen: Bool)]) {
    isEmpty = ranges.allSatisfy(\.isOpen)
    self.ranges = isEmpty ? [] : ranges
  }

  func excludes(_ locale: LookupTag) -> Bool {
    verdict(on: locale, by: .named) ?? verdict(on: locale, by: .likely) ?? false
  }

  /// What the longest range says that matches a locale; of the same range twice, that it is open.
  private func verdict(on locale: LookupTag, by form: LookupTag.Form) -> Bool? {
    var longest: (length: Int, isOpen: Bool)?
    for (range, isOpen) in ranges where locale[form].hasPrefix(range[form]) {
      let length = range[form].utf8.count
      if let known = longest, known.length > length || (known.length == length && known.isOpen) { continue }
      longest = (length, isOpen)
    }
    return longest.map { !$0.isOpen }
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
