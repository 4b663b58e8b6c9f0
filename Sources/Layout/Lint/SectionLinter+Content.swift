import JSON

extension SectionLinter {
  /// Ids of items that are there twice, at any depth.
  mutating func checkIdentifiers(_ items: [(item: ItemDefinition, pointer: JSONPointer)]) {
    var seen = Set<String>()
    for (item, pointer) in items { item.forEachItem(at: { pointer }) { checkIdentifier($0, $1, &seen) } }
  }

  /// The same for a section. All items count, also those that need no check by themselves.
  mutating func checkIdentifiers(of section: SectionDefinition) {
    var seen = Set<String>(minimumCapacity: section.content.items.count)
    section.forEachItem { checkIdentifier($0, $1, &seen) }
  }

  private mutating func checkIdentifier(
    _ item: ItemDefinition, _ pointer: () -> JSONPointer, _ seen: inout Set<String>
  ) {
    guard !seen.insert(item.id).inserted else { return }
    add(
      .duplicateID, pointer().appending("id"),
      Sentence(
        .twiceInSection, "\"\(item.id)\" appears twice in the section; header, footer, slots and children count",
        ["id": .string(item.id)]))
  }

  /// What the kinds do not allow: they may have changed since the content was put.
  mutating func checkContent(of section: SectionDefinition) {
    let found = kinds.problems(in: section.settings) + kinds.problems(in: section.content, of: section.settings)
    if !found.isEmpty { take(found, in: section.json) }
  }

  /// Takes over the kinds' problems, except at places that a rule of lint reports itself.
  ///
  /// - Parameter document: The document that the places refer to.
  mutating func take(_ found: [DocumentProblem], in document: JSON) {
    let known = Set(problems.map(\.pointer))
    for problem in found where !known.contains(problem.pointer) {
      add(code(of: problem, in: document), problem)
    }
  }

  private func code(of problem: DocumentProblem, in document: JSON) -> LintProblem.Code {
    let tokens = problem.pointer.tokens
    guard let last = tokens.last, !tokens.contains("content") else { return .invalidContent }
    if last == "children" { return .childrenTooDeep }
    guard last == "kind", let kind = problem.pointer.value(in: document)?.string else { return .invalidContent }
    let isKnown = tokens.count == 1 ? kinds.declaredSection(kind) != nil : kinds.declaredItem(kind) != nil
    return isKnown ? .invalidContent : .unknownKind
  }

  /// Slots that a section needs to be shown at all: a source may have nothing for one.
  mutating func checkSlots(of section: SectionDefinition) {
    for (name, slot) in (kinds.sections[section.settings.kind]?.slots ?? [:]).sorted(by: { $0.key < $1.key })
    where slot.isRequired && section.content.slots[name] == nil {
      add(
        .requiredSlotEmpty, JSONPointer(["slots", name]),
        Sentence(
          .requiredSlotEmpty,
          "the slot \(name) is empty, and the kind requires it; the section stays off the page until it is filled",
          ["slot": .string(name)]))
    }
  }
}
