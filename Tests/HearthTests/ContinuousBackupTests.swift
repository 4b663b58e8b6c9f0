import Foundation
import JSON
import Testing

/// A server whose changes leave within a second, and what becomes of them when its disk does not.
@Suite struct ContinuousBackupTests {
  private func made() throws -> (workshop: Workshop, token: String, environment: [String: String]) {
    let workshop = try Workshop()
    try workshop.shell("mkdir target scratch data")
    workshop.database = workshop.folder + "/data/hearth.db"
    let token = try workshop.loadDemo()
    let environment = [
      "HEARTH_BACKUP_TO": "file://\(workshop.folder)/target", "TMPDIR": workshop.folder + "/scratch",
    ]
    return (workshop, token, environment)
  }

  /// Publishes the page with another title, by a process of its own.
  private func publish(_ title: String, after former: String = "Home", _ workshop: Workshop) throws {
    let export = try workshop.run(["export"] + workshop.place).output
    let changed = export.replacing("title: \(former)\n", with: "title: \(title)\n")
    #expect(changed != export)
    let document = try workshop.write(changed, to: "changed.yaml")
    #expect(try workshop.run(["import", document, "--publish"] + workshop.place).status == 0)
  }

  /// Waits until the target has what was committed before this is called, and nothing is wrong.
  private func settled(_ server: ServedProgram) async throws -> JSON {
    let moment = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    var backup: JSON = .null
    try await eventually(within: 120) {
      backup = try await server.status()["backup"] ?? .null
      return backup["completeTo"]?.string.map { $0 > moment && backup["failure"] == nil } ?? false
    }
    return backup
  }

  @Test func `a lost disk is restored with all that was sent, and revocations are those of the end`() async throws {
    let (workshop, token, environment) = try made()
    var server = try workshop.serve(environment: environment)
    try publish("First", workshop)
    let first = try #require(try await settled(server)["completeTo"]?.string)
    try publish("Second", after: "First", workshop)
    let other = try workshop.run(["token", "create", "--name", "later", "--role", "viewer"] + workshop.place)
    #expect(other.status == 0)
    let list = try workshop.run(["token", "list"] + workshop.place).output
    let selector = try #require(list.split(separator: "\n").first { $0.contains("ops") }?.split(separator: " ").first)
    #expect(try workshop.run(["token", "revoke", String(selector)] + workshop.place).status == 0)
    let complete = try await settled(server)
    #expect(complete["failure"] == nil)
    try await eventually(within: 120) {
      let latest = try? String(contentsOfFile: workshop.folder + "/target/latest/tokens", encoding: .utf8)
      return latest?.contains("\"\(selector)\":\"ops\"") == true
    }
    _ = server.end(SIGKILL)
    try workshop.shell("rm -r data; mkdir data")

    let spans = try workshop.run(["restore", "--list"] + workshop.place, environment: environment)
    #expect(spans.status == 0 && spans.output.contains(" to "), "\(spans.output)\(spans.error)")
    let restored = try workshop.run(["restore", "--at", first] + workshop.place, environment: environment)
    #expect(restored.status == 0, "\(restored.error)")
    // The target was complete to then; the last change before it was in a piece somewhat older.
    let at = try #require(try #/as it was at (\S+),/#.firstMatch(in: restored.output)?.1)
    #expect(at <= first, "\(restored.output)")
    for line in [
      "restored: ", "whole: yes", "history: cut, ", "page: home, served 1.",
      "record: \(workshop.database).tokens, the newest version",
      "token: \(selector) ops, a token that was revoked had come back",
    ] { #expect(restored.output.contains(line), "\(line): \(restored.output)") }
    // What is there is never written over.
    let again = try workshop.run(["restore"] + workshop.place, environment: environment)
    #expect(again.status == 74 && again.error.contains("is there"), "\(again.error)")

    // Until somebody has said that it counts, apps that are new get what there is.
    server = try workshop.serve(environment: environment)
    #expect(try await ask(server.polls, "/v1/home").text.contains("First"))
    #expect("\(try await server.status()["reasons"] ?? .null)".contains("history was cut"))
    #expect(server.end() == 0)
    let raised = try workshop.run(["generation", "raise", "--reason", "the disk"] + workshop.place)
    #expect(raised.status == 0 && raised.output.contains("revoked again"), "\(raised.output)\(raised.error)")
    server = try workshop.serve(environment: environment)
    #expect(try await ask(server.polls, "/v1/home").text.contains("First"))
    #expect(try await ask(server.admin, "/admin/v1/pages", token: token).status == 401)
    // It goes on in a series of its own.
    #expect(try await settled(server)["series"] != complete["series"])
    #expect(server.end() == 0)
  }

  @Test func `a stop sends the rest, and a start after it or after a kill goes on with the same series`() async throws {
    let (workshop, _, environment) = try made()
    var server = try workshop.serve(environment: environment)
    let series = try await settled(server)["series"]
    try publish("Before", workshop)
    #expect(server.end() == 0)
    // What is written while no server runs leaves with the next one.
    try publish("After", after: "Before", workshop)
    for signal in [SIGKILL, SIGTERM, SIGKILL] {
      server = try workshop.serve(environment: environment)
      let backup = try await settled(server)
      #expect(backup["series"] == series && backup["gap"] == nil, "\(backup)")
      _ = server.end(signal)
    }
    let pieces = try workshop.run(["restore", "--list"] + workshop.place, environment: environment).output
    #expect(pieces.split(separator: "\n").count == 1, "\(pieces)")
    try workshop.shell("mv data gone; mkdir data")
    let restored = try workshop.run(["restore"] + workshop.place, environment: environment)
    #expect(restored.status == 0, "\(restored.error)")
    #expect(try workshop.run(["export"] + workshop.place).output.contains("title: After"))
  }

  @Test func `a target that goes away is told, holds up nothing, and gets what it lacks when it is back`() async throws
  {
    let (workshop, _, environment) = try made()
    let server = try workshop.serve(environment: environment)
    let before = try await settled(server)
    try workshop.shell("mv target away")
    try publish("Meanwhile", workshop)
    try await eventually(within: 120) {
      try await server.status()["backup"]?["failure"]?.string?.contains("is not there") == true
    }
    let status = try await server.status()
    #expect(status["status"] == "degraded")
    #expect(status["reasons"]?.array?.contains { $0.string?.contains("are not in backup.to") == true } == true)
    #expect(try await ask(server.admin, "/metrics").text.contains("hearth_degraded{reason=\"backup\"} 1"))
    try await eventually(within: 120) { try await ask(server.polls, "/v1/home").fields["hearth-revision"] == "1.2" }
    try workshop.shell("mv away target")
    let after = try await settled(server)
    #expect(after["series"] == before["series"])
    #expect(try await server.status()["status"] == "ok")
    #expect(server.end() == 0)
  }

  @Test func `more than may wait begins another series, and the gap is named`() async throws {
    let (workshop, token, place) = try made()
    let environment = place.merging(["HEARTH_BACKUP_WAITING_BYTES_MAX": "1048576"]) { $1 }
    let server = try workshop.serve(environment: environment)
    let before = try await settled(server)
    try workshop.shell("mv target away")
    var number = 0
    // As many as it takes: what was under way when the target went is not what waits.
    while try await server.status()["backup"]?["gap"] == nil, number < 200 {
      number += 1
      let url = "app://\(number)?\(String(repeating: "x", count: 1_500))"
      let items = (0..<50).map {
        "{\"id\":\"i\($0)\",\"kind\":\"ticker\",\"content\":{\"text\":\"a\"},\"action\":{\"url\":\"\(url)\"}}"
      }
      let put = try await ask(
        server.admin, "/admin/v1/pages/home/sections/marquee/content?publish=true", method: "PUT", token: token,
        body: "{\"items\":[\(items.joined(separator: ","))]}")
      #expect(put.status == 200, "\(put.text)")
    }
    try workshop.shell("mv away target")
    let after = try await settled(server)
    #expect(after["series"] != before["series"])
    #expect(after["gap"]?["from"]?.string != nil && after["gap"]?["to"]?.string != nil, "\(before), \(after)")
    #expect(server.end() == 0)
  }

  @Test func `a successor goes on with the series of its predecessor`() async throws {
    let (workshop, _, environment) = try made()
    let first = try workshop.serve(environment: environment)
    let series = try await settled(first)["series"]
    let second = try workshop.serve(["--take-over"], environment: environment)
    try publish("Handed over", workshop)
    first.process.waitUntilExit()
    #expect(first.process.terminationStatus == 0)
    let backup = try await settled(second)
    #expect(backup["series"] == series && backup["gap"] == nil && backup["failure"] == nil, "\(backup)")
    #expect(second.end() == 0)
    try workshop.shell("mv data gone; mkdir data")
    let restored = try workshop.run(["restore"] + workshop.place, environment: environment)
    #expect(restored.status == 0, "\(restored.error)")
    #expect(try workshop.run(["export"] + workshop.place).output.contains("Handed over"))
  }

  @Test func `a target of another database is told, and stays as it is`() async throws {
    let (workshop, _, environment) = try made()
    let first = try workshop.serve(environment: environment)
    _ = try await settled(first)
    #expect(first.end() == 0)
    let list = try workshop.run(["restore", "--list"] + workshop.place, environment: environment).output
    let (other, _, _) = try made()
    let second = try other.serve(environment: environment)
    try await eventually(within: 120) {
      let reasons = try await second.status()["reasons"]?.array ?? []
      return reasons.contains { $0.string?.contains("has the backup of another database") == true }
    }
    #expect(second.end() == 0)
    #expect(try workshop.run(["restore", "--list"] + workshop.place, environment: environment).output == list)
  }

  @Test func `a restore beside a server that still runs harms neither`() async throws {
    let (workshop, _, environment) = try made()
    let server = try workshop.serve(environment: environment)
    let series = try await settled(server)["series"]?.string ?? ""
    let refused = try workshop.run(["restore"] + workshop.place, environment: environment)
    #expect(refused.status == 74 && refused.error.contains("stop the server"), "\(refused.error)")
    let place = ["--config", workshop.config, "--database", workshop.folder + "/other/hearth.db"]
    let beside = try workshop.run(["restore"] + place, environment: environment)
    #expect(beside.status == 0 && beside.output.contains("from") && beside.output.contains(series), "\(beside.error)")
    try publish("Meanwhile", workshop)
    #expect(try await settled(server)["series"]?.string == series)
    // In its place: the server has lost its file, and sends nothing of the one that is there now.
    try workshop.shell("mkdir gone; mv data/hearth.db data/hearth.db-wal data/hearth.db-shm gone")
    let restored = try workshop.run(["restore"] + workshop.place, environment: environment)
    #expect(restored.status == 0, "\(restored.error)")
    try await eventually(within: 120) { try await server.status()["database"]?.string == "gone" }
    let list = try workshop.run(["restore", "--list"] + workshop.place, environment: environment).output
    #expect(list.contains(series) && list.split(separator: "\n").count == 1, "\(list)")
    _ = server.end()
    #expect(try workshop.run(["export"] + workshop.place).output.contains("Meanwhile"))
  }

  @Test func `a wrong target ends the start with 78, and on PostgreSQL there is none`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let wrong = try workshop.run(workshop.serving, environment: ["HEARTH_BACKUP_TO": "ftp://host/x"])
    #expect(
      wrong.status == 78 && wrong.error.contains("backup.to must be file:///FOLDER or s3://BUCKET/PREFIX"),
      "\(wrong.error)")
    let restored = try workshop.run(
      ["restore", "--database", "postgresql://h/d", "--config", workshop.config],
      environment: ["HEARTH_BACKUP_TO": "file:///tmp"])
    #expect(restored.status == 78 && restored.error.contains("its own tools make backups"), "\(restored.error)")
    let at = try workshop.run(
      ["restore", "--at", "yesterday"] + workshop.place, environment: ["HEARTH_BACKUP_TO": "file:///tmp"])
    #expect(at.status == 64)
  }
}
