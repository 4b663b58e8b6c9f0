import Foundation
import JSON
import Testing

/// The program itself, as a shell or a supervisor sees it: exit statuses, what it says, and what it leaves alone.
@Suite struct ProgramTests {
  @Test(arguments: [
    (#"{"type": "integer"}"#, "1", 0, #""valid":true"#),
    (#"{"type": "integer"}"#, #"{"a": "b"}"#, 1, #""keyword":"type""#),
    (#"{"type": "integer"}"#, "1,", 1, #""keyword":"json""#),
    (#"{"properties": {"a": {"type": "intger"}}}"#, "1", 78, #""pointer":"/properties/a/type""#),
  ])
  func `kinds validate answers by its status, and with problems as JSON`(
    schema: String, document: String, status: Int32, word: String
  ) throws {
    let workshop = try Workshop()
    let path = try workshop.write(schema, to: "schema.json")
    let piped = try workshop.run(["kinds", "validate", path], input: document)
    #expect(piped.status == status)
    #expect(piped.output.contains(word), "\(piped.output)")
    let file = try workshop.write(document, to: "document.json")
    #expect(try workshop.run(["kinds", "validate", path, file]).output == piped.output)
  }

  @Test func `kinds diff says whom a change breaks, and kinds check which content`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    #expect(try workshop.run(["kinds", "check"] + workshop.place).status == 0)
    let path = workshop.config + "/kinds.yaml"
    let old = try workshop.write(try String(contentsOfFile: path, encoding: .utf8), to: "old.yaml")
    #expect(try workshop.run(["kinds", "diff", old, workshop.config]).status == 0)
    var kinds = try String(contentsOfFile: path, encoding: .utf8)
    kinds.replace("maxLength: 8\n", with: "maxLength: 1\n", maxReplacements: 1)
    try kinds.write(toFile: path, atomically: true, encoding: .utf8)
    let diff = try workshop.run(["kinds", "diff", old, workshop.config])
    #expect(diff.status == 1)
    #expect(diff.output == "breaks content: /itemKinds/navigation/content/badge maxLength is 1, was 8\n")
    #expect(diff.error == "hearth: 1 breaks content that is published or drafted\n")
    let json = try workshop.run(["kinds", "diff", old, path, "--json"]).output
    #expect(json.hasPrefix(#"[{"breaks":["content"],"change":"narrower","detail":"#), "\(json)")
    let check = try workshop.run(["kinds", "check"] + workshop.place)
    #expect(check.status == 1)
    for state in ["home live: /sections/", "home draft: /sections/"] {
      #expect(check.output.contains(state), "\(check)")
    }
    #expect(try workshop.run(["kinds", "diff", old, workshop.folder + "/none.yaml"]).status == 78)
  }

  @Test(arguments: [
    ("hearth.yaml", "publik: {listen: \"127.0.0.1:0\"}\n", ["hearth.yaml", "publik"]),
    ("hearth.yaml", "public: {loops: many}\n", ["hearth.yaml", "public.loops", "many"]),
    (
      "kinds.yaml",
      "itemKinds:\n  card:\n    title: Card\n    content: {type: object, propertees: {}}\nsectionKinds: {}\n",
      ["kinds.yaml", "card", "propertees"]
    ),
    ("kinds.yaml", "itemKinds: [\n", ["kinds.yaml"]),
  ])
  func `a wrong setting or schema refuses to start, and names its place (exit 78)`(
    file: String, text: String, words: [String]
  ) throws {
    let workshop = try Workshop()
    try text.write(toFile: workshop.config + "/" + file, atomically: true, encoding: .utf8)
    let result = try workshop.run(workshop.serving)
    #expect(result.status == 78)
    for word in words { #expect(result.error.contains(word), "\(result.error)") }
    #expect(!FileManager.default.fileExists(atPath: workshop.database))
  }

  @Test func `an unknown variable refuses to start too`() throws {
    let workshop = try Workshop()
    let result = try workshop.run(workshop.serving, environment: ["HEARTH_PUBLIC_LOOPZ": "3"])
    #expect(result.status == 78)
    #expect(result.error.contains("HEARTH_PUBLIC_LOOPZ"))
  }

  @Test func `a file that is no database is refused and left as it is (exit 74)`() throws {
    let workshop = try Workshop()
    let text = String(repeating: "This is no database. ", count: 100)
    _ = try workshop.write(text, to: "hearth.db")
    let result = try workshop.run(workshop.serving)
    #expect(result.status == 74)
    #expect(result.error.contains("not an SQLite database"))
    #expect(try String(contentsOfFile: workshop.database, encoding: .utf8) == text)
  }

  @Test func `a command whose output did not arrive says so (exit 74), and replaces no device`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let commands = [
      ["export"], ["token", "create", "--name", "lost", "--role", "viewer"], ["token", "list"], ["migrate", "status"],
      ["generate", "swift"],
    ]
    for command in commands {
      let place = command[0] == "migrate" ? ["--database", workshop.database] : workshop.place
      let arguments = command + (command[0] == "generate" ? Array(place.prefix(2)) : place)
      let result = try workshop.run(arguments, redirected: "> /dev/full")
      #expect(result.status == 74, "\(command) \(result.error)")
      #expect(result.error.contains("standard output"), "\(result.error)")
    }
    let direct = try workshop.run(["export", "--output", "/dev/full"] + workshop.place)
    #expect(direct.status == 74)
    #expect(direct.error.contains("/dev/full cannot be written"), "\(direct.error)")
    #expect(
      try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType
        == .typeCharacterSpecial)
  }

  @Test func `migrate up applies all, and status says so`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up", "--database", workshop.database]).status == 0)
    let status = try workshop.run(["migrate", "status", "--database", workshop.database])
    #expect(status.status == 0)
    #expect(!status.output.contains("pending"))
  }

  @Test func `a server ends with 0 on SIGTERM; its database and its port are its own until then`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo", "--config", workshop.config, "--database", workshop.database]).status == 0)
    let server = try workshop.serve()
    let second = try workshop.run(workshop.serving)
    #expect(second.status == 74)
    #expect(second.error.contains("locked"))
    var other = workshop.serving
    other[4] = workshop.folder + "/other.db"
    other[6] = "127.0.0.1:\(server.polls)"
    #expect(try workshop.run(["migrate", "up", "--database", other[4]]).status == 0)
    let third = try workshop.run(other)
    #expect(third.status == 69)
    #expect(third.error.contains("127.0.0.1:\(server.polls)"))
    #expect(server.end() == 0)
    #expect(server.process.terminationReason == .exit)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal to end drains: what waits is answered, and the status is 0`(signal: Int32) async throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let server = try workshop.serve()
    let polls = server.polls
    let tag = try #require(try await ask(polls, "/v1/home").fields["etag"])
    async let waiting = ask(
      polls, "/v1/home", fields: ["If-None-Match": tag, "Prefer": "wait=60"])
    try await eventually { try await server.metric("hearth_http_waiting{listener=\"public\"}") == 1 }
    #expect(server.end(signal) == 0)
    #expect(server.process.terminationReason == .exit)
    #expect(try await waiting.status == 304)
  }

  @Test func `a hangup reloads the kinds, and the log says what came of it`() async throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let server = try workshop.serve()
    let file = workshop.config + "/kinds.yaml"
    let kinds = try String(contentsOfFile: file, encoding: .utf8)
    try kinds.replacing("title: 导航 Navigation", with: "title: Navigation").write(
      toFile: file, atomically: true, encoding: .utf8)
    kill(server.process.processIdentifier, SIGHUP)
    try server.read(until: "the kinds are those of the file")
    #expect(try await ask(server.polls, "/v1/home").fields["hearth-revision"] == "1.2")
    try "itemKinds: [".write(toFile: file, atomically: true, encoding: .utf8)
    kill(server.process.processIdentifier, SIGHUP)
    try server.read(until: "the kinds were not reloaded")
    #expect(server.text.contains("kinds.yaml:2"), "\(server.text)")
    #expect(try await ask(server.polls, "/v1/home").status == 200)
    #expect(server.end() == 0)
  }

  @Test func `under nohup a hangup changes nothing`() async throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let server = try workshop.serve(after: "trap '' HUP;")
    kill(server.process.processIdentifier, SIGHUP)
    for _ in 0..<20 { #expect(try await ask(server.polls, "/v1/home").status == 200) }
    // Nobody is told to send it one.
    let file = workshop.config + "/kinds.yaml"
    let kinds = try String(contentsOfFile: file, encoding: .utf8)
    let more = "\nsectionKinds:\n  extras: {layout: {style: list}, items: {kinds: [navigation]}}\n"
    try kinds.replacing("\nsectionKinds:\n", with: more).write(toFile: file, atomically: true, encoding: .utf8)
    let document = try workshop.write(
      "hearth: 1\npages: {more: {defaultLocale: en, sections: [{id: only, kind: extras}]}}\n", to: "more.yaml")
    let imported = try workshop.run(["import", document, "--publish"] + workshop.place)
    #expect(imported.status == 0, "\(imported.error)")
    #expect(imported.error.contains("have it read it: POST /admin/v1/kinds/reload (it ignores SIGHUP)\n"))
    #expect(server.end() == 0)
  }

  @Test func `an import keeps what its document does not name; its publish stops where lint finds errors`() throws {
    let workshop = try Workshop()
    let place = ["--config", workshop.config, "--database", workshop.database]
    #expect(try workshop.run(["demo"] + place).status == 0)
    func document(_ section: String) throws -> String {
      let page = "{title: Home, defaultLocale: zh-Hans, locales: [zh-Hans, en, vi], sections: [\(section)]}"
      return try workshop.write("hearth: 1\npages: {home: \(page)}\n", to: "part.yaml")
    }
    let part = try document("{id: otc, kind: otc}")
    #expect(try workshop.run(["import", part] + place).output == "changed: home\n")
    #expect(try workshop.run(["import", part] + place).output == "unchanged: home\n")
    let deleted = try workshop.run(["import", part, "--delete", "--dry-run"] + place)
    #expect(deleted.output.contains("deleted: activity-spring"), "\(deleted.output)")
    #expect(deleted.output.contains("deleted audiences: springTrial"))
    let other = try workshop.run(["import", document("{id: otc, kind: walletCard}")] + place)
    #expect(other.status == 1)
    #expect(other.error.hasPrefix("hearth: /pages/home/sections/0/items "), "\(other.error)")
    let wrong = try workshop.run(
      ["import", document("{id: card, kind: walletCard, audience: nobody}"), "--publish"] + place)
    #expect(wrong.status == 1)
    #expect(wrong.error.contains("/audience"), "\(wrong.error)")
    let empty = try workshop.run(["import", document("{id: card, kind: walletCard}"), "--publish"] + place)
    #expect(empty.status == 0, "\(empty.error)")
  }

  @Test func `an import publishes what waits in a schedule when it says what becomes of that`() async throws {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let server = try workshop.serve()
    let page = "{title: Start, defaultLocale: zh-Hans, locales: [zh-Hans, en, vi]}"
    let document = try workshop.write("hearth: 1\npages: {home: \(page)}\n", to: "title.yaml")
    let scheduled = try await ask(
      server.admin, "/admin/v1/pages/home/scheduled", method: "POST", token: token,
      body: #"{"at": "2099-01-01T00:00:00", "zone": "UTC"}"#)
    #expect(scheduled.status == 201, "\(scheduled.text)")
    let asked = try workshop.run(["import", document, "--publish"] + workshop.place)
    #expect(asked.status == 1)
    #expect(asked.output == "changed: home\n")
    #expect(asked.error.contains("home is not published"), "\(asked.error)")
    #expect(asked.error.contains("at 2099-01-01T00:00:00Z; say --waiting carry"), "\(asked.error)")
    func passed() async throws -> JSON? {
      let list = try await ask(server.admin, "/admin/v1/pages/home/scheduled", token: token)
      return try JSON.parse(Array(list.text.utf8))["scheduled"]?.array?.first?["publishedSince"]
    }
    #expect(try await passed() == nil)
    let left = try workshop.run(["import", document, "--publish", "--waiting", "leave"] + workshop.place)
    #expect(left.status == 0 && left.output.contains("home: published as revision 2"), "\(left.output)\(left.error)")
    #expect(try await passed()?["settings"] == true)
    let wrong = try workshop.run(["import", document, "--publish", "--waiting", "drop"] + workshop.place)
    #expect(wrong.status == 64 && wrong.error.contains("carry"), "\(wrong.error)")
    #expect(server.end() == 0)
  }

  @Test func `a new token is alone on standard output`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up", "--database", workshop.database]).status == 0)
    let made = try workshop.run([
      "token", "create", "--name", "ops", "--role", "admin", "--database", workshop.database,
    ])
    #expect(made.status == 0)
    #expect(made.output.split(separator: "\n").count == 1)
    #expect(made.output.hasPrefix("hearth_"))
    let listed = try workshop.run(["token", "list", "--database", workshop.database])
    #expect(listed.output.contains("ops"))
    #expect(!listed.output.contains(made.output.trimmingCharacters(in: .newlines)))
  }

  @Test func `a scope that names no page or section is refused with those that there are`() throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    func make(_ scope: String) throws -> ProgramResult {
      try workshop.run(["token", "create", "--name", "feed", "--role", "source", "--scope", scope] + workshop.place)
    }
    let misspelt = try make("hom/otc")
    #expect(misspelt.status == 1 && misspelt.output.isEmpty)
    #expect(misspelt.error.contains("activity-spring, discover, home, search"), "\(misspelt.error)")
    #expect(try make("home/oct").error.contains("otc"))
    #expect(try make("home/otc").output.hasPrefix("hearth_"))
  }
}
