import HomePayload
import Layout
import Testing

@Suite struct GoldenDemoTests {
  /// Whoever changes the demo changes these; whoever does not must not.
  @Test(
    arguments: [
      ("home", nil, nil, "6441291e289dda51"), ("home", "vi", nil, "145ad9ac7e2490c8"),
      ("home", "en", "ios", "ce7e0a5e70fd9687"), ("home", "vi", "android", "145ad9ac7e2490c8"),
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
