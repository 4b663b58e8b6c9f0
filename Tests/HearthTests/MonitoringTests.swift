import Foundation
import Peers
import Testing

/// What docs/operating.md, docs/recover.md and config/prometheus tell whoever watches a server, held against a server.
@Suite struct MonitoringTests {
  private static let rules = "config/prometheus/hearth.rules.yml"
  private static let dashboard = "config/prometheus/hearth.dashboard.json"

  /// The names of metrics in a text: of histograms, the name of the family.
  private func metrics(in text: some StringProtocol) -> Set<String> {
    let names = String(text).matches(of: /\b(hearth|process)_[a-z_]+/).map { String($0.0) }
    return Set(names.map { $0.hasSuffix("_bucket") ? String($0.dropLast("_bucket".count)) : $0 })
  }

  /// What a server's `/metrics` says.
  private func exposition() async throws -> String {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    try workshop.shell("mkdir target")
    let server = try workshop.serve(environment: [
      "HEARTH_BACKUP_TO": "file://\(workshop.folder)/target", "HEARTH_SOURCES_ON": "true", "HEARTH_TOKEN": token,
      "HEARTH_OUTGOING_ADDRESSES_ALLOWED": "127.0.0.1",
    ])
    // A source has metrics where a section asks one. Nobody listens there.
    let asks = """
      {"url": "http://127.0.0.1:9/", "every": 10, "items": {"from": "", "item": {"kind": "banner"}, \
      "members": {"/id": "/sku", "/content/image/url": "/picture"}}}
      """
    for (method, path, body) in [
      ("PUT", "sections/otc", "{\"kind\": \"otc\", \"asks\": \(asks)}"), ("POST", "publish", #"{"sections": ["otc"]}"#),
    ] {
      let answer = try await ask(
        server.admin, "/admin/v1/pages/home/\(path)", method: method, token: token, body: body)
      #expect(answer.status == 200, "\(answer.text)")
    }
    try await eventually { try await ask(server.admin, "/metrics").text.contains("hearth_source_failing") }
    // Responses are counted from the first one on.
    #expect(try await ask(server.polls, "/v1/home").status == 200)
    let text = try await ask(server.admin, "/metrics").text
    let check = try Peer.run("promtool", ["check", "metrics"], input: text)
    #expect(check.status == 0, "\(check.text)")
    return text
  }

  /// The families that a server has.
  private func families() async throws -> Set<String> {
    Set(
      try await exposition().split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        .map { String($0.split(separator: " ")[2]) })
  }

  /// A panel of the dashboard; a row of panels has no queries.
  private struct Panel: Decodable {
    struct Target: Decodable { let expr: String }
    struct Fields: Decodable {
      struct Defaults: Decodable { let unit: String? }
      let defaults: Defaults
    }
    let id: Int
    let type: String
    let title: String
    let description: String?
    let targets: [Target]?
    let fieldConfig: Fields?
  }

  private func panels() throws -> [Panel] {
    struct Dashboard: Decodable { let panels: [Panel] }
    return try JSONDecoder().decode(Dashboard.self, from: Data(Documents.text(Self.dashboard).utf8)).panels
  }

  private func queries() throws -> [String] { try panels().flatMap { $0.targets ?? [] }.map(\.expr) }

  @Test func `every metric is in the table, and whatever rules and dashboards ask for is there`() async throws {
    let families = try await families()
    let listed = metrics(
      in: try Documents.table("metric", in: "docs/operating.md").map { $0[0] }.joined(separator: " "))
    #expect(listed == families)
    #expect(metrics(in: try Documents.text(Self.rules)).subtracting(families) == [])
    #expect(metrics(in: try queries().joined(separator: " ")).subtracting(families) == [])
  }

  @Test func `each reason for which a server is degraded has an alert`() async throws {
    let reasons = Set(
      try await exposition().matches(of: /hearth_degraded\{reason="([a-z-]+)"\} [01]/).map { String($0.1) })
    let others = try #require(
      try Documents.text(Self.rules).firstMatch(of: /hearth_degraded\{reason!~"([a-z|-]+)"\}/)?.1)
    let withAlertsOfTheirOwn = Set(others.split(separator: "|").map(String.init))
    #expect(withAlertsOfTheirOwn.isSubset(of: reasons))
    let fired = try Documents.text("config/prometheus/hearth.test.yml").matches(
      of: /exp_annotations: \{summary: "a:8081 is degraded \(([a-z-]+)\)/)
    #expect(Set(fired.map { String($0.1) }) == reasons.subtracting(withAlertsOfTheirOwn))
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
    let rows = try Documents.table("alert", in: "docs/recover.md").map { $0[0] }.joined(separator: " ")
    #expect(Set(rows.matches(of: /Hearth\w+/).map { String($0.0) }) == Set(alerts))
  }

  @Test func `every panel of the dashboard has a title, a unit and words, and its queries can be asked`() throws {
    let panels = try panels()
    #expect(Set(panels.map(\.id)).count == panels.count)
    for panel in panels {
      #expect(!panel.title.isEmpty, "\(panel.id)")
      guard panel.type != "row" else { continue }
      #expect(panel.description?.hasSuffix(".") == true, "\(panel.title)")
      #expect(panel.fieldConfig?.defaults.unit?.isEmpty == false, "\(panel.title)")
      #expect(panel.targets?.isEmpty == false, "\(panel.title)")
    }
    let queries = try queries().map {
      $0.replacing("$deployment", with: ".*").replacing("$__rate_interval", with: "1m")
    }
    #expect(queries.count > 20)
    #expect(!queries.contains { $0.contains("$") })
    let workshop = try Workshop()
    let rules = queries.enumerated().map { "      - {record: 'panel:\($0.offset)', expr: '\($0.element)'}" }
    let path = try workshop.write(
      "groups:\n  - name: panels\n    rules:\n" + rules.joined(separator: "\n") + "\n", to: "panels.yml")
    let result = try Peer.run("promtool", ["check", "rules", path])
    #expect(result.status == 0, "\(result.text)")
  }
}
