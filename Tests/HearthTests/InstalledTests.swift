import Foundation
import HTTPServer
import JSON
import Peers
import Testing

@testable import hearth

/// What an engineer meets who installs Hearth and looks after it.
@Suite struct InstalledTests {
  @Test func `the program needs no library that a server's machine does not have`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["readelf", "-dW", try Workshop.program().path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // What a Debian has, SQLite, zlib and brotli, and the toolchain's own where the standard library is not linked in.
    let allowed = [
      "ld-linux", "libc", "libm", "libgcc_s", "libstdc++", "libsqlite3", "libz", "libbrotlienc", "libswift",
      "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime",
    ]
    let needed = text.matches(of: /\(NEEDED\) .*\[(.+)\]/).map { String($0.1) }
    #expect(needed.contains { $0.hasPrefix("libsqlite3") })
    for library in needed {
      let name = library.prefix { $0 != "." }
      let isAllowed = allowed.contains { word in
        name == word
          || (word.hasSuffix("linux") || word.hasPrefix("libswift") || word.hasSuffix("Foundation"))
            && name.hasPrefix(word)
      }
      #expect(isAllowed, "\(library)")
      #expect(!name.contains("Networking") && !name.contains("XML"), "\(library)")
    }
  }

  @Test func `health needs no configuration, and says what is wrong`() throws {
    let workshop = try Workshop()
    let elsewhere = ["HEARTH_CONFIG": workshop.folder + "/nothing"]
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let server = try workshop.serve()
    let well = try workshop.run(["health", "--listen", "127.0.0.1:\(server.polls)"], environment: elsewhere)
    #expect(well.status == 0)
    #expect(well.output == "ready\n")
    let variable = elsewhere.merging(["HEARTH_PUBLIC_LISTEN": "0.0.0.0:\(server.polls)"]) { $1 }
    #expect(try workshop.run(["health"], environment: variable).status == 0)
    // The admin listener's other answers are no readiness.
    let free = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
    let silent = try workshop.run(["health", "--listen", "127.0.0.1:\(free.port)"])
    #expect(silent.status == 69)
    #expect(silent.error.contains("no HTTP answer came within 3 seconds"), "\(silent.error)")
    let nobody = try workshop.run(["health", "--listen", "127.0.0.1:1"])
    #expect(nobody.status == 69)
    #expect(nobody.error.contains("Connection refused"), "\(nobody.error)")
    #expect(try workshop.run(["health", "--listen", "nowhere"]).status == 64)
  }

  @Test func `the configuration is looked for here, above the program, and then in /etc/hearth`() {
    #expect(ConfigurationFolder.candidates.first == "config")
    #expect(ConfigurationFolder.candidates.last == "/etc/hearth")
    #expect(ConfigurationFolder.candidates.contains(Documents.root.path + "/config"))
  }

  /// Opens sockets as systemd does, two of each listener, and runs a program with them.
  private static let passing = """
    import fcntl, os, socket, sys
    made = [socket.create_server(("0.0.0.0", 0)), socket.create_server(("::1", 0), family=socket.AF_INET6),
            socket.create_server(("127.0.0.1", 0))]
    kept = [fcntl.fcntl(one, fcntl.F_DUPFD, 100) for one in made]
    for place, one in enumerate(kept):
        os.dup2(one, 3 + place)
    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="3", LISTEN_FDNAMES="public:public:admin")
    os.execv(sys.argv[1], sys.argv[1:])
    """

  @Test func `the log, the settings and the list of nodes name the addresses that systemd's sockets have`() async throws
  {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    func passed(_ arguments: [String]) throws -> Process {
      let process = try workshop.process([], ["HEARTH_NODE_NAME": "here"])
      process.arguments = ["-c", Self.passing, try Workshop.program().path] + arguments + workshop.place
      process.executableURL = URL(filePath: "/usr/bin/python3")
      return process
    }
    let printing = try passed(["serve", "--print-config"])
    let output = Pipe()
    printing.standardOutput = output
    try printing.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    printing.waitUntilExit()
    let line = try #require(printed.split(separator: "\n").first { $0.hasPrefix("public.listen ") })
    #expect(
      try #/^public\.listen +0\.0\.0\.0:\d+,\[::1\]:\d+  # systemd, instead of 127\.0\.0\.1:8080 \(.+\)$/#
        .wholeMatch(in: line) != nil, "\(line)")
    let process = try passed(["serve"])
    let stderr = Pipe()
    process.standardError = stderr
    try process.run()
    let server = try ServedProgram(process, log: stderr)
    let logged = try #require(server.text.split(separator: "\n").first { $0.contains("listener=public") })
    let found = try #require(try #/address=0\.0\.0\.0:(\d+),\[::1\]:(\d+) /#.firstMatch(in: logged), "\(logged)")
    // Each loop takes connections to both.
    for _ in 0..<8 {
      for (host, port) in [("127.0.0.1", found.1), ("[::1]", found.2)] {
        let text = try Peer.run(
          "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "http://\(host):\(port)/v1/home"])
        #expect(text.text == "200")
      }
    }
    let nodes = try await ask(server.admin, "/admin/v1/nodes", token: token).text
    #expect(nodes.contains("\(ProcessInfo.processInfo.hostName):\(found.1)"), "\(nodes)")
    #expect(server.end() == 0)
  }

  @Test func `a configuration without a demo is valid, as it is installed`() throws {
    let workshop = try Workshop()
    try FileManager.default.removeItem(atPath: workshop.config + "/demo")
    let result = try workshop.run(["validate", "--config", workshop.config])
    #expect(result.status == 0)
    #expect(result.output == "valid\n")
  }

  @Test func `a shell's soft limit of descriptors is raised at the start; the log and the status say to what`()
    async throws
  {
    let workshop = try Workshop()
    // The hard limit of this process is what a child may raise its own to.
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let server = try workshop.serve(after: "ulimit -S -n 256; ulimit -H -n 1024;")
    #expect(server.text.contains("\"descriptors\" max=1024\n"), "\(server.text)")
    #expect(!server.text.contains("more connections are allowed"))
    let status = try await server.status()
    #expect(status["descriptorsMax"] == 1024)
    let most = try #require(status["listeners"]?.array?.map { ($0["listener"], $0["connectionsMax"]) })
    #expect(most.contains { $0 == "public" && $1 == 512 })
    #expect(most.contains { $0 == "admin" && $1 == 128 })
    #expect(try await server.metric("process_max_fds") == 1024)
    #expect(try await server.metric("hearth_http_connections_max{listener=\"public\"}") == 512)
  }

  @Test func `a server that cannot make all its loops ends, and says of what there was too little`() throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    // Enough for a listening socket a loop, and not for what a loop waits with.
    let process = try workshop.process(workshop.serving, ["HEARTH_PUBLIC_LOOPS": "200"])
    process.arguments = ["-c", "ulimit -n 320; exec \"$0\" \"$@\"", try Workshop.program().path] + workshop.serving
    process.executableURL = URL(filePath: "/bin/sh")
    let error = Pipe()
    process.standardError = error
    try process.run()
    let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 69, "\(text)")
    #expect(text.contains("hearth: the server cannot be set up: "), "\(text)")
    #expect(text.contains("Too many open files"), "\(text)")
  }

  @Test func `more connections than there are descriptors for are warned of`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let server = try workshop.serve(
      after: "ulimit -n 1024;", environment: ["HEARTH_PUBLIC_CONNECTIONS_MAX": "1000"])
    #expect(server.text.contains("more connections are allowed than there are descriptors"), "\(server.text)")
    #expect(server.text.contains("connections=1128 descriptors=1024"), "\(server.text)")
  }

  @Test func `a backup that cannot be written has a code of its own, and its reason is logged`() async throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let token = try workshop.run(
      [
        "token", "create", "--name", "ops", "--role", "admin", "--config", workshop.config, "--database",
        workshop.database,
      ])
    let folder = try workshop.write("A file, no folder.", to: "backups")
    let server = try workshop.serve(environment: ["HEARTH_ADMIN_BACKUP_FOLDER": folder])
    let answer = try await ask(
      server.admin, "/admin/v1/backup", method: "POST", token: token.output.trimmingCharacters(in: .newlines))
    #expect(answer.status == 503)
    #expect(try JSON.parse(Array(answer.text.utf8))["code"] == "backup-failed")
    try server.read(until: "a backup cannot be written")
    #expect(server.text.contains("folder=\(folder)"), "\(server.text)")
    #expect(server.text.contains("reason="), "\(server.text)")
    #expect(try await server.status()["database"] == "ok")
  }

  @Test(arguments: [["token", "list"], ["migrate", "status"], ["migrate", "up"], ["serve"]])
  func `a database that cannot be reached is not taken for one that is not there`(command: [String]) throws {
    let workshop = try Workshop()
    let file = try workshop.write("A file, no folder.", to: "file")
    let result = try workshop.run(command + ["--config", workshop.config, "--database", file + "/hearth.db"])
    #expect(result.status == 74)
    #expect(result.error.contains("the database cannot be opened"), "\(result.error)")
    #expect(result.output.isEmpty)
  }

  @Test(arguments: ["validate", "import"])
  func `a document that is not there or is not YAML ends a command with 1, a setting with 78`(command: String) throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let place = command == "import" ? workshop.place : ["--config", workshop.config]
    for document in [workshop.config + "/nothing.yaml", try workshop.write("pages: [", to: "pages.yaml")] {
      let result = try workshop.run([command, document] + place)
      #expect(result.status == 1)
      #expect(result.error.contains(document), "\(result.error)")
    }
    try "public: [".write(toFile: workshop.config + "/hearth.yaml", atomically: true, encoding: .utf8)
    #expect(try workshop.run([command, workshop.config + "/demo/home.yaml"] + place).status == 78)
  }

  @Test func `the demo leaves edited work alone unless it is forced`() throws {
    let workshop = try Workshop()
    let place = workshop.place
    #expect(try workshop.run(["demo"] + place).output.contains("home: published as revision 1"))
    // Run twice, it changes nothing and is content.
    let again = try workshop.run(["demo"] + place)
    #expect(again.status == 0)
    let live = "activity-spring: already live\ndiscover: already live\nhome: already live\nsearch: already live\n"
    #expect(again.output == live, "\(again.output)")
    let edited = try workshop.write(
      "hearth: 1\npages: {home: {title: Ours, defaultLocale: en, locales: [en], sections: []}}\n", to: "ours.yaml")
    #expect(try workshop.run(["import", edited, "--publish"] + place).status == 0)
    let before = try workshop.run(["export"] + place).output
    let refused = try workshop.run(["demo"] + place)
    #expect(refused.status == 1)
    #expect(refused.error.contains("has pages already (activity-spring, discover, home, search)"), "\(refused.error)")
    #expect(refused.error.contains("--force"))
    #expect(try workshop.run(["export"] + place).output == before)
    let forced = try workshop.run(["demo", "--force"] + place)
    #expect(forced.status == 0)
    #expect(forced.output.contains("home: published as revision 3"), "\(forced.output)")
  }

  @Test func `the demo neither goes live beside other pages nor over a page whose draft alone is the demo's`() throws {
    let workshop = try Workshop()
    let place = workshop.place
    func page(_ id: String) throws -> String {
      try workshop.write(
        "hearth: 1\npages: {\(id): {title: Ours, defaultLocale: en, locales: [en], sections: []}}\n", to: "\(id).yaml")
    }
    #expect(try workshop.run(["migrate", "up"] + place).status == 0)
    #expect(try workshop.run(["import", page("ours")] + place).status == 0)
    let beside = try workshop.run(["demo"] + place)
    #expect(beside.status == 1)
    #expect(beside.error.contains("has pages already (ours)"), "\(beside.error)")
    #expect(try workshop.run(["demo", "--force"] + place).status == 0)
    // Another home is live, and the draft is the demo's again: so it is after a rollback.
    #expect(try workshop.run(["import", page("home"), "--delete", "--publish"] + place).status == 0)
    for name in ["home.yaml", "activity-spring.yaml"] {
      #expect(try workshop.run(["import", workshop.config + "/demo/" + name] + place).status == 0)
    }
    let over = try workshop.run(["demo"] + place)
    #expect(over.status == 1)
    #expect(over.error.contains("would change what is live of"), "\(over.error)")
  }
}
