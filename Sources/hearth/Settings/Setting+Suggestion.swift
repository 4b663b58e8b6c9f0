extension Setting {
  /// What to say behind a name that no setting has.
  ///
  /// - Parameter name: What the settings are called there: by key, or by variable.
  static func suggestion(for written: String, among name: (Setting) -> String) -> String {
    let names = all.map(name)
    let last = written.split(separator: ".").last.map { $0.lowercased() } ?? ""
    var close = names.filter { isTypo(written.lowercased(), of: $0.lowercased()) }
    // Below another name, or below none.
    if close.isEmpty { close = names.filter { $0.lowercased().split(separator: ".").last.map(String.init) == last } }
    return close.isEmpty
      ? "; hearth serve --print-config lists them all" : "; did you mean \(close.joined(separator: ", "))?"
  }

  /// Whether two names differ by at most two letters that are missing, too many, others, or in each other's place.
  private static func isTypo(_ written: String, of name: String) -> Bool {
    let (written, name) = (Array(written.unicodeScalars), Array(name.unicodeScalars))
    guard abs(written.count - name.count) <= 2 else { return false }
    // The rows of the optimal string alignment distance: the last two, and the one that is made.
    var (before, last) = ([Int](), Array(0...name.count))
    for (row, letter) in written.enumerated() {
      var next = [row + 1]
      for (column, other) in name.enumerated() {
        var least = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == name[column - 1], written[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return last[name.count] <= 2
  }
}
