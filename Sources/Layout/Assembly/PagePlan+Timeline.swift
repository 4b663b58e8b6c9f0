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
  /// The flips after an instant, ascending. Flips at one instant are in the page's own order, rules last.
  ///
  /// Hidden sections have no flips, nor has an item while its section or parent is off.
  public func flips(after instant: Instant) -> [Flip] {
    var collector = FlipCollector(instant: instant)
    for section in sections where !section.settings.isHidden {
      let window = collector.add(shownTime(of: section), within: Window(), section: section.id)
      for item in section.conditionalItems { collector.add(item, in: section.id, within: window) }
    }
    for rule in sortRules { collector.add(rule.schedule, within: Window(), rule: rule.name) }
    return collector.flips.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }
}

/// Collects the flips of schedules that stand in each other.
private struct FlipCollector {
  let instant: Instant
  private(set) var flips: [Flip] = []

  init(instant: Instant) { self.instant = instant }

  /// Adds a schedule's beginning and end within the window of its section or parent, and returns its own window.
  @discardableResult
  mutating func add(
    _ schedule: Schedule?, within outer: Window, section: String? = nil, item: String? = nil, rule: String? = nil
  ) -> Window {
    let window = outer.intersection(schedule)
    guard let schedule, !window.isEmpty else { return window }
    if let from = schedule.from, from > instant, outer.from.map({ $0 < from }) ?? true {
      flips.append(Flip(at: from, section: section, item: item, rule: rule, what: rule == nil ? .appears : .applies))
    }
    if let until = schedule.until, until > instant, outer.until.map({ until < $0 }) ?? true {
      flips.append(Flip(at: until, section: section, item: item, rule: rule, what: rule == nil ? .disappears : .ends))
    }
    return window
  }

  mutating func add(_ item: ItemDefinition, in section: String, within outer: Window) {
    let window = add(item.schedule, within: outer, section: section, item: item.id)
    guard !window.isEmpty else { return }
    for child in item.children { add(child, in: section, within: window) }
  }
}

extension SectionDefinition {
  /// Header, items, slots by name, and footer; children not among them.
  public var allItems: [ItemDefinition] {
    let content = content.values
    return [settings.header].compactMap { $0 } + content.items
      + content.slots.sorted { $0.key < $1.key }.map(\.value) + [settings.footer].compactMap { $0 }
  }

  /// Those of ``allItems`` that may have an audience or a schedule: none of packed content has.
  var conditionalItems: [ItemDefinition] {
    guard content.outline != nil else { return allItems }
    return [settings.header, settings.footer].compactMap { $0 }
  }
}
