import ArgumentParser
import Foundation
import Glibc
import HTTPServer
import Service
import Storage

/// `hearth init`
struct Init: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set up a new Hearth: settings, kinds, a database and the first token.",
    discussion: """
      On a terminal it asks for what no option says; elsewhere the defaults count. Where something is there already that \
      it would write, nothing is changed, and the exit code is 1.

      As root it sets up /etc/hearth for the units of the package, and systemd starts them, now and at each boot. For a \
      folder of your own name it with --config, and start the server as the last line says.
      """)

  @Option(name: .customLong("config"), help: "The folder to make settings, kinds and demo/ in.")
  var folder = ConfigurationFolder.installed

  @Option(
    help:
      "The SQLite file to make (default: /var/lib/hearth/hearth.db for /etc/hearth, else data/hearth.db in the folder)."
  )
  var database: String?

  @Option(help: "Where clients poll, HOST:PORT (default: 127.0.0.1:8080).")
  var listen: String?

  @Option(help: "Where operators work, HOST:PORT (default: 127.0.0.1:8081).")
  var adminListen: String?

  @Option(
    help:
      "The name, such as home.example.com, of an nginx on this machine that speaks TLS; empty for none (default: none)."
  )
  var front: String?

  @Flag(inversion: .prefixedNo, help: "Whether to load the demo pages and publish them (default: no).")
  var demo: Bool?

  func run() async throws {
    try await reporting {
      let home = try home()
      try await reporting(database: home.database) {
        let units = SystemdUnits(for: home)
        try home.check(with: units)
        let token = try await home.make(with: units)
        print(home.summary(token: token, units: units))
        // Nothing that comes now may lose the token.
        fflush(nil)
        try units?.start(asking: home.listener)
      }
    }
  }

  private func home() throws -> NewHome {
    if let database, case .postgresql = DatabaseLocation(database) {
      throw ValidationError("--database must be a file; docs/nodes.md says how a node on PostgreSQL is set up")
    }
    let questions = Questions()
    let listener = try questions.answer(
      listen, "--listen", "Where do apps poll, HOST:PORT?", default: "127.0.0.1:8080", NewHome.listener)
    let adminListener = try questions.answer(
      adminListen, "--admin-listen", "Where do operators work, HOST:PORT?", default: "127.0.0.1:8081"
    ) { text throws(Questions.Wrong) in
      let admin = try NewHome.listener(text)
      guard admin.written != listener.written else { throw Questions.Wrong("must be another than where apps poll") }
      return admin
    }
    let front = try questions.answer(
      front, "--front", "The name of an nginx on this machine that speaks TLS, or nothing?", default: "", NewHome.front)
    let demo = try questions.answer(
      demo.map { $0 ? "yes" : "no" }, "--demo", "Load the demo pages, yes or no?", default: "no"
    ) { text throws(Questions.Wrong) in
      guard let answer = ["yes": true, "y": true, "no": false, "n": false][text.lowercased()] else {
        throw Questions.Wrong("must be yes or no")
      }
      return answer
    }
    return NewHome(
      folder: folder, database: database, listener: listener, adminListener: adminListener, front: front,
      hasDemo: demo)
  }
}
