import Compression
import Foundation
import HearthClient
import HomePayload
import Testing

/// What sends the requests of apps, against a server that means no good.
@Suite struct SessionTests {
  /// Cancelled at any moment near its answer, a poll ends, and the next one is answered.
  @Test func `a poll that is cancelled near its answer stops nobody`() async throws {
    try await withServer(Array(repeating: .whole(Sample.first), count: 400)) { client, _ in
      for turn in 0..<300 {
        let poll = Task { try await client.poll() }
        for _ in 0..<(turn * 7) { await Task.yield() }
        poll.cancel()
        _ = try? await poll.value
      }
      _ = try await client.poll()
      #expect(await client.page == Sample.first)
    }
  }

  @Test func `a client key goes to no other server`() async throws {
    try await withServer([.whole(Sample.first)]) { other, elsewhere in
      let there = await other.settings.server.absoluteString
      let moved = Scripted(status: 307, fields: [("Location", "\(there)/v1/pages/home")])
      let change: (inout PageClientSettings) -> Void = { $0.clientKey = "secret" }
      try await withServer([moved], settings: change) { client, script in
        let update = try await client.poll()
        #expect(update?.page == Sample.first)
        #expect(script.asked.map(\.key) == ["secret"])
      }
      #expect(elsewhere.asked.map(\.key) == [""])
    }
    let here = Scripted(status: 307, fields: [("Location", "/v1/pages/home")])
    try await withServer([here, .whole(Sample.first)], settings: { $0.clientKey = "secret" }) { client, script in
      _ = try await client.poll()
      #expect(script.asked.map(\.key) == ["secret", "secret"])
    }
  }

  @Test func `a body has a limit, unpacked`() async throws {
    let bomb = Scripted(
      status: 200, fields: [("Content-Encoding", "gzip")],
      body: Gzip.compress(Array(repeating: UInt8(ascii: " "), count: 8 << 20)))
    let long = Scripted(status: 200, body: Array(repeating: UInt8(ascii: " "), count: 2 << 20))
    try await withServer([bomb, long, .whole(Sample.first)], settings: { $0.bodyMax = 1 << 20 }) { client, _ in
      for _ in 0..<2 {
        await #expect(throws: ClientError.tooLong(1 << 20)) { try await client.poll() }
      }
      let update = try await client.poll()
      #expect(update?.page == Sample.first)
    }
  }

  @Test func `lengths that are no lengths, and answers that break off, are no answer`() async throws {
    let whole = Sample.first.canonicalBytes
    let lies: [Scripted] = [
      Scripted(status: 200, fields: [("Content-Encoding", "gzip")], body: whole),
      Scripted(status: 200, fields: [("Content-Encoding", "gzip")], body: Array(Gzip.compress(whole).dropLast(9))),
      Scripted(status: 200, body: Array(whole.dropLast())),
    ]
    try await withServer(lies + [.whole(Sample.first)]) { client, _ in
      for _ in lies {
        await #expect(throws: ClientError.self) { try await client.poll() }
        #expect(await client.page == nil)
      }
      let update = try await client.poll()
      #expect(update?.page == Sample.first)
    }
  }
}
