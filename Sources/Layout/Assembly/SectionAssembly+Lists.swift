import HomePayload

/// A section's whole list as a client sees it, in the order in which it comes.
struct WholeList {
  /// The items.
  let items: [Item]
  /// How many of them stand in the page.
  let first: Int
}

extension SectionAssembly {
  /// The list in the order in which it comes. Where the page has a part alone, that part begins each of the named lists.
  func whole(_ items: [Item], of section: PagePlan.SectionPlan) -> WholeList {
    guard let most = section.list?.first else { return WholeList(items: items, first: items.count) }
    let names = section.definition.settings.lists.map(\.id)
    guard most > 0, !names.isEmpty else { return WholeList(items: items, first: min(most, items.count)) }
    func lists(of item: Item) -> [String] { item.lists.isEmpty ? names : item.lists }
    var reach = Self.reach(of: items.map(lists), first: most)
    // An item that comes early for one of its lists takes along what is before it in the others.
    for (position, item) in items.enumerated().reversed()
    where lists(of: item).contains(where: { reach[$0] ?? -1 >= position }) {
      for name in lists(of: item) { reach[name] = max(reach[name] ?? -1, position) }
    }
    var (early, late): ([Item], [Item]) = ([], [])
    for (position, item) in items.enumerated() {
      if lists(of: item).contains(where: { reach[$0] ?? -1 >= position }) {
        early.append(item)
      } else {
        late.append(item)
      }
    }
    return WholeList(items: early + late, first: early.count)
  }

  /// The position of the last item of each list that is among the first so many of it.
  private static func reach(of memberships: [[String]], first most: Int) -> [String: Int] {
    var counts: [String: Int] = [:]
    var reach: [String: Int] = [:]
    for (position, names) in memberships.enumerated() {
      for name in names where counts[name, default: 0] < most {
        counts[name, default: 0] += 1
        reach[name] = position
      }
    }
    return reach
  }

  /// The lists that have an item, or that the app fills; none where one alone is left, which needs no tab.
  func lists(_ settings: SectionSettings, of items: [Item]) -> [Section.NamedList] {
    guard settings.lists.count > 1 else { return [] }
    let known = Set(items.flatMap(\.lists))
    let isAll = settings.loading.load == .client || items.contains { $0.lists.isEmpty }
    let shown = settings.lists.filter { isAll || known.contains($0.id) }
    guard shown.count > 1 else { return [] }
    return shown.map { list in
      let title = LocaleLookup.text(list.title, for: outcome.locale, default: plan.definition.settings.defaultLocale)
      return Section.NamedList(id: list.id, title: title ?? list.id)
    }
  }
}
