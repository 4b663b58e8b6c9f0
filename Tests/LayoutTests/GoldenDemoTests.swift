import HomePayload
import Layout
import Testing

@Suite struct GoldenDemoTests {
  /// Whoever changes the demo changes these; whoever does not must not.
  @Test(
    arguments: [
      ("home", nil, nil, "19d5b060690ad141"), ("home", "vi", nil, "a13ad209a0a5af68"),
      ("home", "en", "ios", "37d75a4998208f00"), ("home", "vi", "android", "a13ad209a0a5af68"),
      ("activity-spring", nil, nil, "c8552de272ab082a"),
    ] as [(String, String?, String?, String)])
  func `the bytes of the demo are what they were`(
    page: String, locale: String?, platform: String?, version: String
  ) throws {
    var assembled = try Screen(page).page(locale: locale, platform.map { ["platform": .text($0)] } ?? [:])
    assembled.version = "0123456789abcdef"
    #expect(Fingerprint.of(assembled.canonicalBytes).prefix(16) == version)
  }
}
