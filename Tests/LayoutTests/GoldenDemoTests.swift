import HomePayload
import Layout
import Testing

@Suite struct GoldenDemoTests {
  /// Whoever changes the demo changes these; whoever does not must not.
  @Test(
    arguments: [
      ("home", nil, nil, "697438d8f1518059"), ("home", "vi", nil, "0b779e9e74aa54cb"),
      ("home", "en", "ios", "c1d894fd54c88862"), ("home", "vi", "android", "0b779e9e74aa54cb"),
      ("activity-spring", nil, nil, "a24dac1c6f8a3668"),
    ] as [(String, String?, String?, String)])
  func `the bytes of the demo are what they were`(
    page: String, locale: String?, platform: String?, version: String
  ) throws {
    var assembled = try Screen(page).page(locale: locale, platform.map { ["platform": .text($0)] } ?? [:])
    assembled.version = "0123456789abcdef"
    #expect(Fingerprint.of(assembled.canonicalBytes).prefix(16) == version)
  }
}
