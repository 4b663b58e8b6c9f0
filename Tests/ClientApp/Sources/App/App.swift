import Foundation
import HearthClient
import HomePayload

/// Prints what there is to show of a server's home, as many states as it is told to: `App SERVER FILE COUNT`.
@main struct App {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let server = URL(string: words[1]), let count = Int(words[3]) else { exit(64) }
    var settings = PageClientSettings(server: server)
    settings.platform = "ios"
    settings.appVersion = "6.0.0"
    settings.locale = "en"
    settings.bucket = Bucket.of(deviceID: "6f1c2a34-9b0d-4c1e-8f55-2d7e01b3a9c4")
    settings.wait = 20
    // A test is short.
    settings.timing.spread = 0
    settings.timing.pauseMin = 0.01
    settings.timing.pauseMax = 0.05
    let client = PageClient(settings, storage: .file(URL(fileURLWithPath: words[2])))
    var seen = 0
    for await state in client.states {
      print(name(of: state.standing), state.page?.version ?? "-", state.page?.sections.first?.id ?? "-")
      fflush(nil)
      seen += 1
      if seen == count { break }
    }
    await client.enterBackground()
  }

  private static func name(of standing: PageState.Standing) -> String {
    switch standing {
    case .noData: "noData"
    case .cached: "cached"
    case .upToDate: "upToDate"
    case .stale: "stale"
    }
  }
}
