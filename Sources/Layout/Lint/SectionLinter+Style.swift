import HomePayload
import JSON

extension SectionLinter {
  /// The members that only some styles look at.
  private static let styles: KeyValuePairs<String, [SectionLayout.Style]> = [
    "rows": [.grid, .shelf, .carousel, .waterfall], "rowCount": [.shelf, .carousel],
    "columns": [.grid, .shelf, .waterfall], "alignment": [.flow], "peek": [.shelf, .carousel],
    "paging": [.shelf, .carousel], "separator": [.list, .grid, .outline, .shelf, .pinned], "group": [.grid, .shelf],
    "stickyHeader": [.list, .grid, .waterfall, .outline, .flow],
    "sticky": [.list, .grid, .waterfall, .outline, .flow, .shelf, .carousel, .ticker],
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
  /// The width of the smallest screens that are sold, in points.
  private static let screenMin = 320.0

  /// Whether the columns of a group that have points fit into its width, on a small screen where that is no fixed one.
  mutating func checkGroup(_ section: SectionDefinition) {
    let resolver = LayoutResolver(
      locale: settings.defaultLocale, fallback: settings.defaultLocale, tokens: kinds.tokens)
    let members = kinds.layoutMembers(of: section)
    guard members["group"] != nil,
      let layout = resolver.layout(members, at: JSONPointer(), ProblemCollector()), let group = layout.group
    else { return }
    let page = settings.inset.flatMap { resolver.inset(.object($0), at: JSONPointer(), ProblemCollector()) }
    let around = [page, layout.inset].compactMap { $0 }.map { $0.leading.double + $0.trailing.double }.reduce(0, +)
    let room = Self.room(of: layout.itemSize?.width ?? .container, in: Self.screenMin - around)
    let fixed = group.columns.map { if case .points(let points) = $0 { points.double } else { 0 } }.reduce(0, +)
    let needed = fixed + Double(group.columns.count - 1) * (layout.itemSpacing?.double ?? 0)
    guard fixed > 0, needed > room + 1e-6 else { return }
    let (wanted, there) = (Int(needed.rounded(.up)), Int(max(0, room)))
    add(
      .wideGroup, JSONPointer(["layout", "group", "columns"]),
      Sentence(
        .wideGroup, "need \(wanted) points, and the group has \(there) on a screen of 320; make them shares",
        ["needed": .count(wanted), "room": .count(there)]))
  }
  /// The width of a group on the smallest screen.
  private static func room(of width: SectionLayout.Width, in container: Double) -> Double {
    func points(_ bound: SectionLayout.Bound) -> Double {
      switch bound {
      case .points(let points): points.double
      case .fraction(let fraction): fraction.double * container
      case .screenFraction(let fraction): fraction.double * screenMin
      }
    }
    switch width {
    case .points(let points): return points.double
    case .fraction(let fraction): return fraction.double * container
    case .screenFraction(let fraction): return fraction.double * screenMin
    case .container, .column, .content: return container
    case .bounded(let width, let minimum, let maximum):
      let room = max(room(of: width, in: container), minimum.map(points) ?? 0)
      return min(room, maximum.map(points) ?? .infinity)
    }
  }
}
