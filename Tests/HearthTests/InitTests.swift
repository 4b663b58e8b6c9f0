import Foundation
import JSON
import Testing

@testable import hearth

/// What `hearth init` asks, makes and refuses.
@Suite struct InitTests {
  /// Two free addresses, as options.
  private func addresses() throws -> (listen: String, admin: String, options: [String]) {
    let (polls, admin) = try Workshop.freePorts()
    let (listen, adminListen) = ("127.0.0.1:\(polls)", "127.0.0.1:\(admin)")
    return (listen, adminListen, ["--listen", listen, "--admin-listen", adminListen])
  }

  /// The token that a summary shows.
  private func token(in output: String) throws -> String {
    try String(#require(try #/hearth_[\w-]{20,}/#.firstMatch(in: output)).output)
  }

  private func names(in folder: String) -> Set<String> {
    Set(FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
  }

  @Test func `what it makes is served with the demo, at the addresses that were named, and its token operates it`()
    async throws
  {
    let workshop = try Workshop()
    let home = workshop.folder + "/home"
    let (listen, adminListen, options) = try addresses()
    let made = try workshop.run(["init", "--config", home, "--demo"] + options)
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("Poll:         curl --compressed http://\(listen)/v1/home\n"), "\(made.output)")
    #expect(made.output.contains("Operate:      http://\(adminListen)/console/\n"), "\(made.output)")
    #expect(made.output.hasSuffix("Start it:     hearth serve --config \(home)\n"), "\(made.output)")
    #expect(try workshop.run(["validate", "--config", home]).output == "valid\n")
    // The settings name the database and the addresses, so that nothing else is needed.
    let process = try workshop.process(["serve", "--config", home])
    let log = Pipe()
    process.standardError = log
    try process.run()
    let server = try ServedProgram(process, log: log)
    #expect(listen.hasSuffix(":\(server.polls)") && adminListen.hasSuffix(":\(server.admin)"))
    #expect(try await ask(server.polls, "/v1/home").status == 200)
    let token = try token(in: made.output)
    #expect(try await ask(server.admin, "/admin/v1/tokens", token: token).status == 200)
    // It is printed, and kept nowhere.
    #expect(!server.text.contains(token))
    for name in names(in: home) {
      let text = FileManager.default.contents(atPath: "\(home)/\(name)").map { String(decoding: $0, as: UTF8.self) }
      #expect(text?.contains(token) != true, "\(name)")
    }
    #expect(server.end() == 0)
  }

  @Test func `where nobody is asked it makes neither pages nor a front`() throws {
    let workshop = try Workshop()
    let home = workshop.folder + "/home"
    let database = workshop.folder + "/elsewhere/pages.db"
    let made = try workshop.run(["init", "--config", home, "--database", database] + addresses().options)
    #expect(made.status == 0, "\(made.error)")
    #expect(FileManager.default.fileExists(atPath: database))
    #expect(!names(in: home).contains("nginx.conf"))
    let exported = try workshop.run(["export", "--json", "--config", home])
    #expect(try JSON.parse(Array(exported.output.utf8))["pages"]?.object?.isEmpty == true, "\(exported.output)")
  }

  @Test(arguments: [
    "hearth.yaml", "kinds.yaml", "demo/ours.yaml", "nginx.conf", "data/hearth.db", "data/hearth.db-wal",
  ])
  func `what is there already is named, and nothing is changed`(name: String) throws {
    let workshop = try Workshop()
    let home = workshop.folder + "/home"
    let folder = URL(filePath: "\(home)/\(name)").deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = try workshop.write("ours", to: "home/\(name)")
    let before = names(in: home)
    let refused = try workshop.run(["init", "--config", home, "--front", "home.example.com"] + addresses().options)
    #expect(refused.status == 1)
    let shown = name.hasPrefix("demo/") ? "\(home)/demo" : path
    #expect(refused.error.contains("\(shown) is there already. Nothing was changed"), "\(refused.error)")
    #expect(refused.output.isEmpty)
    #expect(names(in: home) == before)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "ours")
  }

  @Test func `a second run refuses, and the first one's pages and token stay`() throws {
    let workshop = try Workshop()
    let home = workshop.folder + "/home"
    let options = ["init", "--config", home, "--demo"] + (try addresses().options)
    #expect(try workshop.run(options).status == 0)
    let before = try workshop.run(["token", "list", "--config", home]).output
    let again = try workshop.run(options)
    #expect(again.status == 1)
    #expect(again.error.contains("\(home)/hearth.yaml, "), "\(again.error)")
    #expect(try workshop.run(["token", "list", "--config", home]).output == before)
    #expect(try workshop.run(["demo", "--config", home]).output.contains("home: already live"))
  }

  @Test func `an address that is taken is named before anything is made`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let server = try workshop.serve()
    let home = workshop.folder + "/home"
    let taken = try workshop.run(
      ["init", "--config", home, "--listen", "127.0.0.1:\(server.polls)", "--admin-listen", addresses().admin])
    #expect(taken.status == 69)
    #expect(taken.error.contains("127.0.0.1:\(server.polls) cannot be listened on"), "\(taken.error)")
    #expect(!FileManager.default.fileExists(atPath: home))
  }

  @Test func `what cannot be finished leaves nothing behind`() throws {
    let workshop = try Workshop()
    let home = workshop.folder + "/home"
    let file = try workshop.write("A file, no folder.", to: "file")
    let failed = try workshop.run(
      ["init", "--config", home, "--database", file + "/hearth.db"] + addresses().options)
    #expect(failed.status == 74)
    #expect(!FileManager.default.fileExists(atPath: home))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "A file, no folder.")
  }

  @Test(arguments: [
    ["--listen", "nowhere"], ["--listen", "127.0.0.1:0"], ["--admin-listen", "127.0.0.1:8080"],
    ["--front", "https://home.example.com"], ["--front", "home.example.com:443"],
    ["--database", "postgresql://hearth@localhost/hearth"],
  ])
  func `an option that is wrong ends it with 64`(options: [String]) throws {
    let workshop = try Workshop()
    let home = workshop.folder + "/home"
    let wrong = try workshop.run(["init", "--config", home] + options)
    #expect(wrong.status == 64)
    #expect(wrong.error.contains("\(options[0]) must be"), "\(wrong.error)")
    #expect(!FileManager.default.fileExists(atPath: home))
  }

  @Test func `a front gets its configuration, and preview links its address`() throws {
    let workshop = try Workshop()
    let home = workshop.folder + "/home"
    let (listen, _, options) = try addresses()
    let made = try workshop.run(["init", "--config", home, "--front", "apps.example.org"] + options)
    #expect(made.status == 0, "\(made.error)")
    let front = try String(contentsOfFile: home + "/nginx.conf", encoding: .utf8)
    #expect(front.contains("server_name apps.example.org;") && !front.contains("home.example.com"))
    // Both lists of nodes have this one.
    #expect(front.ranges(of: "    server \(listen) max_fails").count == 2)
    let settings = try workshop.run(["serve", "--print-config", "--config", home]).output
    #expect(settings.contains("https://apps.example.org"), "\(settings)")
  }

  @Test func `on a terminal it asks for what no option says, and again where an answer is wrong`() throws {
    let workshop = try Workshop()
    let home = workshop.folder + "/home"
    let (listen, adminListen, _) = try addresses()
    // script(1) gives it a terminal, and types what it reads.
    let program = try Workshop.program().path
    let typed = try workshop.write("somewhere\n\(listen)\n\(listen)\n\(adminListen)\n\nperhaps\nYes\n", to: "typed")
    try workshop.shell(
      "script -qefc '\(program) init --config \(home)' /dev/null < \(typed) > \(workshop.folder)/shown")
    let shown = try String(contentsOfFile: workshop.folder + "/shown", encoding: .utf8)
    #expect(shown.contains("Where do apps poll, HOST:PORT? [127.0.0.1:8080]"), "\(shown)")
    #expect(shown.contains("It must be HOST:PORT such as 127.0.0.1:8080"), "\(shown)")
    #expect(shown.contains("It must be another than where apps poll."), "\(shown)")
    #expect(shown.contains("It must be yes or no."), "\(shown)")
    #expect(shown.contains("curl --compressed http://\(listen)/v1/home"), "\(shown)")
    #expect(try workshop.run(["demo", "--config", home]).output.contains("home: already live"))
  }
}
