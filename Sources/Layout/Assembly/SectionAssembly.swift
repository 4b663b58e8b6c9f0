import HomePayload
import JSON
import JSONSchema

/// Assembles sections for one outcome at one instant, and notes when what it saw may change.
struct SectionAssembly {
  /// Why a section is not there.
  struct Absence: Error { var reason: HiddenSection.Reason }

  let plan: PagePlan
  let outcome: Outcome
  let instant: Instant
  private(set) var nextFlip: Instant?
  private(set) var hiddenItems: [HiddenItem] = []
  private(set) var replaced: [Replacement] = []
  /// The section in hand; `nil` for what stands in none, the page's empty state and its bar.
  private var id: String?

  init(plan: PagePlan, outcome: Outcome, instant: Instant) {
    self.plan = plan
    self.outcome = outcome
    self.instant = instant
  }

  /// Does something, and tells apart when what it saw may change.
  mutating func apart<Value>(_ body: (inout SectionAssembly) -> Value) -> (value: Value, nextFlip: Instant?) {
    let before = nextFlip
    nextFlip = nil
    defer { nextFlip = before }
    let value = body(&self)
    return (value, nextFlip)
  }

  mutating func note(_ flip: Instant?) {
    guard let flip else { return }
    nextFlip = min(nextFlip ?? flip, flip)
  }

  /// The kind that a section is drawn as, if it is there at all.
  private mutating func kind(of section: PagePlan.SectionPlan) -> Result<SectionKind, Absence> {
    let settings = section.definition.settings
    id = section.definition.id
    if settings.isHidden { return .failure(Absence(reason: .hidden)) }
    let isOfAudience = holds(section.audience)
    let kind = section.kind.flatMap { drawable($0) }
    if isOfAudience, kind != nil { note(settings.schedule?.nextFlip(after: instant)) }
    if let schedule = settings.schedule, !schedule.contains(instant) {
      return .failure(Absence(reason: schedule.from.map { instant < $0 } ?? false ? .beforeTime : .afterTime))
    }
    guard isOfAudience else { return .failure(Absence(reason: .audience)) }
    guard let kind else {
      return .failure(Absence(reason: section.kind.map(isWithheld) ?? false ? .kindWithheld : .capability))
    }

    return .success(kind)
  }

  /// The whole list of a section as the client sees it, `nil` when it does not see the section.
  mutating func list(of section: PagePlan.SectionPlan) -> WholeList? {
    guard case .success(let kind) = kind(of: section) else { return nil }
    return whole(items(section.content, of: kind, in: section.definition.settings.itemOrder), of: section)
  }

  mutating func section(_ section: PagePlan.SectionPlan, index: Int) -> Result<Section, Absence> {
    kind(of: section).flatMap { self.section(section, of: $0, index: index) }
  }

  private mutating func section(
    _ section: PagePlan.SectionPlan, of kind: SectionKind, index: Int
  ) -> Result<Section, Absence> {
    let settings = section.definition.settings
    let content = section.content
    let slots = slots(content, of: kind)
    for (name, slot) in kind.slots where slot.isRequired && slots[name] == nil {
      return .failure(Absence(reason: .requiredSlotEmpty))
    }
    let items = items(content, of: kind, in: settings.itemOrder)
    let loading = settings.loading
    let header = section.header.flatMap { item($0, among: kind.header) }
    let footer = section.footer.flatMap { item($0, among: kind.footer) }
    let showsOtherwise = loading.source != nil || (kind.showsWithoutItems && (header != nil || footer != nil))
    guard !items.isEmpty || !slots.isEmpty || showsOtherwise else {
      return .failure(Absence(reason: .empty))
    }
    let layout = layout(section, of: kind)
    if kind.name != settings.kind { replaced.append(Replacement(section: id, kind: settings.kind, by: kind.name)) }
    let (first, more) = firstItems(whole(items, of: section), of: section)
    var shown = Section(
      id: section.definition.id, kind: kind.name, index: index, header: header, layout: layout,
      lists: lists(settings, of: items), items: first, slots: slots, footer: footer)
    (shown.more, shown.load, shown.source) = (more, loading.load, loading.source)
    shown.pollInterval = loading.pollInterval
    return .success(shown)
  }

  /// Fills in what a page says of its screen.
  mutating func describe(_ page: inout Page, by settings: PageSettings) {
    page.direction = outcome.locale.isRightToLeft ? .rightToLeft : nil
    page.title = settings.displayTitle.flatMap {
      LocaleLookup.text($0, for: outcome.locale, default: settings.defaultLocale)
    }
    page.inset = settings.inset.flatMap { resolver.inset(.object($0), at: JSONPointer(), ProblemCollector()) }
    page.background = settings.background.flatMap {
      resolver.background(.object(plan.kinds.placed($0)), at: JSONPointer(), ProblemCollector())
    }
    guard let bar = settings.bar else { return }
    func drawn(_ items: [ItemDefinition]) -> [Item] { items.compactMap { alone($0) } }
    let shown = Bar(leading: drawn(bar.leading), trailing: drawn(bar.trailing))
    if !shown.leading.isEmpty || !shown.trailing.isEmpty { page.bar = shown }
  }

  /// An item that stands in no section.
  private mutating func alone(_ definition: ItemDefinition) -> Item? {
    id = nil
    return item(PagePlan.ItemPlan(definition: definition, audience: nil, children: []), among: nil)
  }

  private var resolver: LayoutResolver {
    LayoutResolver(
      locale: outcome.locale, fallback: plan.definition.settings.defaultLocale, tokens: plan.kinds.tokens)
  }

  mutating func emptyState(_ definition: ItemDefinition?) -> Item? {
    definition.flatMap { alone($0) }
  }

  private func holds(_ condition: Int?) -> Bool { condition.map { outcome[$0] } ?? true }

  private func canDraw(_ requirements: Requirements) -> Bool {
    requirements.isEmpty || holds(plan.conditions.known(requirements))
  }

  private func isWithheld(_ family: KindFamily, _ kind: String) -> Bool {
    plan.conditions.withheld(family, kind).map { outcome[$0] } ?? false
  }

  /// Whether the client could draw a kind and does not get it.
  private func isWithheld(_ kind: SectionKind) -> Bool { canDraw(kind.requirements) && !gets(kind) }

  private func isWithheld(_ kind: ItemKind) -> Bool { canDraw(kind.requirements) && !gets(kind) }

  private func gets(_ kind: SectionKind) -> Bool { canDraw(kind.requirements) && !isWithheld(.sections, kind.name) }

  private func gets(_ kind: ItemKind) -> Bool { canDraw(kind.requirements) && !isWithheld(.items, kind.name) }

  /// The kind, or the first of its fallbacks that the client can draw.
  private func drawable(_ kind: SectionKind) -> SectionKind? {
    var next: SectionKind? = kind
    while let candidate = next {
      if gets(candidate) { return candidate }
      next = candidate.fallback.flatMap { plan.kinds.sections[$0] }
    }
    return nil
  }

  private func layout(_ section: PagePlan.SectionPlan, of kind: SectionKind) -> SectionLayout {
    // A fallback is drawn by its own layout: the members were meant for the section's own kind.
    let members = kind.name == section.definition.settings.kind ? section.layout : JSONObject()
    let joined = LayoutResolver.overlay(members, on: kind.layout)
    return resolver.layout(plan.kinds.placed(joined), at: JSONPointer(), ProblemCollector())
      ?? SectionLayout(style: .list)
  }

  private mutating func slots(_ content: PagePlan.ContentPlan, of kind: SectionKind) -> [String: Item] {
    var slots: [String: Item] = [:]
    for (name, slot) in kind.slots {
      if let definition = content.slots[name] { slots[name] = item(definition, among: slot.kinds) }
    }
    return slots
  }

  private mutating func items(
    _ content: PagePlan.ContentPlan, of kind: SectionKind, in order: ItemOrder?
  ) -> [Item] {
    guard let accepted = kind.items?.kinds else { return [] }
    var (top, items): ([Item], [Item]) = ([], [])
    for definition in content.items {
      guard var item = item(definition, among: accepted) else { continue }
      item.lists = definition.definition.lists
      if order != nil, definition.definition.keepOnTop { top.append(item) } else { items.append(item) }
    }
    return order.map { top + $0.sorted(items) } ?? items
  }

  /// An item as this client sees it, `nil` when it does not.
  private mutating func item(_ item: PagePlan.ItemPlan, among accepted: [String]?) -> Item? {
    let definition = item.definition
    if definition.isHidden { return absent(definition, .hidden) }
    guard holds(item.audience) else { return absent(definition, .audience) }
    note(definition.schedule?.nextFlip(after: instant))
    if let schedule = definition.schedule, !schedule.contains(instant) {
      return absent(definition, schedule.from.map { instant < $0 } ?? false ? .beforeTime : .afterTime)
    }
    guard let drawn = content(of: definition, among: accepted) else {
      return absent(
        definition, plan.kinds.items[definition.kind].map(isWithheld) ?? false ? .kindWithheld : .capability)
    }
    if drawn.kind.name != definition.kind {
      replaced.append(Replacement(section: id, item: definition.id, kind: definition.kind, by: drawn.kind.name))
    }
    var children: [Item] = []
    for child in item.children {
      if let child = self.item(child, among: drawn.kind.children) { children.append(child) }
    }
    return Item(
      id: definition.id, kind: drawn.kind.name, content: drawn.content, aspect: definition.aspect,
      inset: definition.inset.flatMap { resolver.inset(.object($0), at: JSONPointer(), ProblemCollector()) },
      action: definition.action,
      actions: definition.actions.compactMap {
        ItemAction($0, for: outcome.locale, default: plan.definition.settings.defaultLocale)
      },
      accessibility: definition.accessibility.flatMap {
        Accessibility($0, for: outcome.locale, default: plan.definition.settings.defaultLocale)
      },
      expanded: children.isEmpty ? nil : definition.expanded, children: children)
  }

  private mutating func absent(_ item: ItemDefinition, _ reason: HiddenSection.Reason) -> Item? {
    hiddenItems.append(HiddenItem(section: id, item: item.id, reason: reason))
    return nil
  }

  /// The kind that the client can draw, and its content for the client's locale.
  private func content(of item: ItemDefinition, among accepted: [String]?) -> (kind: ItemKind, content: JSONObject)? {
    guard var kind = plan.kinds.items[item.kind] else { return nil }
    let fallbackLocale = plan.definition.settings.defaultLocale
    let written = JSON.object(plan.kinds.tokens.placed(in: item.content))
    let localized =
      kind.schema.isLocalized
      ? kind.schema.localized(written) {
        LocaleLookup.name(for: outcome.locale, default: fallbackLocale, among: $0)
      } : written
    guard case .object(var content)? = localized else { return nil }
    while !gets(kind) {
      guard let fallback = kind.fallback, let next = plan.kinds.items[fallback.kind] else { return nil }
      content = fallback.content(from: content)
      guard next.schema.accepts(plan.kinds.addressed(content)) else { return nil }
      kind = next
    }
    guard accepted?.contains(kind.name) ?? true else { return nil }
    return (kind, plan.kinds.placed(content))
  }
}

extension ItemKind.Fallback {
  /// The content of the kind drawn instead.
  func content(from source: JSONObject) -> JSONObject {
    guard let mapping = content else { return source }
    return JSONObject(
      mapping.compactMap { name, pointer in pointer.value(in: .object(source)).map { (name.string, $0) } })
  }
}

extension ItemOrder {
  /// The items by a member of their content, those without it last; equal ones keep their order (S4.4).
  func sorted(_ items: [Item]) -> [Item] {
    let keyed = items.enumerated().map { (offset: $0, key: SortKey(pointer.value(in: .object($1.content))), item: $1) }
    return keyed.sorted { left, right in
      if left.key == right.key { return left.offset < right.offset }
      if left.key == .absent || right.key == .absent { return right.key == .absent }
      return isDescending ? right.key < left.key : left.key < right.key
    }.map(\.item)
  }

  /// What items are compared by: times as moments, numbers by value, texts by their code points.
  private enum SortKey: Hashable {
    case moment(Instant)
    case number(JSONNumber)
    case text(ExactString)
    case absent

    init(_ value: JSON?) {
      switch value {
      case .string(let text): self = Instant(text).map { .moment($0) } ?? .text(ExactString(text))
      case .number(let number): self = .number(number)
      default: self = .absent
      }
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
      switch (left, right) {
      case (.moment(let left), .moment(let right)): left < right
      case (.number(let left), .number(let right)): left < right
      case (.text(let left), .text(let right)): left < right
      default: left.rank < right.rank
      }
    }

    private var rank: Int {
      switch self {
      case .moment: 0
      case .number: 1
      case .text: 2
      case .absent: 3
      }
    }
  }
}
