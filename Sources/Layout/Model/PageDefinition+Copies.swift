extension PageDefinition {
  /// A page like this one, with another id.
  ///
  /// - Parameters:
  ///   - title: What operators call it; without it what this one is called, unless that is its id.
  ///   - keepsSchedules: Whether its sections, items and sort rules show when those of this one do, and not always.
  public func copied(to id: String, title: String? = nil, keepsSchedules: Bool = true) -> PageDefinition {
    var copy = self
    copy.id = id
    copy.settings.title = title ?? (settings.title == self.id ? id : settings.title)
    guard !keepsSchedules else { return copy }
    copy.sections = sections.map(\.unscheduled)
    for place in copy.sortRules.indices { copy.sortRules[place].schedule = nil }
    return copy
  }
}

extension SectionDefinition {
  /// The section without any time: it always shows, and so do its items.
  public var unscheduled: SectionDefinition {
    var copy = opened
    copy.settings.schedule = nil
    copy.settings.header = settings.header?.unscheduled
    copy.settings.footer = settings.footer?.unscheduled
    copy.content.slots = copy.content.slots.mapValues(\.unscheduled)
    copy.content.items = copy.content.items.map(\.unscheduled)
    return copy
  }
}

extension ItemDefinition {
  fileprivate var unscheduled: ItemDefinition {
    var copy = self
    copy.schedule = nil
    copy.children = children.map(\.unscheduled)
    return copy
  }
}
