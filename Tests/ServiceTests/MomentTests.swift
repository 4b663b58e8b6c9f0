import JSON
import Layout
import Testing

/// Parts of one revision before and after a flip: what belongs together tells so (`Hearth-Moment`).
@Suite struct MomentTests {
  private static let force = ["If-Match": "*"]

  /// Has a section begin, and publishes that.
  private static func schedule(_ section: String, _ schedule: String, on server: RunningServer) async throws {
    let body = #"{"kind": "grid", "schedule": \#(schedule)}"#
    #expect(try await server.admin("PUT", "/pages/home/sections/\(section)", body, force).status == 200)
    #expect(try await server.admin("POST", "/pages/home/publish", "{}", force).status == 200)
  }

  @Test func `a rule from before a flip and sections from after it are told apart, though all say one revision`()
    async throws
  {
    try await withServer { server in
      let flip = Instant.now.adding(seconds: 6)
      try await Self.schedule("top", #"{"from": "\#(flip)"}"#, on: server)
      let rule = try await server.get("/v1/pages/home/sort-rule")
      let absent = try await server.get("/v1/pages/home/sections/top")
      let unknown = try await server.get("/v1/pages/home/sections/nowhere")
      let early = try await server.get("/v1/pages/home/sections/middle")
      let held = ["If-None-Match": try #require(early["ETag"])]
      let same = try await server.get("/v1/pages/home/sections/middle", held)
      #expect([rule, absent, unknown, early, same].map(\.status) == [200, 404, 404, 200, 304])
      for reply in [rule, absent, unknown, early, same] { #expect(reply["Hearth-Moment"] == "none") }

      try await waitUntil { try await server.get("/v1/pages/home/sections/top").status == 200 }
      let top = try await server.get("/v1/pages/home/sections/top")
      let late = try await server.get("/v1/pages/home/sections/middle")
      let still = try await server.get("/v1/pages/home/sections/bottom?again")
      let missing = try await server.get("/v1/pages/home/sections/nowhere")
      // What is joined is torn: the rule knows nothing of the section, and nothing but the moment says so.
      let order = rule.json["order"]?.array ?? []
      #expect(!order.contains("top"))
      for reply in [top, late, still, missing] {
        #expect(reply["Hearth-Revision"] == rule["Hearth-Revision"])
        #expect(reply["Hearth-Moment"] == flip.description)
        #expect(reply["Hearth-Moment"] != rule["Hearth-Moment"])
      }
      let confirmed = try await server.get(
        "/v1/pages/home/sections/middle", ["If-None-Match": try #require(late["ETag"])])
      #expect(confirmed.status == 304)
      #expect(confirmed["Hearth-Moment"] == flip.description)
      // Asked for again, the rule is of the same moment.
      let again = try await server.get("/v1/pages/home/sort-rule")
      #expect(again["Hearth-Moment"] == flip.description)
      #expect(again.json["order"]?.array?.first?.string == "top")
      // A page is whole, and a part of a list is of its list.
      #expect(try await server.get("/v1/home")["Hearth-Moment"] == nil)
    }
  }

  @Test func `a flip that is of something else for somebody else has all parts go on to its moment together`()
    async throws
  {
    try await withServer { server in
      let flip = Instant.now.adding(seconds: 6)
      let members = #"{"from": "\#(flip)"}, "audience": {"attribute": "memberTier", "atLeast": 5}"#
      try await Self.schedule("top", members, on: server)
      let paths = ["sort-rule", "sections/middle", "sections/bottom"]
      for path in paths {
        let reply = try await server.get("/v1/pages/home/\(path)")
        #expect(reply["Hearth-Moment"] == "none", "\(path)")
      }
      try await waitUntil {
        try await server.get("/v1/pages/home/sections/nowhere")["Hearth-Moment"] == flip.description
      }
      for path in paths {
        let reply = try await server.get("/v1/pages/home/\(path)")
        #expect(reply["Hearth-Moment"] == flip.description, "\(path)")
      }
    }
  }
}
