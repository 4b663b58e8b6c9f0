import Foundation
import Peers
import Testing

/// What docs/operating.md and config/prometheus tell whoever watches a server, held against a server.
@Suite struct MonitoringTests {
  private static let rules = "config/prometheus/hearth.rules.yml"

  /// The names of metrics in a text: of histograms, the name of the family.
  private func metrics(in text: some StringProtocol) -> Set<String> {
    let names = String(text).matches(of: /\b(hearth|process)_[a-z_]+/).map { String($0.0) }
    return Set(names.map { $0.hasSuffix("_bucket") ? String($0.dropLast("_bucket".count)) : $0 })
  }

  /// The families that a server has.
  private func families() async throws -> Set<String> {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let server = try workshop.serve()
    // Responses are counted from the first one on.
    #expect(try await ask(server.polls, "/v1/home").status == 200)
    let text = try await ask(server.admin, "/metrics").text
    let check = try Peer.run("promtool", ["check", "metrics"], input: text)
    #expect(check.status == 0, "\(check.text)")
    return Set(
      text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { String($0.split(separator: " ")[2]) })
  }

  @Test func `every metric is in the table, and whatever rules and dashboards ask for is there`() async throws {
    let families = try await families()
    let listed = metrics(
      in: try Documents.table("metric", in: "docs/operating.md").map { $0[0] }.joined(separator: " "))
    #expect(listed == families)
    #expect(metrics(in: try Documents.text(Self.rules)).subtracting(families) == [])
    let panels = try Documents.table("panel", in: "docs/operating.md")
    #expect(panels.count > 5)
    #expect(metrics(in: panels.map { $0[1] }.joined(separator: " ")).subtracting(families) == [])
  }

  @Test func `promtool fires every alert, and each has a row that says what to do`() throws {
    let folder = Documents.root.path + "/config/prometheus"
    for arguments in [
      ["check", "config", folder + "/prometheus.yml"], ["test", "rules", folder + "/hearth.test.yml"],
    ] {
      let result = try Peer.run("promtool", arguments)
      #expect(result.status == 0, "\(result.text)")
    }
    let alerts = try Documents.text(Self.rules).matches(of: /alert: (\w+)/).map { String($0.1) }
    let fired = try Documents.text("config/prometheus/hearth.test.yml").matches(of: /alertname: (\w+)/).map {
      String($0.1)
    }
    #expect(alerts.count > 5)
    #expect(Set(alerts) == Set(fired))
    let rows = try Documents.table("alert", in: "docs/operating.md").map { $0[0] }.joined(separator: " ")
    #expect(Set(rows.matches(of: /Hearth\w+/).map { String($0.0) }) == Set(alerts))
  }

  @Test func `every query of the dashboard can be asked`() throws {
    let queries = try Documents.table("panel", in: "docs/operating.md").flatMap { row in
      row[1].matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    let workshop = try Workshop()
    let rules = queries.enumerated().map { "      - {record: 'panel:\($0.offset)', expr: '\($0.element)'}" }
    let path = try workshop.write(
      "groups:\n  - name: panels\n    rules:\n" + rules.joined(separator: "\n") + "\n", to: "panels.yml")
    let result = try Peer.run("promtool", ["check", "rules", path])
    #expect(result.status == 0, "\(result.text)")
    #expect(queries.count > 8)
  }
}
