import Testing

@testable import hearth

@Suite struct SettingsTableTests {
  private static func row(_ setting: Setting) -> [String] {
    [
      "`\(setting.key)`",
      "\(setting.fallback.isEmpty ? "empty" : "`\(setting.fallback)`"), \(range(of: setting.form))",
      setting.summary,
    ]
  }

  private static func range(of form: Setting.Form) -> String {
    switch form {
    case .text: "text"
    case .listener: "`HOST:PORT`"
    case .integer(let range): "\(range.lowerBound)–\(range.upperBound)"
    case .seconds(let range): "\(range.lowerBound)–\(range.upperBound) s"
    case .baseURL: "`https://HOST`"
    case .outgoingURL: "`https://HOST/PATH`"
    case .hosts: "hosts, separated by commas"
    case .addresses: "addresses, separated by commas"
    case .flag: "`true`, `false`"
    case .choice(let choices): choices.map { "`\($0)`" }.joined(separator: ", ")
    }
  }

  @Test func `the reference lists every setting with its default and range, in their order, and no other`() throws {
    let listed = try Documents.table("setting", in: "docs/reference.md")
    let expected = Setting.all.map(Self.row)
    for row in expected where !listed.contains(row) { Issue.record("missing: | \(row.joined(separator: " | ")) |") }
    for row in listed where !expected.contains(row) { Issue.record("too much: | \(row.joined(separator: " | ")) |") }
    #expect(listed.map(\.first) == expected.map(\.first))
  }

  @Test func `every setting has a default that it may have`() {
    for setting in Setting.all where !setting.fallback.isEmpty {
      #expect(setting.problem(with: setting.fallback) == nil, "\(setting.key)")
    }
  }

  @Test func `every setting sets something, and no two the same`() {
    var outcomes = Set<String>()
    for setting in Setting.all {
      var values = ProcessSettings()
      setting.set(setting.fallback, in: &values)
      #expect("\(values)" == "\(ProcessSettings())", "\(setting.key) has its default before it is set")
      setting.set(Self.other(than: setting), in: &values)
      outcomes.insert("\(values)")
    }
    #expect(!outcomes.contains("\(ProcessSettings())"))
    #expect(outcomes.count == Setting.all.count)
  }

  /// What a setting may be, and is not by default.
  private static func other(than setting: Setting) -> String {
    let candidates =
      switch setting.form {
      case .text, .hosts: ["x"]
      case .baseURL, .outgoingURL: ["https://a.example"]
      case .addresses: ["10.0.0.0/8"]
      case .listener: ["[::1]:9"]
      case .integer(let range), .seconds(let range): [String(range.lowerBound), String(range.upperBound)]
      case .flag: ["true", "false"]
      case .choice(let choices): choices
      }
    return candidates.first { $0 != setting.fallback } ?? ""
  }
}
