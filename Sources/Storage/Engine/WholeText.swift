import JSON
import Layout

/// Texts on their way to SQLite, which takes them up to their first NUL: with one inside, the database would see another
/// text than the program.
enum WholeText {
  /// - Throws: ``StoreError/invalid(_:)`` for a text that would not arrive whole.
  static func check(_ texts: String?...) throws(StoreError) {
    try check(texts)
  }

  static func check(_ texts: [String?]) throws(StoreError) {
    guard let text = texts.first(where: { $0?.utf8.contains(0) ?? false }) else { return }
    throw .invalid([
      DocumentProblem(
        pointer: JSONPointer(),
        Sentence(
          .nul, "\"\((text ?? "").replacing("\0", with: "\\u0000"))\" contains a NUL, which names and messages may not")
      )
    ])
  }
}
