import JSON

extension Kinds {
  /// These kinds, with the earlier kinds that `pages` still need marked as `removed`: live pages stay, and lint refuses
  /// new uses.
  ///
  /// - Throws: ``InvalidKinds`` if a kept declaration does not fit the new `$defs`.
  public func keeping(of earlier: Kinds, usedBy pages: [PageDefinition]) throws(InvalidKinds) -> Kinds {
    let lost = KeptKinds(of: earlier, usedBy: pages, without: self)
    guard !lost.sections.isEmpty || !lost.items.isEmpty else { return self }
    var kinds = try Kinds(json: lost.added(to: document, from: earlier.document))
    kinds.assetsBaseURL = assetsBaseURL
    kinds.linkKey = linkKey
    return kinds
  }

  /// Whether these are without a kind that a page is drawn with by earlier ones.
  public func loses(_ page: PageDefinition, of earlier: Kinds) -> Bool {
    let lost = KeptKinds(of: earlier, usedBy: [page], without: self)
    return !lost.sections.isEmpty || !lost.items.isEmpty
  }

  /// The kinds that are there to draw what is live alone: `items/banner`, ascending.
  public var removed: [String] {
    (items.values.filter(\.isRemoved).map { "items/\($0.name)" }
      + sections.values.filter(\.isRemoved).map { "sections/\($0.name)" }).sorted()
  }

  /// The section kind of a name that content may be of.
  func declaredSection(_ name: String) -> SectionKind? { sections[name].flatMap { $0.isRemoved ? nil : $0 } }

  /// The item kind of a name that content may be of.
  func declaredItem(_ name: String) -> ItemKind? { items[name].flatMap { $0.isRemoved ? nil : $0 } }

  /// The names of the section kinds that content may be of, ascending.
  var declaredSections: [String] { sections.values.filter { !$0.isRemoved }.map(\.name).sorted() }

  /// The names of the item kinds that content may be of, ascending.
  var declaredItems: [String] { items.values.filter { !$0.isRemoved }.map(\.name).sorted() }
}

/// The kinds that pages use, with their fallbacks and what is declared to stand in them, and that newer kinds are without.
private struct KeptKinds {
  private(set) var sections = Set<String>()
  private(set) var items = Set<String>()

  init(of earlier: Kinds, usedBy pages: [PageDefinition], without newer: Kinds) {
    for page in pages {
      let used = page.kinds
      used.sections.forEach { take(section: $0, earlier, newer) }
      used.items.forEach { take(item: $0, earlier, newer) }
    }
  }

  private mutating func take(section name: String, _ earlier: Kinds, _ newer: Kinds) {
    guard newer.sections[name] == nil, let kind = earlier.sections[name], sections.insert(name).inserted else { return }
    for item in (kind.items?.kinds ?? []) + kind.slots.values.flatMap(\.kinds) + kind.header + kind.footer {
      take(item: item, earlier, newer)
    }
    if let fallback = kind.fallback { take(section: fallback, earlier, newer) }
  }

  private mutating func take(item name: String, _ earlier: Kinds, _ newer: Kinds) {
    guard newer.items[name] == nil, let kind = earlier.items[name], items.insert(name).inserted else { return }
    for item in kind.children + [kind.fallback?.kind].compactMap(\.self) { take(item: item, earlier, newer) }
  }

  /// A document of newer kinds with the declarations of the kept ones. Where one stood in a kind that there still is, it
  /// stands there again.
  func added(to newer: JSON, from earlier: JSON) -> JSON {
    var document = newer.object ?? JSONObject()
    document["sectionKinds"] = family("sectionKinds", keeping: sections, newer, earlier)
    document["itemKinds"] = family("itemKinds", keeping: items, newer, earlier)
    var shared = earlier["$defs"]?.object ?? JSONObject()
    for member in newer["$defs"]?.object ?? JSONObject() { shared[member.name] = member.value }
    if !shared.isEmpty { document["$defs"] = .object(shared) }
    return .object(document)
  }

  private func family(_ name: String, keeping kept: Set<String>, _ newer: JSON, _ earlier: JSON) -> JSON {
    var kinds = JSONObject()
    for member in newer[name]?.object ?? JSONObject() {
      kinds[member.name] = earlier[name]?[member.name].map { takingAgain(member.value, from: $0) } ?? member.value
    }
    for kind in kept {
      var declaration = earlier[name]?[kind]?.object ?? JSONObject()
      declaration["removed"] = true
      kinds[kind] = .object(declaration)
    }
    return .object(kinds)
  }

  /// A declaration whose lists of kinds name those kept ones again that an earlier declaration had in them.
  private func takingAgain(_ newer: JSON, from earlier: JSON) -> JSON {
    guard var object = newer.object else { return newer }
    for name in ["children", "header", "footer"] {
      guard let kinds = earlier[name]?.array?.filter({ $0.string.map(items.contains) ?? false }), !kinds.isEmpty
      else { continue }
      object[name] = .array((object[name]?.array ?? []) + kinds)
    }
    func lists(_ newer: JSON, _ earlier: JSON?) -> JSON {
      guard var object = newer.object,
        let kinds = earlier?["kinds"]?.array?.filter({ $0.string.map(items.contains) ?? false }), !kinds.isEmpty
      else { return newer }
      object["kinds"] = .array((object["kinds"]?.array ?? []) + kinds)
      return .object(object)
    }
    object["items"] = object["items"].map { lists($0, earlier["items"]) }
    if let slots = object["slots"]?.object {
      object["slots"] = .object(JSONObject(slots.map { ($0.name, lists($0.value, earlier["slots"]?[$0.name])) }))
    }
    return .object(object)
  }
}
