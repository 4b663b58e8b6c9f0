import HomePayload
import JSON

extension Linter {
  /// Sections that are hidden unless a source confirms them, and that none does.
  ///
  /// - Parameter withoutSource: The sections that no source's token is for.
  mutating func checkSources(_ withoutSource: Set<String>) {
    for (position, section) in page.sections.enumerated() {
      let loading = section.settings.loading
      guard let freshFor = loading.freshFor,
        loading.load == .client || loading.asks == nil && withoutSource.contains(section.id)
      else { continue }
      let text =
        "no source fills the section, so it is hidden \(freshFor) seconds after it went live; make a token of the role "
        + "\"source\" for it, or leave 'freshFor' out"
      let sentence = Sentence(.noSource, text, ["seconds": .count(freshFor)])
      add(.noSource, Self.place(ofSection: position).appending("freshFor"), section.id, sentence)
    }
  }
}
