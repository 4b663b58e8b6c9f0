import JSON
import Layout
import SeededRandom
import Service
import Serving
import Testing

@Suite struct LocaleTests {
  private func locale(_ tag: String) throws -> Locale { try #require(Locale(tag)) }

  private func best(_ field: String, among tags: [String], else fallback: String) throws -> String {
    try PageLocales(tags.map(locale), default: locale(fallback))
      .best(of: LanguageRange.list(acceptLanguage: field.utf8.span)).tag
  }

  @Test(arguments: [
    ("zh-hans-cn", "zh-Hans-CN"), ("EN-us", "en-US"), ("sl-ROZAJ-biske", "sl-rozaj-biske"), ("es-419", "es-419"),
    ("en-u-NU-latn", "en-u-nu-latn"),
  ])
  func `tags are kept in their canonical case`(text: String, tag: String) throws {
    #expect(try locale(text).tag == tag)
  }

  @Test(arguments: [
    "", "-", "z", "zh_Hans", "zh-", "zh--CN", "123", "zh-Hans-CN-x", "engl", "中文",
    "en-x-" + String(repeating: "12345678-", count: 7),
  ])
  func `what is no tag is refused`(text: String) { #expect(Locale(text) == nil) }

  @Test(arguments: [
    ("zh-Hans-CN", "zh-Hans"), ("zh-CN", "zh-Hans"), ("vi-VN, en;q=0.5", "vi"), ("en-GB;q=0.4, vi;q=0.6", "vi"),
    ("fr, en;q=0.1", "en"), ("fr", "zh-Hans"), ("", "zh-Hans"), ("*", "zh-Hans"), ("vi;q=0, *", "zh-Hans"),
    ("zh-Hans;q=0, *;q=0.1", "vi"), ("fr, *;q=0.5", "zh-Hans"), ("en;q=2, vi;q=0.3", "vi"), ("en;q=abc", "zh-Hans"),
    ("zh", "zh-Hans"), ("EN-us", "en"),
  ])
  func `a page chooses the first of the client's languages that it has (RFC 9110 §12.5.4)`(
    field: String, expected: String
  ) throws {
    #expect(try best(field, among: ["zh-Hans", "vi", "en"], else: "zh-Hans") == expected)
  }

  /// Of the ranges that match a locale by its own subtags, the longest decides whether the client takes it (RFC 4647 §3.3.1,
  /// RFC 9110 §12.4.2); a range with a script matches a locale without one only where no other range does.
  private static let excluded: [(String, [String], String)] = [
    // zh-Hant does not match the tag zh-TW, and zh does.
    ("zh;q=0, zh-Hant", ["zh-TW", "zh-CN", "zh", "en"], "en"), ("zh;q=0, zh-Hant", ["en", "zh-TW"], "en"),
    ("zh-Hant, zh;q=0", ["zh-TW", "en"], "en"), ("zh;q=0, zh-Hant", ["zh", "zh-TW", "vi", "en"], "vi"),
    ("zh;q=0, zh-Hant, en;q=0.5", ["vi", "zh-TW", "en"], "en"),
    // What is named longer than what is excluded.
    ("zh;q=0, zh-Hant", ["en", "zh-Hant"], "zh-Hant"), ("zh;q=0, zh-Hant", ["en", "zh-TW", "zh-Hant"], "zh-Hant"),
    ("zh;q=0, zh-Hant", ["en", "zh-Hant-TW"], "zh-Hant-TW"), ("zh;q=0, zh-Hant-TW", ["en", "zh-Hant"], "en"),
    ("zh;q=0, zh-TW", ["en", "zh-CN", "zh-TW"], "zh-TW"), ("zh;q=0, zh-TW", ["en", "zh-Hant", "zh"], "en"),
    ("zh;q=0, zh-TW;q=0.001, en;q=0.5", ["vi", "en", "zh-TW"], "en"),
    ("zh-Hant;q=0, zh", ["en", "zh-Hant", "zh-Hans"], "zh-Hans"), ("zh-Hant;q=0, zh", ["en", "zh-Hant"], "en"),
    ("zh-Hant;q=0, zh, zh-TW;q=0.5", ["en", "zh-TW"], "zh-TW"),
    ("zh-TW;q=0, zh-Hant", ["en", "zh-TW", "zh-HK"], "zh-HK"),
    ("zh-TW;q=0, zh-Hant", ["en", "zh-TW"], "en"), ("zh-TW;q=0, zh", ["en", "zh-TW", "zh-CN"], "zh-CN"),
    // Without another range that matches, the likely script counts.
    ("zh-Hant;q=0", ["zh-TW", "en"], "en"), ("zh-Hant;q=0, zh-Hans", ["zh-TW", "zh-CN"], "zh-CN"),
    ("zh-Hant", ["en", "zh-TW"], "zh-TW"),
    // Both weights for one range, and all excluded: the page's default one.
    ("zh;q=0, zh", ["en", "zh"], "zh"), ("zh;q=0", ["zh-TW"], "zh-TW"),
    ("zh;q=0, zh-Hant", ["zh-TW", "zh-CN"], "zh-TW"),
    ("zh;q=0, en;q=0", ["zh-TW", "en"], "zh-TW"), ("*;q=0", ["zh-TW", "en"], "zh-TW"),
  ]

  @Test(arguments: excluded)
  func `a locale that the longest matching range excludes is not chosen`(
    field: String, tags: [String], expected: String
  ) throws {
    #expect(try best(field, among: tags, else: tags[0]) == expected)
  }

  private static let values: [(String, [String], String?)] = [
    ("zh-Hans-CN", ["zh-Hans-CN", "zh-Hans", "zh", "vi"], "zh-Hans-CN"),
    ("zh-Hans-CN", ["zh-Hans", "zh", "vi"], "zh-Hans"),
    ("zh-Hans-CN", ["zh", "vi"], "zh"), ("zh-Hans-CN", ["vi", "en"], "vi"), ("en", ["vi", "*", "zh"], "*"),
    ("en-GB", ["EN", "vi"], "EN"), ("zh-Hans-CN", ["en"], nil), ("zh-TW", ["zh", "zh-Hant", "vi"], "zh-Hant"),
    ("zh-CN", ["zh-Hant", "zh-Hans"], "zh-Hans"), ("zh-TW", ["zh-Hans", "vi"], "vi"), ("en-u-nu-latn", ["en"], "en"),
    ("zh-Hant", ["zh-TW", "vi"], "vi"),
  ]

  @Test(arguments: values)
  func `a value is that of zh-Hans-CN, zh-Hans, zh, or of the page's default`(
    tag: String, names: [String], expected: String?
  ) throws {
    #expect(try LocaleLookup.name(for: locale(tag), default: locale("vi"), among: names) == expected)
  }

  @Test func `whatever a client asks for, it gets one of the page's locales, and the same again when it asks for that`()
    throws
  {
    var generator = SeededGenerator(seed: 3)
    let tags = ["zh", "zh-Hans", "zh-Hant-TW", "vi", "vi-VN", "en", "en-GB", "fr-CA", "de", "pt-BR"]
    for _ in 0..<2_000 {
      let offered = Array(tags.shuffled(using: &generator).prefix(Int.random(in: 1...5, using: &generator)))
      let fallback = try #require(offered.randomElement(using: &generator))
      let wanted = tags.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator))
      let field = wanted.map { "\($0);q=0.\(Int.random(in: 1...9, using: &generator))" }.joined(separator: ", ")
      let chosen = try best(field, among: offered, else: fallback)
      #expect(offered.contains(chosen))
      #expect(try best(chosen, among: offered, else: fallback) == chosen)
      if wanted.isEmpty { #expect(chosen == fallback) }
    }
  }
}
