import Foundation
import JSON
import Layout
import Storage
import Testing

@testable import Service

/// What an operator has typed is seen before it is saved, as it will be then, and leaves no trace.
@Suite struct UnsavedTests {
  private static let path = "/pages/home/preview"
  private static let query = "?locale=en&platform=ios&at=2031-01-01T00:00:00Z"
  private static let force = ["If-Match": "*"]

  /// What may be unsaved of a page, and the place that takes the same: a member of the preview's body, one within it and
  /// one within that; a body that is taken, and one that is wrong.
  private struct Place: Sendable {
    var path: String
    var members: [String]
    var body: String
    var wrong: String

    /// The body of a preview.
    func unsaved(_ body: String) -> String {
      members.reversed().reduce(body) { #"{"\#($1)": \#($0)}"# }
    }
  }

  private static let places = [
    Place(
      path: "/pages/home", members: ["settings"],
      body: #"{"title": "House", "displayTitle": "House", "defaultLocale": "en", "locales": ["en"]}"#,
      wrong: #"{"defaultLocale": "en", "pollInterval": "often"}"#),
    Place(
      path: "/pages/home/sections/middle", members: ["sections", "middle"],
      body: #"{"kind": "broadcast", "audience": {"attribute": "memberTier", "atLeast": 1}}"#,
      wrong: #"{"kind": "broadcast", "layout": {"style": "spiral"}}"#),
    Place(
      path: "/pages/home/sections/new", members: ["sections", "new"],
      body: #"{"kind": "broadcast", "items": [{"id": "n", "kind": "navigation", "content": {"title": "N"}}]}"#,
      wrong: #"{"kind": "unknown"}"#),
    Place(
      path: "/pages/home/sections/bottom/content", members: ["content", "bottom"],
      body: """
        {"items": [{"id": "c", "kind": "navigation", "content": {"title": {"en": "C", "*": "丙"}}, "keepOnTop": true},
          {"id": "b", "kind": "navigation", "content": {"title": "B"}, "schedule": {"from": "2032-01-01T00:00:00Z"}}],
         "slots": {"hot": {"kind": "navigation", "content": {"title": "Hot"}}}}
        """,
      wrong: #"{"items": [{"id": "b", "kind": "navigation", "content": {"title": ""}}]}"#),
    Place(
      path: "/pages/home/sections/top/items/pay", members: ["items", "top", "pay"],
      body: #"{"kind": "navigation", "content": {"title": {"zh-Hans": "付钱", "en": "Pay up"}}}"#,
      wrong: #"{"kind": "navigation", "content": {}}"#),
    Place(
      path: "/pages/home/sections/top/items/later", members: ["items", "top", "later"],
      body: #"{"kind": "navigation", "content": {"title": "Later"}}"#,
      wrong: #"{"kind": "navigation", "content": {"title": "Later", "colour": "red"}}"#),
    Place(
      path: "/pages/home/sort-rules/all", members: ["rules", "all"],
      body: #"{"audience": {"attribute": "platform", "in": ["ios"]}, "indices": {"bottom": -1}, "priority": 3}"#,
      wrong: #"{"audience": {"attribute": "shoeSize", "atLeast": 1}}"#),
    Place(
      path: "/pages/home/order", members: ["order"], body: #"{"sections": ["bottom", "top", "middle"]}"#,
      wrong: #"{"sections": ["bottom", "top", "attic", "middle"]}"#),
  ]

  @Test(arguments: places.indices)
  func `what is unsaved is seen as it is once it is saved, and nothing is stored of it`(index: Int) async throws {
    let place = Self.places[index]
    try await withServer { server in
      let stored = try await server.store.everything()
      let before = try await server.admin("GET", Self.path + Self.query).json
      let seen = try await server.admin("POST", Self.path + Self.query, place.unsaved(place.body))
      #expect(seen.status == 200, "\(seen.text)")
      #expect(seen.json != before, "\(place.path)")
      #expect(try await server.store.everything() == stored)
      let saved = try await server.admin("PUT", place.path, place.body, Self.force)
      #expect(saved.status < 300, "\(saved.text)")
      let after = try await server.admin("GET", Self.path + Self.query).json
      #expect(seen.json == after, "\(place.path)")
    }
  }

  @Test(arguments: places.indices)
  func `what is wrong is told as a save tells it, at its place in the body`(index: Int) async throws {
    let place = Self.places[index]
    try await withServer { server in
      let stored = try await server.store.everything()
      let saved = try await server.admin("PUT", place.path, place.wrong, Self.force)
      let seen = try await server.admin("POST", Self.path, place.unsaved(place.wrong))
      #expect(saved.status == 422 && seen.status == 422, "\(saved.text), \(seen.text)")
      #expect(try await server.store.everything() == stored)
      let told = try #require(saved.json["errors"]?.array)
      let prefix = place.members.map { "/" + $0 }.joined()
      let moved = told.map { problem in
        var object = problem.object ?? JSONObject()
        object["pointer"] = .string(prefix + (problem["pointer"]?.string ?? ""))
        return JSON.object(object)
      }
      #expect(seen.json["errors"]?.array == moved, "\(seen.text)")
    }
  }

  @Test func `all that is unsaved is laid over the draft together, and all that is wrong told at once`() async throws {
    try await withServer { server in
      let body = """
        {"sections": {"middle": {"kind": "broadcast", "hidden": true}},
         "items": {"top": {"scan": {"kind": "navigation", "content": {"title": "Scan now"}}}},
         "order": {"sections": ["bottom", "middle", "top"]}}
        """
      let seen = try await server.admin("POST", Self.path + Self.query, body)
      #expect(seen.sections == ["bottom", "top"], "\(seen.text)")
      #expect(seen.json["hidden"] == [["section": "middle", "reason": "hidden"]])
      #expect(seen.json["sections"]?.array?.last?["items"]?.array?.first?["content"] == ["title": "Scan now"])
      let wrong = #"{"colour": 1, "sections": [], "rules": {"all": 5}, "items": {"top": {"scan": 5}}, "order": {}}"#
      let told = try await server.admin("POST", Self.path, wrong)
      #expect(told.status == 422 && told.code == "invalid-content")
      #expect(
        Set(told.json["errors"]?.array?.compactMap { $0["pointer"]?.string } ?? [])
          == ["/colour", "/sections", "/rules/all", "/items/top/scan", "/order/sections"], "\(told.text)")
    }
  }

  /// What is seen of a body, and of the page once its parts are saved one after the other.
  private func seenAndSaved(
    _ server: RunningServer, _ body: String, _ saves: [(path: String, body: String)]
  ) async throws -> (seen: JSON, saved: JSON) {
    let seen = try await server.admin("POST", Self.path + Self.query, body)
    #expect(seen.status == 200, "\(seen.text)")
    for save in saves {
      let saved = try await server.admin("PUT", "/pages/home" + save.path, save.body, Self.force)
      #expect(saved.status < 300, "\(saved.text)")
    }
    return (seen.json, try await server.admin("GET", Self.path + Self.query).json)
  }

  @Test(arguments: [false, true])
  func `an item that comes back stands where it stood, and is hidden if it was`(isHidden: Bool) async throws {
    let item = #"{"id": "scan", "kind": "navigation", "content": {"title": "Back"}}"#
    let place = "/pages/home/sections/top/items/scan"
    try await withServer { server in
      let filler = #"{"kind": "navigation", "content": {"title": "Filler"}}"#
      _ = try await server.admin("PUT", "/pages/home/sections/top/items/filler", filler, Self.force)
      if isHidden { _ = try await server.admin("POST", place + "/hide", "", Self.force) }
      #expect(try await server.admin("DELETE", place, "", Self.force).status == 204)
      let (seen, saved) = try await seenAndSaved(
        server, #"{"items": {"top": {"scan": \#(item)}}}"#, [("/sections/top/items/scan", item)])
      #expect(seen == saved)
      #expect(try await server.admin("DELETE", place, "", Self.force).status == 204)
      let content = #"{"items": [\#(item)]}"#
      let (typed, kept) = try await seenAndSaved(
        server, #"{"content": {"top": \#(content)}}"#, [("/sections/top/content", content)])
      #expect(typed == kept)
    }
  }

  @Test func `new sections get the places and indices that they get when they are saved`() async throws {
    try await withServer { server in
      func section(_ item: String, _ more: String) -> String { #"{"kind": "broadcast", "items": [\#(item)]\#(more)}"# }
      func item(_ id: String) -> String { #"{"id": "\#(id)", "kind": "navigation", "content": {"title": "N"}}"# }
      let bodies = [
        ("alpha", section(item("n1"), "")), ("bottom", section(item("n2"), #", "index": 500"#)),
        ("cedar", section(item("n3"), "")), ("delta", section(item("n4"), #", "index": 1000000"#)),
        ("edge", section(item("n5"), "")),
      ]
      // Of an object's members none is first: they are taken by their names.
      let members = bodies.map { #""\#($0.0)": \#($0.1)"# }
      let (seen, saved) = try await seenAndSaved(
        server, #"{"sections": {\#(members.joined(separator: ", "))}}"#, bodies.map { ("/sections/\($0.0)", $0.1) })
      #expect(seen == saved)
    }
  }

  @Test func `what would be too much is refused as a save refuses it`() async throws {
    var limits = LayoutLimits()
    (limits.sectionsMax, limits.itemsMax, limits.sortRulesMax) = (3, 3, 1)
    try await withServer(limits: limits) { server in
      func item(_ id: String) -> String { #""\#(id)": {"kind": "navigation", "content": {"title": "N"}}"# }
      for (body, path, own) in [
        (#"{"sections": {"one": {"kind": "broadcast"}}}"#, "/sections/one", #"{"kind": "broadcast"}"#),
        (
          #"{"rules": {"ios": {"audience": {"attribute": "platform", "in": ["ios"]}}}}"#, "/sort-rules/ios",
          #"{"audience": {"attribute": "platform", "in": ["ios"]}}"#
        ),
      ] {
        let (seen, saved) = (
          try await server.admin("POST", Self.path, body),
          try await server.admin("PUT", "/pages/home" + path, own, Self.force)
        )
        #expect(seen.status == 409 && seen.code == saved.code, "\(seen.text) \(saved.text)")
      }
      let many = (0..<9).map { item("n\($0)") }.joined(separator: ", ")
      let told = try await server.admin("POST", Self.path, #"{"items": {"top": {\#(many)}}}"#)
      #expect(
        told.json["errors"]?.array?.compactMap { $0["pointer"]?.string } == ["/items/top/n0/items"], "\(told.text)")
    }
  }

  @Test func `an item that is wrong makes no other one wrong, however many there are`() async throws {
    try await withServer { server in
      let right = #""scan": {"kind": "navigation", "content": {"title": "Right"}}"#
      let wrong = (0..<60).map { #""w\#($0)": {"kind": "navigation", "content": {}}"# }
      let told = try await server.admin(
        "POST", Self.path, #"{"items": {"top": {\#(([right] + wrong).joined(separator: ", "))}}}"#)
      let places = told.json["errors"]?.array?.compactMap { $0["pointer"]?.string } ?? []
      #expect(Set(places) == Set((0..<60).map { "/items/top/w\($0)/content/title" }), "\(told.text)")
      #expect(places.count == 60)
    }
  }

  @Test func `what is not there is missed as a save misses it`() async throws {
    try await withServer { server async throws in
      for (body, code) in [
        (#"{"items": {"attic": {"a": {"kind": "navigation", "content": {"title": "A"}}}}}"#, "unknown-section"),
        (#"{"content": {"attic": {}}}"#, "unknown-section"),
        (#"{"order": {"sections": ["top", "middle", "bottom"], "rule": "ios"}}"#, "unknown-sort-rule"),
        (#"{"sections": {"no name": {"kind": "grid"}}}"#, "invalid-name"),
      ] {
        #expect(try await server.admin("POST", Self.path, body).code == code)
      }
      #expect(try await server.admin("POST", "/pages/attic/preview", "{}").code == "unknown-page")
      #expect(try await server.admin("POST", Self.path + "?revision=live", "{}").code == "unknown-parameter")
      #expect(try await server.admin("POST", Self.path, "5").code == "invalid-content")
    }
  }

  @Test func `a long list that is unsaved is read on from where its page ends`() async throws {
    try await withServer { server in
      let items = (0..<9).map { #"{"id": "i\#($0)", "kind": "navigation", "content": {"title": "T\#($0)"}}"# }
      let unsaved = """
        {"sections": {"bottom": {"kind": "broadcast", "firstItems": 3}},
         "content": {"bottom": {"items": [\(items.joined(separator: ", "))]}}}
        """
      let stored = try await server.store.everything()
      let page = try await server.admin("POST", Self.path + Self.query, unsaved).json
      let section = try #require(page["sections"]?.array?.last)
      #expect(section["items"]?.array?.count == 3 && section["more"]?["count"] == 6, "\(section)")
      let rest = try await server.admin(
        "POST", Self.path + "/sections/bottom/items" + Self.query + "&offset=3", unsaved)
      #expect(rest.json["of"] == section["more"]?["of"], "\(rest.text)")
      #expect(rest.json["items"]?.array?.compactMap { $0["id"]?.string } == (3..<9).map { "i\($0)" })
      #expect(try await server.store.everything() == stored)
    }
  }

  @Test func `whoever may look may look at what is unsaved, within the token's scopes`() async throws {
    try await withServer { server in
      let unsaved = #"{"items": {"top": {"scan": {"kind": "navigation", "content": {"title": "Now"}}}}}"#
      let cases: [([String], Int)] = [([], 200), (["home"], 200), (["home/middle"], 200), (["activity"], 403)]
      for (scopes, status) in cases {
        let token = try await server.store.createToken(
          name: "looker", role: .viewer, scopes: scopes, by: Actor(name: "test")
        ).text.text
        let seen = try await server.admin("POST", Self.path, unsaved, ["Authorization": "Bearer \(token)"])
        #expect(seen.status == status, "\(scopes): \(seen.text)")
        let key = ["Authorization": "Bearer \(token)", "Idempotency-Key": "once"]
        #expect(try await server.admin("POST", Self.path, unsaved, key)["Idempotency-Replayed"] == nil)
      }
      #expect(try await server.store.everything().allSatisfy { !$0.contains("idempotency_keys") })
    }
  }
}
