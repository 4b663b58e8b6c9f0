import Foundation
import JSON
import Peers
import SeededRandom
import Testing

@testable import HomePayload
@testable import Polling

/// Clients follow what is published at random: each answer is what the server would send, and none may be asked for twice.
@Suite struct FollowingTests {
  @Test func `random publishes are followed in Swift and in TypeScript`() async throws {
    let answers = Self.answers(Trials.count(10_000))
    #expect(answers.count { $0.status == 226 } > answers.count * 8 / 10)
    try await Self.follow(answers)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-follow-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(answers.flatMap { Array("\($0.status)\t\($0.version)\t".utf8) + $0.body + [0x0A] }).write(to: file)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("TypeScriptClient/follow.mjs")
    let (text, status) = try Peer.run("node", [script.path, file.path])
    #expect(status == 0)
    #expect(text.hasPrefix("followed \(answers.count), "), "\(text)")
  }

  private struct Answer: Sendable {
    var status: Int
    var version: String
    var body: [UInt8]
  }

  /// Pages that lead on from one another, now and then another one.
  private static func answers(_ count: Int) -> [Answer] {
    var random = SeededGenerator(seed: 2026)
    var page = RandomPage.page(&random)
    return (0..<count).map { number in
      let old = page
      page = number % 8 == 0 ? RandomPage.page(&random) : RandomPage.changed(old, &random)
      page.version = ""
      page.version = Page.version(of: page.canonicalBytes)
      let isWhole = number == 0 || random.chance(5)
      let body = isWhole ? page.canonicalBytes : ChangeSet.changes(from: old, to: page).canonicalBytes
      return Answer(status: isWhole ? 200 : 226, version: page.version, body: body)
    }
  }

  private static func follow(_ answers: [Answer]) async throws {
    let script = Script(answers)
    let url = try #require(URL(string: "https://home.example.com"))
    var settings = PageClientSettings(server: url)
    settings.timing.pauseMin = 0
    let client = PageClient(settings, transport: { _ in try await script.answer() })
    for answer in answers {
      _ = try await client.poll()
      guard await client.page?.version == answer.version else {
        Issue.record("\(String(describing: await client.page?.version)) is held instead of \(answer.version)")
        return
      }
    }
  }

  /// Answers in turn; nothing is left for whoever asks twice.
  private actor Script {
    private var answers: ArraySlice<Answer>

    init(_ answers: [Answer]) { self.answers = answers[...] }

    func answer() throws -> TransportAnswer {
      guard let answer = answers.popFirst() else { throw ClientError.unreachable("nothing is left") }
      let fields = answer.status == 226 ? ["IM": "hearth-changes"] : [:]
      return TransportAnswer(status: answer.status, fields: fields, body: answer.body)
    }
  }
}
