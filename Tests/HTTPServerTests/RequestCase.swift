import Testing

/// A line of the conformance tables: what is sent, what is answered, what becomes of the connection, and why.
struct RequestCase: Sendable, CustomTestStringConvertible {
  enum Fate: Sendable {
    case stays, ends
  }

  let input: [UInt8]
  let statuses: [Int]
  let fate: Fate
  let rule: String

  init(_ input: String, _ statuses: [Int], _ fate: Fate, _ rule: String) {
    self.input = Array(input.utf8)
    self.statuses = statuses
    self.fate = fate
    self.rule = rule
  }

  init(bytes input: [UInt8], _ statuses: [Int], _ fate: Fate, _ rule: String) {
    self.input = input
    self.statuses = statuses
    self.fate = fate
    self.rule = rule
  }

  var testDescription: String {
    let text = String(decoding: input.prefix(60), as: UTF8.self).debugDescription
    return "\(text) -> \(statuses) \(fate): \(rule)"
  }
}
