import JSON

/// A section that is shown now and is not once another state of its page is live.
public struct Disappearance: Hashable, Sendable {
  /// The section's id.
  public var section: String
  /// When its schedule shows it again; `nil` of one that is gone, hidden or over.
  public var returns: Instant?

  /// That it disappears, and when it returns.
  public var sentence: Sentence {
    var values: JSONObject = ["section": .string(section)]
    values["returns"] = returns.map { .string($0.description) }
    let back = returns.map { ", returns at \($0)" } ?? ""
    return Sentence(.sectionDisappears, "\(section) disappears now\(back)", values)
  }
}

extension PageDefinition {
  /// The sections that are on the page at an instant as far as their schedules say and nobody has hidden them.
  public func sectionsShown(at instant: Instant) -> [SectionDefinition] {
    sections.filter { !$0.settings.isHidden && $0.settings.schedule?.contains(instant) != false }
  }

  /// The sections that show at an instant and are missing in another state of the page, for any audience.
  public func disappearances(in other: PageDefinition, at instant: Instant) -> [Disappearance] {
    let settings = Dictionary(other.sections.map { ($0.id, $0.settings) }, uniquingKeysWith: { first, _ in first })
    let shown = Set(other.sectionsShown(at: instant).map(\.id))
    return sectionsShown(at: instant).filter { !shown.contains($0.id) }.map { section in
      let schedule = settings[section.id].flatMap { $0.isHidden ? nil : $0.schedule }
      return Disappearance(section: section.id, returns: schedule?.from.flatMap { $0 > instant ? $0 : nil })
    }
  }
}
