/// From an instant until another, as far as something is there.
struct Window {
  var from: Instant?
  var until: Instant?

  var isEmpty: Bool {
    guard let from, let until else { return false }
    return from >= until
  }

  func intersection(_ schedule: Schedule?) -> Window {
    let froms = [from, schedule?.from].compactMap { $0 }
    let untils = [until, schedule?.until].compactMap { $0 }
    return Window(from: froms.max(), until: untils.min())
  }
}

extension Window: CustomStringConvertible {
  var description: String {
    let parts = [from.map { "from \($0)" }, until.map { "until \($0)" }].compactMap { $0 }
    return parts.isEmpty ? "always" : parts.joined(separator: " ")
  }
}
