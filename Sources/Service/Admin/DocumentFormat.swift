import HTTPServer

/// The formats of an exported document.
enum DocumentFormat: Sendable {
  case json, yaml

  /// How much a member of Accept that names this format says of it; `nil` when it does not name it.
  fileprivate func specificity(in range: borrowing Span<UInt8>) -> Int? {
    if range.equals("*/*") { return 0 }
    switch self {
    case .json:
      if range.equalsIgnoringCase("application/json") { return 2 }
    case .yaml:
      // The names that were in use before RFC 9512.
      if range.equalsIgnoringCase("application/yaml") || range.equalsIgnoringCase("application/x-yaml")
        || range.equalsIgnoringCase("text/yaml") || range.equalsIgnoringCase("text/x-yaml")
      {
        return 2
      }
    }
    return range.equalsIgnoringCase("application/*") ? 1 : nil
  }
}

extension Request {
  /// The format to answer with (RFC 9110 §12.5.1), or `nil` when the client forbids both. JSON is sent where YAML is
  /// not wanted more, and to clients that name neither.
  func preferredFormat() -> DocumentFormat? {
    let json = weight(of: .json)
    let yaml = weight(of: .yaml)
    if let yaml, yaml > json ?? 0 { return .yaml }
    if json ?? 1 > 0 { return .json }
    return yaml == nil ? .yaml : nil
  }

  /// What the most specific member of Accept that names a format gives it; `nil` when none does.
  private func weight(of format: DocumentFormat) -> Int? {
    var found: (specificity: Int, weight: Int)?
    forEachMember(of: .accept) { member in
      guard let member = Weighted(member), let specificity = format.specificity(in: member.value) else { return }
      if let before = found, before.specificity > specificity { return }
      if let before = found, before.specificity == specificity, before.weight > member.weight { return }
      found = (specificity, member.weight)
    }
    return found?.weight
  }
}
