import Foundation
import JSON
import Layout
import Peers
import Storage
import Testing

/// What feeding services push and publish: once, and beside each other.
@Suite struct PushTests {
  private static let force = ["If-Match": "*"]
  private static let section = "/pages/home/sections/bottom"

  private static func content(_ titles: String...) -> String {
    let items = titles.map { #"{"id": "\#($0)", "kind": "navigation", "content": {"title": "\#($0)"}}"# }
    return #"{"items": [\#(items.joined(separator: ","))]}"#
  }

  private static func item(_ title: String) -> String { #"{"kind": "navigation", "content": {"title": "\#(title)"}}"# }

  private static func auditCount(_ server: RunningServer) async throws -> Int? {
    try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first?["id"]?.int
  }

  private static func revisions(_ server: RunningServer) async throws -> [Int] {
    try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.compactMap {
      $0["revision"]?.int
    } ?? []
  }

  /// The ids of the items of the section as clients see them.
  private static func live(_ server: RunningServer) async throws -> [String] {
    let sections = try await server.get("/v1/home").json["sections"]?.array ?? []
    return sections.first { $0["id"] == "bottom" }?["items"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  private static func draft(_ server: RunningServer) async throws -> [String] {
    try await server.admin("GET", section + "/content").json["items"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  @Test(arguments: ["content", "items/b"]) func `a push that changes nothing makes nothing (S1.4)`(
    path: String
  ) async throws {
    try await withServer { server in
      let body = path == "content" ? Self.content("b") : Self.item("b")
      let first = try await server.admin("PUT", "\(Self.section)/\(path)?publish=true", body)
      #expect(first.status == 200, "\(first.text)")
      let revisions = try await Self.revisions(server)
      #expect(revisions == [2, 1])
      let audit = try await Self.auditCount(server)
      let draft = try await server.admin("GET", "/pages/home/draft")["ETag"]
      let size = try await server.store.size()
      for _ in 0..<300 {
        let again = try await server.admin("PUT", "\(Self.section)/\(path)?publish=true", body)
        #expect(again.status == 200)
        #expect(again["Hearth-Revision"] == first["Hearth-Revision"])
        #expect(again["ETag"] == first["ETag"])
        #expect(again.body == first.body)
      }
      #expect(try await Self.revisions(server) == revisions)
      #expect(try await Self.auditCount(server) == audit)
      #expect(try await server.admin("GET", "/pages/home/draft")["ETag"] == draft)
      // PostgreSQL adds a page now and then for itself; a row of each push would be more than two.
      let grown = try await server.store.size() - size
      #expect(TestEngine.isPostgreSQL ? grown <= 16_384 : grown == 0)
    }
  }

  @Test func `a push to the draft that changes nothing makes nothing`() async throws {
    try await withServer { server in
      let put = try await server.admin("PUT", Self.section + "/content", Self.content("x", "y"))
      let item = try await server.admin("PUT", Self.section + "/items/y", Self.item("y"))
      #expect(item.status == 200)
      let audit = try await Self.auditCount(server)
      let draft = try await server.admin("GET", "/pages/home/draft")["ETag"]
      let again = try await server.admin("PUT", Self.section + "/content", Self.content("x", "y"))
      #expect(again.status == 200)
      #expect(again["ETag"] == put["ETag"])
      #expect(try await server.admin("PUT", Self.section + "/items/y", Self.item("y"))["ETag"] == item["ETag"])
      #expect(try await Self.auditCount(server) == audit)
      #expect(try await server.admin("GET", "/pages/home/draft")["ETag"] == draft)
    }
  }

  @Test func `texts that look alike and are not the same are other content`() async throws {
    try await withServer { server in
      let composed = #"{"items": [{"id": "x", "kind": "navigation", "content": {"title": "\u00e9"}}]}"#
      let decomposed = #"{"items": [{"id": "x", "kind": "navigation", "content": {"title": "e\u0301"}}]}"#
      for (body, revision) in [(composed, 2), (decomposed, 3), (decomposed, 3), (composed, 4)] {
        let reply = try await server.admin("PUT", Self.section + "/content?publish=true", body)
        #expect(reply.status == 200)
        #expect(try await Self.revisions(server).first == revision)
      }
    }
  }

  @Test func `a push of what is live already changes the draft alone, where that is something else`() async throws {
    try await withServer { server in
      #expect(try await server.admin("PUT", Self.section + "/content", Self.content("unfinished")).status == 200)
      let live = try await server.admin("GET", "/pages/home/revisions/1").json["sections"]?.array?.last
      let body = JSON.object(["items": try #require(live?["items"])]).canonicalText
      #expect(try await server.admin("PUT", Self.section + "/content?publish=true", body).status == 200)
      #expect(try await Self.revisions(server) == [1])
      #expect(try await Self.draft(server) == ["b"])
      let entry = try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first
      #expect(entry?["action"] == "content.put")
      #expect(try await server.admin("GET", "/pages/home/draft").json["isChanged"] == false)
    }
  }

  @Test func `a push of what the draft has already is published, and its tag stays`() async throws {
    try await withServer { server in
      let put = try await server.admin("PUT", Self.section + "/content", Self.content("x"))
      let published = try await server.admin("PUT", Self.section + "/content?publish=true", Self.content("x"))
      #expect(published["ETag"] == put["ETag"])
      #expect(try await Self.revisions(server) == [2, 1])
      #expect(try await Self.live(server) == ["x"])
    }
  }

  @Test func `conditions and kinds count for a push that changes nothing too`() async throws {
    try await withServer { server in
      #expect(try await server.admin("PUT", Self.section + "/content?publish=true", Self.content("x")).status == 200)
      for fields in [["If-Match": "\"0\""], ["If-None-Match": "*"]] {
        let reply = try await server.admin("PUT", Self.section + "/content?publish=true", Self.content("x"), fields)
        #expect(reply.status == 412, "\(fields)")
      }
    }
  }

  @Test func `two sources feed one section, each its items, and neither undoes the other (S1.9)`() async throws {
    try await withServer { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for source in ["left", "right"] {
          group.addTask {
            for number in 0..<10 {
              let path = "\(Self.section)/items/\(source).\(number % 3)?publish=true"
              let reply = try await server.admin("PUT", path, Self.item("\(source) \(number)"))
              #expect([200, 201].contains(reply.status), "\(reply.text)")
            }
          }
        }
        try await group.waitForAll()
      }
      let expected: Set = ["b", "left.0", "left.1", "left.2", "right.0", "right.1", "right.2"]
      let (live, draft) = (try await Self.live(server), try await Self.draft(server))
      #expect(Set(live) == expected)
      #expect(live == draft)
      #expect(try await server.admin("GET", "/pages/home/draft").json["isChanged"] == false)
    }
  }

  @Test func `an item is published alone: nothing else of the draft, not even of its section`() async throws {
    try await withServer { server in
      #expect(try await server.admin("PUT", Self.section + "/items/unfinished", Self.item("u")).status == 201)
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", Self.force).status == 204)
      let made = try await server.admin("PUT", Self.section + "/items/done?publish=true", Self.item("d"))
      #expect(made.status == 201, "\(made.text)")
      #expect(made["Hearth-Revision"]?.hasSuffix("2") == true)
      #expect(try await Self.live(server) == ["b", "done"])
      #expect(try await Self.draft(server) == ["b", "unfinished", "done"])
      #expect(try await server.get("/v1/home").sections == ["top", "middle", "bottom"])
      let revision = try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.first
      #expect(revision?["kind"] == "content")
      let entry = try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first
      #expect(entry?["action"] == "item.publish")
      #expect(entry?["item"] == "done")
      #expect(entry?["section"] == "bottom")
      let again = try await server.admin("PUT", Self.section + "/items/done?publish=true", Self.item("new"))
      #expect(again.status == 200)
      #expect(try await Self.live(server) == ["b", "done"])
    }
  }

  @Test func `an item gets the place that it has in the draft`() async throws {
    try await withServer { server in
      #expect(try await server.admin("PUT", Self.section + "/content", Self.content("x", "b", "y", "z")).status == 200)
      for (id, order) in [("z", ["b", "z"]), ("x", ["x", "b", "z"]), ("y", ["x", "b", "y", "z"])] {
        let reply = try await server.admin("PUT", "\(Self.section)/items/\(id)?publish=true", Self.item(id))
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try await Self.live(server) == order)
      }
    }
  }

  @Test func `an item that stands in a slot is published in its slot`() async throws {
    try await withServer { server in
      let path = "/pages/home/sections/middle/items/middle.hot?publish=true"
      let reply = try await server.admin("PUT", path, Self.item("Hotter"))
      #expect(reply.status == 200, "\(reply.text)")
      let section = try await server.get("/v1/pages/home/sections/middle").json
      #expect(section["slots"]?["hot"]?["content"]?["title"] == "Hotter")
      #expect(section["items"]?.array?.count == 1)
    }
  }

  @Test func `an item is taken off what is live, and nothing else is`() async throws {
    try await withServer { server in
      #expect(try await server.admin("PUT", Self.section + "/items/c?publish=true", Self.item("c")).status == 201)
      #expect(try await server.admin("PUT", Self.section + "/items/unfinished", Self.item("u")).status == 201)
      let gone = try await server.admin("DELETE", Self.section + "/items/b?publish=true")
      #expect(gone.status == 204, "\(gone.text)")
      #expect(gone["Hearth-Revision"]?.hasSuffix("3") == true)
      #expect(try await Self.live(server) == ["c"])
      #expect(try await Self.draft(server) == ["c", "unfinished"])
      let entry = try await server.admin("GET", "/audit?action=item.delete").json["entries"]?.array?.first
      #expect(entry?["item"] == "b")
      let again = try await server.admin("DELETE", Self.section + "/items/b?publish=true")
      #expect(again.status == 404)
      #expect(again.code == "unknown-item")
    }
  }

  @Test func `an item that only the draft lost, or only the draft has, is taken off all the same`() async throws {
    try await withServer { server in
      #expect(try await server.admin("DELETE", Self.section + "/items/b").status == 204)
      #expect(try await Self.live(server) == ["b"])
      #expect(try await server.admin("DELETE", Self.section + "/items/b?publish=true").status == 204)
      #expect(try await Self.live(server) == [])
      #expect(try await server.admin("PUT", Self.section + "/items/n", Self.item("n")).status == 201)
      let revisions = try await Self.revisions(server)
      #expect(try await server.admin("DELETE", Self.section + "/items/n?publish=true").status == 204)
      #expect(try await Self.draft(server) == [])
      #expect(try await Self.revisions(server) == revisions)
    }
  }

  @Test func `an item of a section that is not live, or of another kind, is refused and changes nothing`() async throws
  {
    try await withServer { server in
      let section = #"{"kind": "broadcast"}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/new", section).status == 201)
      let early = try await server.admin("PUT", "/pages/home/sections/new/items/x?publish=true", Self.item("x"))
      #expect(early.status == 409)
      #expect(early.code == "not-published")
      let wrong = #"{"kind": "title", "content": {"text": "T"}}"#
      let refused = try await server.admin("PUT", Self.section + "/items/x?publish=true", wrong)
      #expect(refused.status == 422)
      let stale = try await server.admin(
        "PUT", Self.section + "/items/b?publish=true", Self.item("n"), ["If-Match": "\"0\""])
      #expect(stale.status == 412)
      #expect(try await Self.draft(server) == ["b"])
      #expect(try await Self.revisions(server) == [1])
    }
  }
}
