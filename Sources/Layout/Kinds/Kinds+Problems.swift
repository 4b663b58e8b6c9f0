import HomePayload
import JSON
import JSONSchema

extension Kinds {
  /// The mistakes of a section's settings by its kind. Places refer to an admin request's body.
  public func problems(in settings: SectionSettings) -> [DocumentProblem] {
    let collector = ProblemCollector()
    guard let kind = declaredSection(settings.kind) else {
      let known = declaredSections.joined(separator: ", ")
      collector.add(
        JSONPointer(["kind"]), .unknownSectionKind,
        "there is no section kind \"\(settings.kind)\"; declared are \(known)",
        ["kind": .string(settings.kind), "known": .names(declaredSections)])
      settingsAlone(settings, collector)
      return collector.problems
    }
    var check = ContentCheck(kinds: self, collector: collector)
    let layout = LayoutResolver.overlay(settings.layout, on: kind.layout)
    _ = resolver.layout(layout, at: JSONPointer(["layout"]), collector)
    for (position, name) in (settings.layout["slotOrder"]?.array ?? []).compactMap(\.string).enumerated() {
      check.slot(name, of: kind, at: JSONPointer(["layout", "slotOrder", String(position)]))
    }
    for member in settings.layout["slotSizes"]?.object ?? JSONObject() {
      check.slot(member.name, of: kind, at: JSONPointer(["layout", "slotSizes", member.name]))
    }
    check.fills(settings.loading.source, of: kind)
    if let header = settings.header {
      check.item(header, among: kind.header, "header", at: JSONPointer(["header"]), depth: 0)
    }
    if let footer = settings.footer {
      check.item(footer, among: kind.footer, "footer", at: JSONPointer(["footer"]), depth: 0)
    }
    return collector.problems
  }

  /// The mistakes of a section's content by its kind. Places refer to an admin request's body.
  ///
  /// - Parameter settings: The section's settings, whose header and footer share its item ids.
  public func problems(in content: SectionContent, of settings: SectionSettings) -> [DocumentProblem] {
    let collector = ProblemCollector()
    let taken = Set([settings.header?.id, settings.footer?.id].compactMap { $0 })
    var check = ContentCheck(kinds: self, collector: collector, ids: taken)
    let content = content.open
    guard let kind = declaredSection(settings.kind) else {
      check.itemsAlone(content.values)
      return collector.problems
    }
    let look = "kinds \(hash) \(settings.kind) \(assetsBaseURL ?? "")"
    check.items(content.values.items, of: kind, suspects: content.suspects(of: look))
    content.note(collector.problems.map(\.pointer), of: look)
    check.slots(content.values.slots, of: kind)
    return collector.problems
  }

  /// What can be said of the settings of a section whose kind is not there, so that one mistake hides no other.
  private func settingsAlone(_ settings: SectionSettings, _ collector: ProblemCollector) {
    let layout = LayoutResolver.overlay(settings.layout, on: ["style": "list"])
    _ = resolver.layout(layout, at: JSONPointer(["layout"]), collector)
    var check = ContentCheck(kinds: self, collector: collector)
    for (name, item) in [("header", settings.header), ("footer", settings.footer)] {
      if let item { check.itemAlone(item, name, at: JSONPointer([name])) }
    }
  }

  /// Checks layouts for every locale, and the names of tokens.
  fileprivate var resolver: LayoutResolver { LayoutResolver(locale: nil, fallback: nil, tokens: tokens) }

  /// The mistakes of an item by its own kind, independent of where it stands. Places refer to an admin request's body.
  public func problems(in item: ItemDefinition) -> [DocumentProblem] {
    let collector = ProblemCollector()
    var check = ContentCheck(kinds: self, collector: collector)
    check.itemAlone(item, "section", at: JSONPointer())
    return collector.problems
  }

  /// What is wrong with a page's own items for their kinds, its empty state and its bar, and tokens that nobody declares.
  public func problems(in settings: PageSettings) -> [DocumentProblem] {
    let collector = ProblemCollector()
    if let inset = settings.inset { _ = resolver.inset(.object(inset), at: JSONPointer(["inset"]), collector) }
    if let background = settings.background {
      _ = resolver.background(.object(background), at: JSONPointer(["background"]), collector)
    }
    if let emptyState = settings.emptyState {
      var check = ContentCheck(kinds: self, collector: collector)
      check.item(emptyState, among: nil, "page", at: JSONPointer(["emptyState"]), depth: 0)
    }
    var check = ContentCheck(kinds: self, collector: collector)
    for (item, place) in settings.bar?.items(at: JSONPointer(["bar"])) ?? [] {
      check.item(item, among: nil, "bar", at: place, depth: 0)
    }
    return collector.problems
  }

  /// The mistakes of a whole page by its kinds. Places refer to a page in a document.
  public func problems(in page: PageDefinition) -> [DocumentProblem] {
    var found = problems(in: page.settings)
    for (index, section) in page.sections.enumerated() {
      let place = JSONPointer(["sections", String(index)])
      let problems = problems(in: section.settings) + problems(in: section.content, of: section.settings)
      found += problems.map { $0.below(place) }
    }
    return found
  }
}

/// Holds items against the kinds.
private struct ContentCheck {
  let kinds: Kinds
  let collector: ProblemCollector
  var ids = Set<String>()
  var depthMax = 0

  /// - Parameter suspects: The positions of the items to check; of others only ids are checked. `nil`: all.
  mutating func items(_ items: [ItemDefinition], of kind: SectionKind, suspects: Set<Int>?) {
    let place = JSONPointer(["items"])
    depthMax = kind.depth
    guard let accepted = kind.items else {
      if !items.isEmpty {
        let values: JSONObject = ["kind": .string(kind.name)]
        collector.add(place, .itemsNotTaken, "the section kind \(kind.name) takes no items", values)
      }
      return
    }
    if let most = accepted.maximum, items.count > most {
      collector.add(
        place, .tooManyItems, "must have at most \(most) items, has \(items.count)",
        ["most": .count(most), "count": .count(items.count)])
    }
    if !items.isEmpty, items.count < accepted.minimum {
      collector.add(
        place, .tooFewItems, "must have at least \(accepted.minimum) items, has \(items.count)",
        ["least": .count(accepted.minimum), "count": .count(items.count)])
    }
    ids.reserveCapacity(ids.count + items.count)
    for (index, item) in items.enumerated() {
      guard suspects?.contains(index) ?? true else {
        identify(item, at: place.appending(index))
        continue
      }
      self.item(item, among: accepted.kinds, "section kind \(kind.name)", at: place.appending(index), depth: 0)
    }
  }

  /// Looks at the ids of an item and its children alone.
  private mutating func identify(_ item: ItemDefinition, at pointer: @autoclosure () -> JSONPointer) {
    takeID(of: item, at: pointer())
    for (index, child) in item.children.enumerated() {
      identify(child, at: pointer().appending("children").appending(index))
    }
  }

  private mutating func takeID(of item: ItemDefinition, at pointer: @autoclosure () -> JSONPointer) {
    guard !ids.insert(item.id).inserted else { return }
    let values: JSONObject = ["id": .string(item.id)]
    collector.add(pointer().appending("id"), .twiceInSection, "\"\(item.id)\" appears twice in the section", values)
  }

  /// What the app is to bring that the kind has no place for.
  func fills(_ source: Section.Source?, of kind: SectionKind) {
    let place = JSONPointer(["source", "fills"])
    for (position, part) in (source?.fills ?? []).enumerated() {
      let takesNone = part == "slots" ? kind.slots.isEmpty : (part == "header" ? kind.header : kind.footer).isEmpty
      guard takesNone else { continue }
      collector.add(
        place.appending(position), .partNotTaken, "the section kind \(kind.name) takes no \(part)",
        ["kind": .string(kind.name), "part": .string(part)])
    }
  }

  mutating func slots(_ slots: [String: ItemDefinition], of kind: SectionKind) {
    let place = JSONPointer(["slots"])
    for (name, item) in slots.sorted(by: { $0.key < $1.key }) {
      guard let slot = slot(name, of: kind, at: place.appending(name)) else { continue }
      self.item(item, among: slot.kinds, "slot \(name)", at: place.appending(name), depth: 0)
    }
  }

  /// Holds the items of a section whose kind is not there against their own kinds.
  mutating func itemsAlone(_ content: SectionContent.Values) {
    for (index, item) in content.items.enumerated() {
      itemAlone(item, "section", at: JSONPointer(["items"]).appending(index))
    }
    for (name, item) in content.slots.sorted(by: { $0.key < $1.key }) {
      itemAlone(item, "slot", at: JSONPointer(["slots", name]))
    }
  }

  /// Holds an item against its own kind, wherever it stands and however deep its children go.
  mutating func itemAlone(_ item: ItemDefinition, _ place: String, at pointer: JSONPointer) {
    depthMax = .max
    self.item(item, among: nil, place, at: pointer, depth: 0)
  }

  /// The slot of a name; a problem when the kind has none.
  @discardableResult
  func slot(_ name: String, of kind: SectionKind, at pointer: JSONPointer) -> SectionKind.Slot? {
    if let slot = kind.slots[name] { return slot }
    let known = kind.slots.keys.sorted().joined(separator: ", ")
    collector.add(
      pointer, .unknownSlot,
      "the section kind \(kind.name) has no slot \"\(name)\"; it has \(known.isEmpty ? "none" : known)",
      ["kind": .string(kind.name), "slot": .string(name), "known": .names(kind.slots.keys.sorted())])
    return nil
  }

  mutating func item(
    _ item: ItemDefinition, among accepted: [String]?, _ place: String, at pointer: JSONPointer, depth: Int
  ) {
    takeID(of: item, at: pointer)
    guard let kind = kinds.declaredItem(item.kind) else {
      let known = kinds.declaredItems.joined(separator: ", ")
      collector.add(
        pointer.appending("kind"), .unknownItemKind, "there is no item kind \"\(item.kind)\"; declared are \(known)",
        ["kind": .string(item.kind), "known": .names(kinds.declaredItems)])
      return
    }
    if let accepted, !accepted.contains(item.kind) {
      let known = accepted.isEmpty ? "none" : accepted.joined(separator: ", ")
      collector.add(
        pointer.appending("kind"), .kindNotTaken, "the \(place) does not take \(item.kind); it takes \(known)",
        ["kind": .string(item.kind), "known": .names(accepted)])
    }
    if let inset = item.inset {
      _ = kinds.resolver.inset(.object(inset), at: pointer.appending("inset"), collector)
    }
    let place = pointer.appending("content")
    let unknown = kinds.tokens.unknown(in: .object(item.content))
    for (pointer, name) in unknown { collector.add(place.appending(pointer), kinds.tokens.unknown(name)) }
    for problem in kind.schema.problems(in: kinds.addressed(item.content))
    where !unknown.contains(where: { problem.pointer.tokens.starts(with: $0.pointer.tokens) }) {
      collector.add(problem, below: place)
    }
    self.action(of: item, by: kind, at: pointer)
    children(item, of: kind, at: pointer.appending("children"), depth: depth)
  }

  private func action(of item: ItemDefinition, by kind: ItemKind, at pointer: JSONPointer) {
    let place = pointer.appending("action")
    let values: JSONObject = ["kind": .string(kind.name)]
    switch (kind.action, item.action) {
    case (.required, nil):
      collector.add(place, .actionRequired, "is required for items of kind \(kind.name)", values)
    case (.forbidden, .some):
      collector.add(place, .actionForbidden, "is not allowed for items of kind \(kind.name)", values)
    default: break
    }
    if kind.action == .forbidden, !item.actions.isEmpty {
      let text = "are not allowed for items of kind \(kind.name)"
      collector.add(pointer.appending("actions"), .actionForbidden, text, values)
    }
  }

  private mutating func children(_ item: ItemDefinition, of kind: ItemKind, at pointer: JSONPointer, depth: Int) {
    guard !item.children.isEmpty else { return }
    if depth >= depthMax {
      let text = "the section kind allows \(depthMax) levels of children"
      collector.add(pointer, .childrenTooDeep, text, ["most": .count(depthMax)])
      return
    }
    for (index, child) in item.children.enumerated() {
      self.item(
        child, among: kind.children, "children of \(kind.name)", at: pointer.appending(index), depth: depth + 1)
    }
  }
}

extension Kinds {
  /// What is wrong with a whole document for its kinds, by pointers into the document.
  public func problems(in document: LayoutDocument) -> [DocumentProblem] {
    document.pages.flatMap { page in
      problems(in: page).map { $0.below(JSONPointer(["pages", page.id])) }
    }
  }
}

extension ProblemCollector {
  /// Adds what a content's schema says; its keyword is the code.
  fileprivate func add(_ problem: SchemaProblem, below pointer: JSONPointer) {
    let place = pointer.appending(problem.pointer)
    // Each keyword that can be failed is a code.
    add(place, Sentence.Code(rawValue: problem.keyword) ?? .nothingIsValid, problem.detail, problem.values)
  }
}
