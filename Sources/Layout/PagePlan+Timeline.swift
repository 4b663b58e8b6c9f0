/// What changes on a page at an instant because a schedule begins or ends.
public struct Flip: Hashable, Sendable {
  /// What happens.
  public enum What: String, Hashable, Sendable {
    /// A section or item begins to show.
    case appears
    /// A section or item shows no more.
    case disappears
    /// A sort rule begins to apply.
    case applies
    /// A sort rule applies no more.
    case ends
  }

  /// When.
  public var at: Instant
  /// The section, of a section or an item.
  public var section: String?
  /// The item.
  public var item: String?
  /// The sort rule.
  public var rule: String?
  /// What happens.
  public var what: What
}

extension PageDefinition {
  /// The flips after an instant, ascending; hidden sections have none.
  public func flips(after instant: Instant) -> [Flip] {
    var flips: [Flip] = []
    func add(_ schedule: Schedule?, section: String? = nil, item: String? = nil, rule: String? = nil) {
      guard let schedule else { return }
      if let from = schedule.from, from > instant {
        flips.append(Flip(at: from, section: section, item: item, rule: rule, what: rule == nil ? .appears : .applies))
      }
      if let until = schedule.until, until > instant {
        flips.append(Flip(at: until, section: section, item: item, rule: rule, what: rule == nil ? .disappears : .ends))
      }
    }
    func add(_ item: ItemDefinition, in section: String) {
      add(item.schedule, section: section, item: item.id)
      for child in item.children { add(child, in: section) }
    }
    for section in sections where !section.settings.isHidden {
      add(section.settings.schedule, section: section.id)
      for item in section.allItems { add(item, in: section.id) }
    }
    for rule in sortRules { add(rule.schedule, rule: rule.name) }
    return flips.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}

extension SectionDefinition {
  /// Header, items, slots by name, and footer; children not among them.
  public var allItems: [ItemDefinition] {
    [settings.header].compactMap { $0 } + content.items
      + content.slots.sorted { $0.key < $1.key }.map(\.value) + [settings.footer].compactMap { $0 }
  }
}
