public import JSON
import JSONSchema

extension Kinds {
  /// Reads a kinds file.
  ///
  /// - Throws: ``InvalidKinds`` with every problem.
  public init(json: JSON, limits: LayoutLimits = LayoutLimits()) throws(InvalidKinds) {
    var reader = KindsReader(document: json, limits: limits)
    let kinds = reader.kinds()
    guard let kinds, reader.collector.problems.isEmpty else { throw InvalidKinds(problems: reader.collector.problems) }
    self = kinds
  }
}

/// Reads the kinds and checks what they say of each other.
private struct KindsReader {
  let document: JSON
  let limits: LayoutLimits
  let collector = ProblemCollector()
  /// What is wrong with schemas that kinds share, each with the kinds that it is found through.
  var shared: [(problem: InvalidSchema.Problem, kinds: [String])] = []
  var tokens = DesignTokens(values: [:])

  mutating func kinds() -> Kinds? {
    guard var reader = ObjectReader(document, at: JSONPointer(), collector) else { return nil }
    tokens = LayoutResolver.tokens(
      reader.object("tokens") ?? JSONObject(), at: reader.place(of: "tokens"), collector)
    var items: [String: ItemKind] = [:]
    for member in reader.object("itemKinds") ?? JSONObject() {
      items[member.name] = itemKind(member.value, named: member.name, at: JSONPointer(["itemKinds", member.name]))
    }
    var sections: [String: SectionKind] = [:]
    for member in reader.object("sectionKinds") ?? JSONObject() {
      sections[member.name] = sectionKind(
        member.value, named: member.name, at: JSONPointer(["sectionKinds", member.name]))
    }
    for member in reader.object("$defs") ?? JSONObject() {
      _ = compile(at: JSONPointer(["$defs", member.name]), for: nil)
    }
    reader.refuseOthers()
    reportShared()
    let kinds = Kinds(items: items, sections: sections, tokens: tokens, document: document)
    if collector.problems.isEmpty { checkReferences(in: kinds) }
    return kinds
  }

  private mutating func itemKind(_ json: JSON, named name: String, at pointer: JSONPointer) -> ItemKind? {
    guard Slug.check(name, at: pointer, collector), var reader = ObjectReader(json, at: pointer, collector) else {
      return nil
    }
    let title = reader.string("title") ?? name
    let schema = schema(&reader, of: name)
    let children = reader.strings("children") ?? []
    let action: ItemKind.ActionRule = reader.word("action") ?? .optional
    let requirements = requirements(&reader)
    let fallback = reader.nested("fallback") { itemFallback(&$0) }
    let isRemoved = reader.bool("removed") ?? false
    reader.refuseOthers()
    guard let schema else { return nil }
    return ItemKind(
      name: name, title: title, schema: schema, children: children, action: action, requirements: requirements,
      fallback: fallback, isRemoved: isRemoved)
  }

  private mutating func schema(_ reader: inout ObjectReader, of kind: String) -> Schema? {
    guard reader.required("content") != nil else { return nil }
    return compile(at: reader.place(of: "content"), for: kind)
  }

  /// Compiles a schema. Mistakes elsewhere in the file are remembered, so each is reported once, however many schemas
  /// refer to it.
  private mutating func compile(at pointer: JSONPointer, for kind: String?) -> Schema? {
    do { return try Schema(in: document, at: pointer) } catch {
      for problem in error.problems {
        if kind != nil, problem.pointer.tokens.starts(with: pointer.tokens) {
          collector.add(problem.pointer, .invalidKinds(problem.detail))
        } else if let known = shared.firstIndex(where: { $0.problem == problem }) {
          shared[known].kinds += [kind].compactMap { $0 }
        } else {
          shared.append((problem, [kind].compactMap { $0 }))
        }
      }
      return nil
    }
  }

  private func reportShared() {
    for (problem, kinds) in shared {
      let users = kinds.isEmpty ? "" : " (used by the item kinds \(kinds.joined(separator: ", ")))"
      collector.add(problem.pointer, .invalidKinds(problem.detail + users))
    }
  }

  private func requirements(_ reader: inout ObjectReader) -> Requirements {
    let place = reader.place(of: "requires")
    var requirements: Requirements = [:]
    for member in reader.object("requires") ?? JSONObject() {
      if let version = member.value.string.flatMap(AppVersion.init(_:)) {
        requirements[member.name] = version
      } else {
        collector.add(place.appending(member.name), .version, "must be a version in quotes such as \"5.2\"")
      }
    }
    return requirements
  }

  private func itemFallback(_ reader: inout ObjectReader) -> ItemKind.Fallback? {
    let kind = reader.requiredString("kind")
    let place = reader.place(of: "content")
    let content = reader.object("content").map { object in
      Dictionary(
        object.compactMap { member -> (ExactString, JSONPointer)? in
          if let source = member.value.string.flatMap(JSONPointer.init(text:)) {
            return (ExactString(member.name), source)
          }
          collector.add(
            place.appending(member.name), .jsonPointer, "must be a JSON Pointer into the content such as /title")
          return nil
        }, uniquingKeysWith: { first, _ in first })
    }
    return kind.map { ItemKind.Fallback(kind: $0, content: content) }
  }

  private func sectionKind(_ json: JSON, named name: String, at pointer: JSONPointer) -> SectionKind? {
    guard Slug.check(name, at: pointer, collector), var reader = ObjectReader(json, at: pointer, collector) else {
      return nil
    }
    let title = reader.string("title") ?? name
    let layout = reader.required("layout").flatMap(\.object) ?? JSONObject()
    let layoutPlace = reader.place(of: "layout")
    let items = reader.nested("items") { sectionItems(&$0) }
    let slots = slots(&reader)
    let header = reader.strings("header") ?? []
    let footer = reader.strings("footer") ?? []
    let depth = reader.int("depth", in: 0...limits.childrenDepthMax) ?? 0
    let showsWithoutItems = reader.bool("showsWithoutItems") ?? false
    let requirements = requirements(&reader)
    let fallback = reader.nested("fallback") { $0.requiredString("kind") }
    let isRemoved = reader.bool("removed") ?? false
    reader.refuseOthers()
    _ = LayoutResolver(locale: nil, fallback: nil, tokens: tokens, needsEveryLocale: true)
      .layout(layout, at: layoutPlace, collector)
    if showsWithoutItems, header.isEmpty, footer.isEmpty {
      collector.add(
        pointer.appending("showsWithoutItems"),
        .invalidKinds("needs a 'header' or a 'footer', which is what would show"))
    } else if items == nil, slots.isEmpty, !showsWithoutItems {
      collector.add(
        pointer, .invalidKinds("must take 'items' or have 'slots'; without either it could never show anything"))
    }
    for (position, name) in (layout["slotOrder"]?.array ?? []).compactMap(\.string).enumerated()
    where slots[name] == nil {
      collector.add(
        layoutPlace.appending("slotOrder").appending(position), .invalidKinds("is not a slot of the kind"))
    }
    for member in layout["slotSizes"]?.object ?? JSONObject() where slots[member.name] == nil {
      collector.add(
        layoutPlace.appending("slotSizes").appending(member.name), .invalidKinds("is not a slot of the kind"))
    }
    return SectionKind(
      name: name, title: title, layout: layout, items: items, slots: slots, header: header, footer: footer,
      depth: depth, showsWithoutItems: showsWithoutItems, requirements: requirements, fallback: fallback,
      isRemoved: isRemoved)
  }

  private func sectionItems(_ reader: inout ObjectReader) -> SectionKind.Items? {
    let kinds = reader.strings("kinds") ?? []
    let range = 0...limits.itemsMax
    let minimum = reader.int("minimum", in: range) ?? 0
    let maximum = reader.int("maximum", in: range)
    if kinds.isEmpty { collector.add(reader.place(of: "kinds"), .invalidKinds("must name at least one item kind")) }
    if let maximum, minimum > maximum {
      collector.add(
        reader.place(of: "minimum"), .aboveMaximum, "must not be above 'maximum'",
        ["least": .count(minimum), "most": .count(maximum)])
    }
    return SectionKind.Items(kinds: kinds, minimum: minimum, maximum: maximum)
  }

  private func slots(_ reader: inout ObjectReader) -> [String: SectionKind.Slot] {
    let slots = reader.named("slots") { _, json, place in
      ObjectReader.object(json, at: place, collector) { inner in
        let kinds = inner.strings("kinds") ?? []
        let isRequired = inner.bool("required") ?? false
        if kinds.isEmpty { collector.add(inner.place(of: "kinds"), .invalidKinds("must name at least one item kind")) }
        return SectionKind.Slot(kinds: kinds, isRequired: isRequired)
      }
    }
    return Dictionary(uniqueKeysWithValues: slots)
  }

  private func checkReferences(in kinds: Kinds) {
    for kind in kinds.items.values {
      let pointer = JSONPointer(["itemKinds", kind.name])
      check(kind.children, in: kinds, at: pointer.appending("children"))
      if let fallback = kind.fallback {
        check([fallback.kind], in: kinds, at: pointer.appending("fallback"))
        checkChain(from: kind.name, at: pointer.appending("fallback")) { kinds.items[$0]?.fallback?.kind }
      }
    }
    for kind in kinds.sections.values {
      let pointer = JSONPointer(["sectionKinds", kind.name])
      check(kind.items?.kinds ?? [], in: kinds, at: pointer.appending("items"))
      check(kind.header, in: kinds, at: pointer.appending("header"))
      check(kind.footer, in: kinds, at: pointer.appending("footer"))
      for (name, slot) in kind.slots {
        check(slot.kinds, in: kinds, at: pointer.appending("slots").appending(name))
      }
      if let fallback = kind.fallback {
        if kinds.sections[fallback] == nil {
          collector.add(
            pointer.appending("fallback"), .unknownSectionKind, "there is no section kind \"\(fallback)\"",
            ["kind": .string(fallback), "known": .names(kinds.sections.keys.sorted())])
        }
        checkChain(from: kind.name, at: pointer.appending("fallback")) { kinds.sections[$0]?.fallback }
      }
    }
  }

  private func check(_ names: [String], in kinds: Kinds, at pointer: JSONPointer) {
    for name in names where kinds.items[name] == nil {
      let known = kinds.items.keys.sorted()
      collector.add(
        pointer, .unknownItemKind, "there is no item kind \"\(name)\"; declared are \(known.joined(separator: ", "))",
        ["kind": .string(name), "known": .names(known)])
    }
  }

  private func checkChain(from name: String, at pointer: JSONPointer, next: (String) -> String?) {
    var seen: Set<String> = [name]
    var current = name
    while let following = next(current) {
      guard seen.insert(following).inserted else {
        collector.add(pointer, .invalidKinds("falls back to itself, through other kinds"))
        return
      }
      current = following
    }
  }
}
