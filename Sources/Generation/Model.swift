import JSON
import JSONSchema
import Layout

/// The kinds with the names that one language gives them.
struct Model {
  /// An item kind.
  struct ItemType {
    var kind: ItemKind
    /// The case among all items.
    var name: String
    /// The type of its content.
    var content: String
  }

  /// A section kind.
  struct SectionType {
    /// A named item.
    struct Slot {
      var name: String
      /// The member for it.
      var member: String
      var isRequired: Bool
      /// What it takes.
      var items: [ItemType]
    }

    var kind: SectionKind
    /// The case among all sections.
    var name: String
    /// Its type.
    var type: String
    var slots: [Slot]
    /// What it takes as items.
    var items: [ItemType]
    var header: [ItemType]
    var footer: [ItemType]
  }

  let shapes: [SchemaShape]
  let spelling: Spelling
  private(set) var items: [ItemType] = []
  private(set) var sections: [SectionType] = []
  /// The shapes that have a type, in the order to write them.
  private(set) var named: [Int] = []
  /// The names of types by the positions of their shapes.
  private(set) var typeNames: [Int: String] = [:]

  /// - Parameter sectionMembers: What every section has.
  init(_ kinds: Kinds, spelling: Spelling, sectionMembers: Set<String>) throws(InvalidSchema) {
    let itemKinds = kinds.items.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let sectionKinds = kinds.sections.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let found = try SchemaShapes(
      ofObjectsIn: kinds.document, at: itemKinds.map { JSONPointer(["itemKinds", $0.name, "content"]) })
    shapes = found.all
    self.spelling = spelling
    var types = NameScope(spelling, ofTypes: true)
    let sectionTypes = sectionKinds.map { types.name(for: $0.name, suffix: "Section") }
    nameTypes(of: itemKinds, roots: found.roots, &types)

    // Where cases are types within another, they hide those outside.
    let taken = spelling.takenCases.union(spelling.casesAreTypes ? Set(typeNames.values) : [])
    var itemCases = NameScope(spelling, ofTypes: spelling.casesAreTypes, taking: taken)
    let itemNames = itemCases.names(for: itemKinds.map(\.name))
    for (position, kind) in itemKinds.enumerated() {
      let content = typeNames[target(found.roots[position]).position] ?? ""
      items.append(ItemType(kind: kind, name: itemNames[position], content: content))
    }
    let itemsByKind = Dictionary(uniqueKeysWithValues: items.map { ($0.kind.name, $0) })
    func known(_ names: [String]) -> [ItemType] { Set(names).sorted().compactMap { itemsByKind[$0] } }
    var sectionCases = NameScope(spelling, ofTypes: spelling.casesAreTypes, taking: taken)
    let sectionNames = sectionCases.names(for: sectionKinds.map(\.name))
    for (position, kind) in sectionKinds.enumerated() {
      let slotNames = kind.slots.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      var members = NameScope(spelling, ofTypes: false, taking: sectionMembers)
      let slots = zip(slotNames, members.names(for: slotNames)).compactMap { name, member in
        kind.slots[name].map {
          SectionType.Slot(name: name, member: member, isRequired: $0.isRequired, items: known($0.kinds))
        }
      }
      sections.append(
        SectionType(
          kind: kind, name: sectionNames[position], type: sectionTypes[position], slots: slots,
          items: known(kind.items?.kinds ?? []), header: known(kind.header), footer: known(kind.footer)))
    }
  }

  // MARK: Names of types

  private mutating func nameTypes(of kinds: [ItemKind], roots: [Int], _ types: inout NameScope) {
    // What stands in `$defs` has its name from there; then come the kinds, and what is within them.
    let shared = shapes.indices.filter { shapes[$0].definition != nil && hasType($0) }
      .sorted { left, right in
        (shapes[left].definition ?? "").utf8.lexicographicallyPrecedes((shapes[right].definition ?? "").utf8)
      }
    for position in shared { name(position, types.name(for: shapes[position].definition ?? "")) }
    for (kind, root) in zip(kinds, roots) where typeNames[target(root).position] == nil {
      name(target(root).position, types.name(for: kind.name, suffix: "Content"))
    }
    for position in shared { nameParts(of: position, Identifier.upper(shapes[position].definition ?? ""), &types) }
    for (kind, root) in zip(kinds, roots) { nameParts(of: target(root).position, Identifier.upper(kind.name), &types) }
  }

  private mutating func name(_ position: Int, _ name: String) {
    typeNames[position] = name
    named.append(position)
  }

  private mutating func nameParts(of position: Int, _ stem: String, _ types: inout NameScope) {
    switch shapes[position].form {
    case .object(let members):
      for member in members { namePart(member.shape, stem + Identifier.upper(member.name), &types) }
    case .choice(let alternatives):
      for (alternative, name) in zip(alternatives, alternativeTexts(alternatives)) {
        namePart(alternative.shape, stem + Identifier.upper(name), &types)
      }
    case .list(let element), .map(let element), .same(let element): namePart(element, stem, &types)
    case .any, .boolean, .text, .integer, .number, .words: break
    }
  }

  private mutating func namePart(_ position: Int, _ stem: String, _ types: inout NameScope) {
    if hasType(position) {
      guard typeNames[position] == nil else { return }
      name(position, types.name(for: stem))
    }
    nameParts(of: position, stem, &types)
  }

  private func hasType(_ position: Int) -> Bool {
    switch shapes[position].form {
    case .object, .words, .choice: true
    default: false
    }
  }

  // MARK: What the languages ask

  /// The shape that a position stands for, and whether `null` may stand for its value.
  func target(_ position: Int) -> (position: Int, isNullable: Bool) {
    var position = position
    var isNullable = shapes[position].isNullable
    while case .same(let next) = shapes[position].form {
      position = next
      isNullable = isNullable || shapes[position].isNullable
    }
    if case .any = shapes[position].form { isNullable = false }
    return (position, isNullable)
  }

  /// What alternatives are called: by their word, their definition, or their type.
  func alternativeTexts(_ alternatives: [SchemaShape.Alternative]) -> [String] {
    alternatives.map { alternative in
      if let word = alternative.mark?.words.first { return word }
      if let definition = shapes[alternative.shape].definition { return definition }
      let types = alternative.types.sorted()
      return ["string": "text", "array": "list", "boolean": "flag"][types.first ?? ""] ?? types.first ?? "value"
    }
  }

  /// Whether a value of one type holds one of another, lists and maps not counted.
  func holds(_ position: Int, _ other: Int) -> Bool {
    var seen = Set<Int>()
    var pending = [position]
    while let next = pending.popLast() {
      let next = target(next).position
      if next == other { return true }
      guard seen.insert(next).inserted else { continue }
      switch shapes[next].form {
      case .object(let members): pending += members.map(\.shape)
      case .choice(let alternatives): pending += alternatives.map(\.shape)
      default: break
      }
    }
    return false
  }

  /// The comment of a member.
  func comment(of member: SchemaShape.Member) -> [String] {
    let position = target(member.shape).position
    let shape = shapes[position]
    var annotation = member.annotation
    if annotation.isEmpty, typeNames[position] == nil { annotation = shape.annotation }
    var lines = comment(of: annotation)
    switch shape.form {
    case .any(let reason): lines += commentLines("Kept as JSON: \(reason).")
    case .integer(let limits), .number(let limits):
      let written = [limits.lower.map { "from \($0)" }, limits.upper.map { "to \($0)" }].compactMap { $0 }
      if !written.isEmpty { lines.append("A number " + written.joined(separator: " ") + ".") }
    default: break
    }
    switch shape.format {
    case "uri"?: lines.append("An absolute URI (RFC 3986).")
    case "date-time"?: lines.append("A date and time (RFC 3339).")
    case "date"?: lines.append("A date (RFC 3339).")
    case "email"?: lines.append("An email address (RFC 5321).")
    default: break
    }
    return lines
  }

  /// The comment of a type.
  func comment(of position: Int) -> [String] {
    items.filter { $0.content == typeNames[position] }.map { "What an item of the kind `\($0.kind.name)` shows." }
      + comment(of: shapes[position].annotation) + (shapes[position].note.map(commentLines) ?? [])
  }

  private func comment(of annotation: SchemaAnnotation) -> [String] {
    [annotation.title, annotation.description].compactMap { $0 }.flatMap(commentLines)
      + (annotation.fallback.map { commentLines("Without it: \($0.canonicalText).") } ?? [])
  }
}

extension SchemaShape.Limits {
  /// Whether all of the numbers are between two others.
  func fit(_ least: JSONNumber, _ greatest: JSONNumber) -> Bool {
    guard let lower, let upper else { return false }
    return lower >= least && upper <= greatest
  }

  var fitInt32: Bool { fit(JSONNumber(Int(Int32.min)), JSONNumber(Int(Int32.max))) }
  var fitInt64: Bool { fit(JSONNumber(Int.min), JSONNumber(Int.max)) }

  /// Whether a double holds each of them with all of its digits: 15 at most, before and after the point.
  func fitDouble(isInteger: Bool) -> Bool {
    guard let lower, let upper, let step = isInteger ? 1 : step else { return false }
    let decimals = step.text.split(separator: ".").dropFirst().first?.utf8.count ?? 0
    if step.text.contains("e") || lower.text.contains("e") || upper.text.contains("e") { return false }
    let digits = [lower, upper].map { $0.text.drop { $0 == "-" }.prefix { $0 != "." }.utf8.count }.max() ?? 0
    return digits + decimals <= 15
  }
}
