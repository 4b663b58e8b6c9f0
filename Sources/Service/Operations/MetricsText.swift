/// Prometheus' text format, version 0.0.4: each family's help, type and samples together.
struct MetricsText {
  enum Kind: String {
    case counter, gauge
  }

  private(set) var string = ""

  /// Adds a family; one without samples is left out.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [String: String], value: Double)]
  ) {
    guard !samples.isEmpty else { return }
    string += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
      string += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") + " \(Self.number(sample.value))\n"
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
