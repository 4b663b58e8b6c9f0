import HomePayload
import JSON

extension SectionLinter {
  /// The members that only some styles look at.
  private static let styles: KeyValuePairs<String, [SectionLayout.Style]> = [
    "rows": [.grid, .shelf, .carousel, .waterfall], "rowCount": [.shelf, .carousel],
    "columns": [.grid, .shelf, .waterfall], "alignment": [.flow], "peek": [.shelf, .carousel],
    "paging": [.shelf, .carousel],
  ]

  /// Members of the section's own layout that its style does not look at.
  mutating func checkStyle(_ section: SectionDefinition) {
    let name = kinds.layoutMembers(of: section)["style"]?.string ?? ""
    guard let style = SectionLayout.Style(rawValue: name) else { return }
    for (member, styles) in Self.styles where section.settings.layout[member] != nil && !styles.contains(style) {
      let known = styles.map(\.rawValue)
      add(
        .unusedLayout, JSONPointer(["layout", member]),
        Sentence(
          .unusedLayout, "does nothing in the style \(name); it is for \(known.joined(separator: ", "))",
          ["style": .string(name), "known": .names(known)]))
    }
  }
}
