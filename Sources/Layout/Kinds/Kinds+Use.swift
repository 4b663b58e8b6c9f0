public import JSON

extension Kinds {
  /// The declarations of the names that differ between these kinds and newer ones, of either sort: titles too, since a
  /// declaration is compared as it is written.
  private func changes(to newer: Kinds) -> (sections: Set<String>, items: Set<String>) {
    func differing(_ list: String) -> Set<String> {
      let (old, new) = (document[list]?.object ?? JSONObject(), newer.document[list]?.object ?? JSONObject())
      return Set((old.map(\.name) + new.map(\.name)).filter { old[$0] != new[$0] })
    }
    // What kinds share may be anywhere in them.
    let sharedDiffer = document["$defs"] != newer.document["$defs"]
    let items = sharedDiffer ? Set(self.items.keys).union(newer.items.keys) : differing("itemKinds")
    return (differing("sectionKinds"), items)
  }

  /// Whether a page may look different by newer kinds: it uses one whose declaration differs, or one that may stand in for
  /// one that it uses. Tokens may be named anywhere.
  public func concerns(_ page: PageDefinition, changingTo newer: Kinds) -> Bool {
    if tokens.values != newer.tokens.values { return true }
    let (sections, items) = changes(to: newer)
    let used = page.kinds
    return !sections.isDisjoint(with: Self.withFallbacks(used.sections, in: [self.sections, newer.sections]))
      || !items.isDisjoint(with: Self.withFallbacks(used.items, in: [self.items, newer.items]))
  }

  /// Names of kinds, and of those that may stand in for them.
  static func withFallbacks(_ names: Set<String>, in declared: [[String: some DeclaredKind]]) -> Set<String> {
    var (all, left) = (names, Array(names))
    while let name = left.popLast() {
      for next in declared.compactMap({ $0[name]?.fallbackKind }) where all.insert(next).inserted { left.append(next) }
    }
    return all
  }

  /// A kind and what is drawn instead, one after the other.
  static func chain<Kind: DeclaredKind>(from first: Kind?, in kinds: [String: Kind]) -> [Kind] {
    var chain: [Kind] = []
    var next = first
    // A file with a circle is refused; this only ends here.
    while let kind = next, chain.count <= kinds.count {
      chain.append(kind)
      next = kind.fallbackKind.flatMap { kinds[$0] }
    }
    return chain
  }
}

extension PageDefinition {
  /// The kind of what stands at a place of a page in a document (`/sections/3/items/0/content/title`): of the innermost item,
  /// else of the section.
  public func kind(at pointer: JSONPointer) -> String? {
    var tokens = pointer.tokens[...]
    func item(_ start: ItemDefinition?) -> ItemDefinition? {
      var found = start
      while let present = found, tokens.first == "children" {
        tokens = tokens.dropFirst()
        guard let index = tokens.popFirst().flatMap({ Int($0) }), present.children.indices.contains(index) else {
          break
        }
        found = present.children[index]
      }
      return found
    }
    switch tokens.popFirst() {
    case "emptyState": return item(settings.emptyState)?.kind
    case "sections":
      guard let index = tokens.popFirst().flatMap({ Int($0) }), sections.indices.contains(index) else { return nil }
      let section = sections[index]
      let own = section.settings.kind
      switch tokens.popFirst() {
      case "header": return item(section.settings.header)?.kind ?? own
      case "footer": return item(section.settings.footer)?.kind ?? own
      case "slots": return tokens.popFirst().flatMap { item(section.content.slots[$0])?.kind } ?? own
      case "items":
        let items = section.content.items
        guard let index = tokens.popFirst().flatMap({ Int($0) }), items.indices.contains(index) else { return own }
        return item(items[index])?.kind ?? own
      default: return own
      }
    default: return nil
    }
  }
}
