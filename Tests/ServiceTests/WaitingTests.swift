import JSON
import Layout
import Testing

/// What is published by its name, what waits for its time, and what becomes of both when they meet.
@Suite struct WaitingTests {
  private static let force = ["If-Match": "*"]

  private static func send(
    _ server: RunningServer, _ method: String, _ path: String, _ body: String, status: Int = 200
  ) async throws -> JSON {
    let reply = try await server.admin(method, "/pages/home" + path, body, force)
    #expect(reply.status == status, "\(method) \(path): \(reply.text)")
    return reply.json
  }

  /// Gives a section a title, which clients do not see, and one item of that name, which they do.
  private static func fill(_ server: RunningServer, _ section: String, _ name: String) async throws {
    let content = #"{"items": [{"id": "\#(name)", "kind": "navigation", "content": {"title": "\#(name)"}}]}"#
    _ = try await send(server, "PUT", "/sections/\(section)/content", content)
  }

  private static func schedule(
    _ server: RunningServer, _ members: String, in seconds: Int64 = 600, status: Int = 201
  ) async throws -> JSON {
    let at = server.clock.now.adding(seconds: seconds)
    return try await send(server, "POST", "/scheduled", #"{"at": "\#(at)", \#(members)}"#, status: status)
  }

  private static func publish(_ server: RunningServer, _ body: String, status: Int = 200) async throws -> JSON {
    try await send(server, "POST", "/publish", body, status: status)
  }

  private static func comeDue(_ server: RunningServer) async throws {
    server.clock.advance(by: 600)
    try await server.servesScheduled()
  }

  /// The items of each section as clients get them.
  private static func live(_ server: RunningServer) async throws -> [String: [String]] {
    let sections = try await server.get("/v1/home").json["sections"]?.array ?? []
    return Dictionary(
      uniqueKeysWithValues: sections.map { section in
        (section["id"]?.string ?? "", (section["items"]?.array ?? []).compactMap { $0["id"]?.string })
      })
  }

  @Test func `a schedule that names a section undoes nothing that is published meanwhile`() async throws {
    try await withServer { server in
      try await Self.fill(server, "bottom", "banner")
      _ = try await Self.schedule(server, #""sections": ["bottom"]"#)
      try await Self.fill(server, "middle", "corrected")
      _ = try await Self.publish(server, #"{"sections": ["middle"]}"#)
      #expect(try await Self.live(server)["bottom"] == ["b"])
      try await Self.comeDue(server)
      let live = try await Self.live(server)
      #expect(live["middle"] == ["corrected"])
      #expect(live["bottom"] == ["banner"])
    }
  }

  @Test func `settings, rules and the order are published by name, and the rest stays`() async throws {
    try await withServer { server in
      let draft = try await server.admin("GET", "/pages/home").json
      var settings = draft.object ?? JSONObject()
      settings["pollInterval"] = 60
      _ = try await Self.send(server, "PUT", "", JSON.object(settings).canonicalText)
      let rule = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "indices": {"middle": -1}}"#
      _ = try await Self.send(server, "PUT", "/sort-rules/ios", rule, status: 201)
      _ = try await Self.send(server, "PUT", "/order", #"{"sections": ["bottom", "middle", "top"]}"#)
      try await Self.fill(server, "middle", "new")
      let all = try await server.admin("GET", "/pages/home/draft").json["changedParts"]
      #expect(all == ["sections": ["middle"], "settings": true, "rules": ["ios"], "order": true])

      _ = try await Self.publish(server, #"{"rules": ["ios"]}"#)
      #expect(try await server.get("/v1/home").sections == ["top", "middle", "bottom"])
      #expect(try await server.get("/v1/home?platform=ios").sections == ["middle", "top", "bottom"])
      _ = try await Self.publish(server, #"{"order": true}"#)
      #expect(try await server.get("/v1/home").sections == ["bottom", "middle", "top"])
      #expect(try await Self.live(server)["middle"] == ["a"])
      _ = try await Self.publish(server, #"{"settings": true}"#)
      let left = try await server.admin("GET", "/pages/home/draft").json
      #expect(left["changedParts"] == ["sections": ["middle"]])
      _ = try await Self.publish(server, #"{"sections": ["middle"]}"#)
      let none = try await server.admin("GET", "/pages/home/draft").json
      #expect(none["changedParts"] == [:])
      #expect(none["isChanged"] == false)
    }
  }

  @Test func `a draft says who changed what differs from what is live`() async throws {
    try await withServer { server in
      func told() async throws -> JSON? { try await server.admin("GET", "/pages/home/draft").json["lastChanges"] }
      #expect(try await told() == [:])
      let made = try await server.admin("POST", "/tokens", #"{"name": "mei", "role": "editor"}"#)
      let asMei = Self.force.merging(["Authorization": "Bearer \(made.json["token"]?.string ?? "")"]) { own, _ in own }
      let author = try await server.admin("GET", "/whoami").json["name"]?.string ?? ""
      let draft = try await server.admin("GET", "/pages/home").json
      var settings = draft.object ?? JSONObject()
      settings["pollInterval"] = 60
      _ = try await Self.send(server, "PUT", "", JSON.object(settings).canonicalText)
      let content = #"{"items": [{"id": "new", "kind": "navigation", "content": {"title": "new"}}]}"#
      let path = "/pages/home/sections"
      _ = try await server.admin("PUT", path + "/middle/content", content, asMei)
      server.clock.advance(by: 60)
      let before = server.clock.now.description
      _ = try await Self.send(server, "POST", "/sections/middle/hide", "{}", status: 204)
      _ = try await server.admin("DELETE", path + "/top", nil, asMei)
      _ = try await Self.send(server, "PUT", "/order", #"{"sections": ["bottom", "middle"]}"#)
      let rule = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "indices": {"middle": -1}}"#
      _ = try await server.admin("PUT", "/pages/home/sort-rules/ios", rule, asMei)
      let changes = try await told()
      // Seconds pass meanwhile; written so, earlier times come first.
      let times = before...server.clock.now.description
      for (section, by) in [("middle", [.string(author), "mei"]), ("top", ["mei"] as [JSON])] {
        #expect(changes?["sections"]?[section]?["by"] == .array(by))
        #expect(changes?["sections"]?[section]?["at"]?.string.map(times.contains) == true)
      }
      #expect(changes?["sections"]?["bottom"] == nil)
      #expect(changes?["settings"]?["by"] == [.string(author)])
      #expect(changes?["rules"]?["ios"]?["by"] == ["mei"])
      #expect(changes?["rules"]?["ios"]?["at"]?.string.map(times.contains) == true)
      _ = try await Self.publish(server, #"{"sections": ["middle", "top"]}"#)
      #expect(try await told()?["sections"] == nil)
    }
  }

  @Test func `settings, rules and the order are scheduled by name`() async throws {
    try await withServer { server in
      let rule = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "indices": {"middle": -1}}"#
      _ = try await Self.send(server, "PUT", "/sort-rules/ios", rule, status: 201)
      _ = try await Self.send(server, "PUT", "/order", #"{"sections": ["bottom", "middle", "top"]}"#)
      let made = try await Self.schedule(server, #""rules": ["ios"], "order": true"#)
      #expect(made["rules"] == ["ios"])
      #expect(made["order"] == true)
      #expect(made["revision"] == nil)
      // What is made of the draft later is no matter to it.
      _ = try await Self.send(server, "PUT", "/order", #"{"sections": ["middle", "bottom", "top"]}"#)
      try await Self.fill(server, "middle", "new")
      _ = try await Self.publish(server, #"{"sections": ["middle"], "waiting": "leave"}"#)
      try await Self.comeDue(server)
      #expect(try await server.get("/v1/home").sections == ["bottom", "middle", "top"])
      #expect(try await server.get("/v1/home?platform=ios").sections == ["middle", "bottom", "top"])
      #expect(try await Self.live(server)["middle"] == ["new"])
    }
  }

  @Test(arguments: ["carry", "leave"])
  func `what waits is published only with a word of what becomes of it`(choice: String) async throws {
    try await withServer { server in
      try await Self.fill(server, "bottom", "banner")
      let made = try await Self.schedule(server, #""sections": ["bottom"]"#)
      try await Self.fill(server, "bottom", "corrected")
      let dry = try await Self.send(server, "POST", "/publish?dryRun=true", #"{"sections": ["bottom"]}"#)
      let at = made["at"] ?? .null
      let waiting: JSON = ["at": at, "author": "tester", "id": 1, "sections": ["bottom"], "zone": "UTC"]
      #expect(dry["waiting"] == [waiting])
      let refused = try await Self.publish(server, #"{"sections": ["bottom"]}"#, status: 409)
      #expect(refused["code"] == "waits-in-schedule")
      #expect(refused["waiting"] == [waiting])
      #expect(try await Self.live(server)["bottom"] == ["b"])
      _ = try await Self.publish(server, #"{"sections": ["bottom"], "waiting": "\#(choice)"}"#)
      #expect(try await Self.live(server)["bottom"] == ["corrected"])
      let list = try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.first
      #expect(list?["publishedSince"] == (choice == "leave" ? ["sections": ["bottom"]] : nil))
      try await Self.comeDue(server)
      #expect(try await Self.live(server)["bottom"] == [choice == "leave" ? "banner" : "corrected"])
    }
  }

  @Test(arguments: [nil, "carry", "leave"] as [String?])
  func `a rollback says what it meets, and carries or leaves it without being asked`(choice: String?) async throws {
    try await withServer { server in
      try await Self.fill(server, "bottom", "wrong")
      _ = try await Self.publish(server, "{}")
      try await Self.fill(server, "bottom", "banner")
      let made = try await Self.schedule(server, #""sections": ["bottom"]"#)
      let dry = try await Self.send(server, "POST", "/rollback?dryRun=true", #"{"revision": 1}"#)
      let at = made["at"] ?? .null
      #expect(dry["waiting"] == [["at": at, "author": "tester", "id": 1, "sections": ["bottom"], "zone": "UTC"]])
      #expect(dry["isPublishable"] == true)
      #expect(try await Self.live(server)["bottom"] == ["wrong"], "a dry run does nothing")
      let word = choice.map { #", "waiting": "\#($0)""# } ?? ""
      _ = try await Self.send(server, "POST", "/rollback", #"{"revision": 1\#(word)}"#)
      #expect(try await Self.live(server)["bottom"] == ["b"])
      let list = try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.first
      #expect(list?["publishedSince"] == (choice == "carry" ? nil : ["sections": ["bottom"]]))
      try await Self.comeDue(server)
      #expect(try await Self.live(server)["bottom"] == [choice == "carry" ? "b" : "banner"])
    }
  }

  @Test(arguments: ["carry", "leave"])
  func `of a whole page each place waits, settings and rules too`(choice: String) async throws {
    try await withServer { server in
      _ = try await Self.send(server, "PUT", "/order", #"{"sections": ["bottom", "middle", "top"]}"#)
      _ = try await Self.schedule(server, #""message": "all""#)
      let rule = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "indices": {"middle": -1}}"#
      _ = try await Self.send(server, "PUT", "/sort-rules/ios", rule, status: 201)
      try await Self.fill(server, "middle", "corrected")
      let body = #"{"sections": ["middle"], "rules": ["ios"]}"#
      let refused = try await Self.publish(server, body, status: 409)
      #expect(refused["waiting"]?.array?.first?["sections"] == ["middle"])
      #expect(refused["waiting"]?.array?.first?["rules"] == ["ios"])
      _ = try await Self.publish(server, #"{"sections": ["middle"], "rules": ["ios"], "waiting": "\#(choice)"}"#)
      try await Self.comeDue(server)
      #expect(try await server.get("/v1/home").sections == ["bottom", "middle", "top"])
      #expect(try await Self.live(server)["middle"] == [choice == "leave" ? "a" : "corrected"])
      let ios = try await server.get("/v1/home?platform=ios").sections
      #expect(ios == (choice == "leave" ? ["bottom", "middle", "top"] : ["middle", "bottom", "top"]))
    }
  }

  @Test func `what waits for a later time goes over what is set for an earlier one, and tells so`() async throws {
    try await withServer { server in
      try await Self.fill(server, "bottom", "later")
      _ = try await Self.schedule(server, #""sections": ["bottom"]"#, in: 1_200)
      try await Self.fill(server, "bottom", "sooner")
      _ = try await Self.schedule(server, #""sections": ["bottom"]"#)
      let scheduled = try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array ?? []
      let later = try #require(scheduled.first { $0["publishedSince"] != nil })
      #expect(later["id"] == scheduled.last?["id"])
      _ = try await Self.schedule(server, #""sections": ["bottom"], "waiting": "carry""#)
      // What was set for later goes over it, as whoever sets it sees.
      _ = try await Self.schedule(server, #""sections": ["bottom"]"#, in: 1_800)
    }
  }

  @Test func `what a publish takes off at once is said before, with the time at which it returns`() async throws {
    try await withServer { server in
      let returns = server.clock.now.adding(seconds: 86_400)
      for section in ["top", "middle"] {
        let path = "/sections/\(section)"
        let reply = try await server.admin("GET", "/pages/home" + path).json
        var body = reply.object ?? JSONObject()
        body["schedule"] = ["from": .string(returns.description)]
        _ = try await Self.send(server, "PUT", path, JSON.object(body).canonicalText)
      }
      let one = try await Self.send(server, "POST", "/publish?dryRun=true", #"{"sections": ["top"]}"#)
      #expect(one["disappears"] == [["section": "top", "returns": .string(returns.description)]])
      #expect(one["problems"] == [])
      #expect(one["summary"]?.array?.contains(.string("top disappears now, returns at \(returns)")) == true)
      let values: JSON = ["section": "top", "returns": .string(returns.description)]
      let sentence: JSON = ["code": "section-disappears", "values": values]
      #expect(one["sentences"]?.array?.contains(sentence) == true)

      let both = try await Self.send(server, "POST", "/publish?dryRun=true", "{}")
      #expect(both["isPublishable"] == true)
      let problem = both["problems"]?.array?.first
      #expect(problem?["code"] == "loses-sections")
      #expect(problem?["severity"] == "warning")
      #expect(problem?["sentence"]?["values"] == ["lost": 2, "count": 3])

      _ = try await Self.send(server, "POST", "/sections/bottom/hide", "{}", status: 204)
      let hidden = try await Self.send(server, "POST", "/publish?dryRun=true", #"{"sections": ["bottom"]}"#)
      #expect(hidden["disappears"] == [["section": "bottom"]])
      #expect(hidden["summary"] == ["hid bottom"])
    }
  }

  @Test(arguments: [
    (#"{"sections": []}"#, "/sections"), (#"{"rules": []}"#, "/sections"), (#"{"settings": false}"#, "/settings"),
    (#"{"order": 1}"#, "/order"), (#"{"rules": "ios"}"#, "/rules"), (#"{"waiting": "ask"}"#, "/waiting"),
  ])
  func `parts that name nothing, or no parts, are refused at their place`(body: String, pointer: String) async throws {
    try await withServer { server in
      let reply = try await Self.publish(server, body, status: 422)
      #expect(reply["errors"]?.array?.contains { $0["pointer"]?.string == pointer } == true, "\(reply)")
    }
  }

  @Test func `a rule and an audience that are not there are refused by name`() async throws {
    try await withServer { server in
      for (body, code) in [
        (#"{"rules": ["gone"]}"#, "unknown-sort-rule"), (#"{"rules": ["default"]}"#, "unknown-sort-rule"),
        (#"{"audiences": ["gone"]}"#, "unknown-audience"),
      ] {
        let refused = try await Self.publish(server, body, status: 404)
        #expect(refused["code"]?.string == code)
      }
    }
  }
}
