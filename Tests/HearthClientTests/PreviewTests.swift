import Foundation
import Testing

@testable import Polling

/// A client that shows what a preview link does.
@Suite struct PreviewTests {
  @Test func `the text of a link is sent beside what the client says of itself`() throws {
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.platform = "ios"
    settings.preview = "abc"
    #expect(
      PageRequest.url(settings)?.absoluteString == "https://home.example.com/v1/pages/home?platform=ios&preview=abc")
    settings.preview = nil
    #expect(PageRequest.url(settings)?.absoluteString == "https://home.example.com/v1/pages/home?platform=ios")
  }
}
