import JSON

extension Linter {
  /// Ids twice: sections on the page, items in their section at any depth.
  mutating func checkIdentifiers() {
    var sections = Set<String>()
    for (position, section) in page.sections.enumerated() {
      let place = Self.place(ofSection: position)
      if !sections.insert(section.id).inserted {
        add(.duplicateID, place.appending("id"), section.id, "\"\(section.id)\" is there a second time on the page")
      }
      var items = Set<String>()
      for (item, pointer) in section.topItems(at: place) { checkIdentifier(item, pointer, section.id, &items) }
    }
  }

  private mutating func checkIdentifier(
    _ item: ItemDefinition, _ pointer: JSONPointer, _ section: String, _ seen: inout Set<String>
  ) {
    if !seen.insert(item.id).inserted {
      add(
        .duplicateID, pointer.appending("id"), section,
        "\"\(item.id)\" is there a second time in the section, header, footer, slots and children counted")
    }
    for (index, child) in item.children.enumerated() {
      checkIdentifier(child, pointer.appending("children").appending(index), section, &seen)
    }
  }

  /// What the kinds do not allow: they may have changed since the content was put.
  mutating func checkContent() {
    let known = Set(problems.map(\.pointer))
    let found = kinds.problems(in: page).filter { !known.contains($0.pointer) }
    guard !found.isEmpty else { return }
    let document = page.json
    for problem in found {
      let tokens = problem.pointer.tokens
      let position = tokens.first == "sections" ? tokens.dropFirst().first.flatMap { Int($0) } : nil
      add(code(of: problem, in: document), problem.pointer, position.map { page.sections[$0].id }, problem.detail)
    }
  }

  private func code(of problem: DocumentProblem, in document: JSON) -> LintProblem.Code {
    let tokens = problem.pointer.tokens
    guard let last = tokens.last, !tokens.contains("content") else { return .invalidContent }
    if last == "children" { return .childrenTooDeep }
    guard last == "kind", let kind = problem.pointer.value(in: document)?.string else { return .invalidContent }
    let isOfSection = tokens.count == 3
    let isKnown = isOfSection ? kinds.sections[kind] != nil : kinds.items[kind] != nil
    return isKnown ? .invalidContent : .unknownKind
  }

  /// Slots that a section needs to be shown at all.
  mutating func checkSlots() {
    for (position, section) in page.sections.enumerated() where !section.settings.isHidden {
      for (name, slot) in (kinds.sections[section.settings.kind]?.slots ?? [:]).sorted(by: { $0.key < $1.key })
      where slot.isRequired && section.content.slots[name] == nil {
        add(
          .requiredSlotEmpty, Self.place(ofSection: position).appending("slots").appending(name), section.id,
          "the slot \(name) is empty: the section stays off the page until it is filled")
      }
    }
  }
}
