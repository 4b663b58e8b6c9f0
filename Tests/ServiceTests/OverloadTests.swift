import JSON
import Serving
import Service
import Testing

/// More first uses of variants than may wait.
@Suite struct OverloadTests {
  /// A home whose sections are for one more hundredth of the clients each, so that every bucket gets a page of its own.
  private static let home: String = {
    let items = (0..<40).map { "{id: i\($0), kind: navigation, content: {title: Item \($0)}}" }.joined(separator: ", ")
    let sections = (1..<100).map {
      "{id: s\($0), kind: broadcast, audience: {attribute: bucket, atLeast: \($0)}, items: [\(items)]}"
    }
    return "hearth: 1\npages: {home: {defaultLocale: en, sections: [\(sections.joined(separator: ", "))]}}"
  }()

  @Test func `a poll that would wait behind too many is a 503 that says when to try again, and then is served`()
    async throws
  {
    try await withServer([Self.home], settings: { $0.polls.assembliesMax = 1 }) { server in
      let replies = try await withThrowingTaskGroup(of: (Int, Reply).self) { group in
        for bucket in 0..<40 {
          group.addTask { (bucket, try await server.get("/v1/home?bucket=\(bucket)")) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(replies.map(\.1.status)) == [200, 503])
      for (bucket, reply) in replies where reply.status == 503 {
        #expect(reply.code == "overloaded")
        #expect(reply["Retry-After"] == "1")
        try await waitUntil { try await server.get("/v1/home?bucket=\(bucket)").status == 200 }
      }
      // What is ready is served whatever waits.
      for (bucket, _) in replies {
        let page = try await server.get("/v1/home?bucket=\(bucket)")
        #expect(page.status == 200)
        #expect(page.sections.count == bucket)
      }
    }
  }
}
