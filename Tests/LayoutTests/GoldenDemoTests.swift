import HomePayload
import Layout
import Testing

@Suite struct GoldenDemoTests {
  /// Whoever changes the demo changes these; whoever does not must not.
  @Test(
    arguments: [
      ("home", nil, nil, "073e3f70eb13e8f7"), ("home", "vi", nil, "fcff522683415324"),
      ("home", "en", "ios", "ca12b7948d4d7f98"), ("home", "vi", "android", "fcff522683415324"),
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
