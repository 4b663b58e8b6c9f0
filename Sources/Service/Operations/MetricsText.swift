import Serving

/// Prometheus' text format, version 0.0.4: each family's help, type and samples together.
struct MetricsText {
  enum Kind: String {
    case counter, gauge
  }

  private(set) var string = ""

  /// Adds a family of histograms.
  mutating func add(
    _ name: String, _ help: String, _ readings: [(labels: [String: String], reading: Histogram.Reading)]
  ) {
    string += "# HELP \(name) \(help)\n# TYPE \(name) histogram\n"
    for (labels, reading) in readings {
      for (seconds, count) in reading.counts { line("\(name)_bucket", labels, le: Self.number(seconds), Double(count)) }
      line("\(name)_bucket", labels, le: "+Inf", Double(reading.count))
      line("\(name)_sum", labels, reading.sum)
      line("\(name)_count", labels, Double(reading.count))
    }
  }

  /// Adds a family of one sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
    add(name, kind, help, Double(value))
  }

  /// Adds a family of one sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    add(name, kind, help, [([:], value)])
  }

  /// Adds a family; one without samples is left out.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [String: String], value: Double)]
  ) {
    guard !samples.isEmpty else { return }
    string += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples { line(name, sample.labels, sample.value) }
  }

  /// - Parameter bound: The upper bound of a histogram's count, its last label.
  private mutating func line(_ name: String, _ labels: [String: String], le bound: String? = nil, _ value: Double) {
    var labels = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
    if let bound { labels.append("le=\"\(bound)\"") }
    string += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") + " \(Self.number(value))\n"
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
