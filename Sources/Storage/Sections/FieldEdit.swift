import JSON
import Layout

/// What one change did to one field of a section, as the audit keeps it (docs/decisions/0062).
///
/// Fields are the members of a section's settings, of an item, and of an item's content: what lies deeper is within their
/// values.
struct FieldEdit: Hashable, Sendable {
  /// A value before or after.
  enum Value: Hashable, Sendable {
    /// It is known; `nil` where there was nothing.
    case known(JSON?)
    /// It is too long to be kept.
    case long

    /// The longest value that is kept, in bytes of canonical JSON.
    static let bytesMax = 1_024

    init(_ json: JSON?) {
      self = (json?.canonicalBytes.count ?? 0) <= Self.bytesMax ? .known(json) : .long
    }

    /// What of it is at a place within it.
    func value(at pointer: JSONPointer) -> Value {
      guard case .known(let json) = self else { return .long }
      return .known(json.flatMap(pointer.value(in:)))
    }

    /// The item of an id in it, which is one or holds one among its children.
    func item(_ id: String) -> Value {
      guard case .known(let json) = self else { return .long }
      return .known(json.flatMap { Self.find(id, in: $0) })
    }

    private static func find(_ id: String, in item: JSON) -> JSON? {
      guard item["id"]?.string != id else { return item }
      return (item["children"]?.array ?? []).lazy.compactMap { find(id, in: $0) }.first
    }
  }

  /// The item, at any depth; `nil` for the section itself.
  var item: String?
  /// The slot that the item stands in.
  var slot: String?
  /// The field in the item or in the section.
  var pointer = JSONPointer()
  var from: Value
  var to: Value
}

extension FieldEdit {
  /// The most edits that are kept of one change, and their bytes as the audit keeps them; of one that made more, none is
  /// known.
  static let (countMax, bytesMax) = (64, 8_192)
  /// A `LIKE` pattern of what the audit keeps of changes to an item.
  static func pattern(of item: String) -> String { "%\"item\":\"\(item)\"%" }

  /// What the audit keeps of a change without changed fields.
  static let none = "[]"

  /// What a change of a section's settings did, and of its content where that is given, as the audit keeps it; `nil` when
  /// it is too much.
  static func edits(from before: SectionDefinition, to after: SectionDefinition, hasContent: Bool) -> String? {
    var edits = members(of: before.settings.json, after.settings.json)
    if hasContent { add(before.opened.content, after.opened.content, to: &edits) }
    return text(of: edits)
  }

  /// What an edit of a section's content did, as the audit keeps it; `nil` when it is too much.
  static func edits(_ edit: ContentEdit, from before: SectionContent, to after: SectionContent) -> String? {
    var edits: [FieldEdit] = []
    if let id = edit.item {
      let slot = (after.slots.first { $0.value.id == id } ?? before.slots.first { $0.value.id == id })?.key
      add(before.item(id), after.item(id), slot: slot, to: &edits)
    } else {
      add(before, after, to: &edits)
    }
    return text(of: edits)
  }

  /// A section that is made or removed.
  static func whole(from: Value, to: Value) -> String? { text(of: [FieldEdit(from: from, to: to)]) }

  private static func text(of edits: [FieldEdit]) -> String? {
    guard edits.count <= countMax else { return nil }
    let text = JSON.array(edits.map(\.json)).canonicalText
    return text.utf8.count <= bytesMax ? text : nil
  }

  private static func add(_ before: SectionContent, _ after: SectionContent, to edits: inout [FieldEdit]) {
    for slot in Set(before.slots.keys).union(after.slots.keys).sorted() {
      let (old, new) = (before.slots[slot], after.slots[slot])
      guard old?.id != new?.id else {
        add(old, new, slot: slot, to: &edits)
        continue
      }
      add(old, nil, slot: slot, to: &edits)
      add(nil, new, slot: slot, to: &edits)
    }
    add(before.items, after.items, to: &edits)
  }

  private static func add(_ before: [ItemDefinition], _ after: [ItemDefinition], to edits: inout [FieldEdit]) {
    let old = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let new = Set(after.map(\.id))
    for item in after where edits.count <= countMax { add(old[item.id], item, slot: nil, to: &edits) }
    for item in before where edits.count <= countMax && !new.contains(item.id) {
      add(item, nil, slot: nil, to: &edits)
    }
  }

  private static func add(
    _ before: ItemDefinition?, _ after: ItemDefinition?, slot: String?, to edits: inout [FieldEdit]
  ) {
    guard before != after else { return }
    guard var before, var after else {
      edits.append(
        FieldEdit(item: (after ?? before)?.id, slot: slot, from: Value(before?.json), to: Value(after?.json)))
      return
    }
    add(before.children, after.children, to: &edits)
    (before.children, after.children) = ([], [])
    for var edit in members(of: before.json, after.json) {
      (edit.item, edit.slot) = (after.id, slot)
      guard edit.pointer.tokens == ["content"] else {
        edits.append(edit)
        continue
      }
      for var inner in members(of: .object(before.content), .object(after.content)) {
        (inner.item, inner.slot, inner.pointer) = (after.id, slot, edit.pointer.appending(inner.pointer))
        edits.append(inner)
      }
    }
  }

  private static func members(of before: JSON, _ after: JSON) -> [FieldEdit] {
    let (old, new) = (before.object ?? [:], after.object ?? [:])
    let names = old.map(\.name) + new.map(\.name).filter { old[$0] == nil }
    return names.filter { old[$0] != new[$0] }.map {
      FieldEdit(pointer: JSONPointer([$0]), from: Value(old[$0]), to: Value(new[$0]))
    }
  }
}

extension FieldEdit {
  /// What the edits of one change did at a place.
  enum Effect: Hashable, Sendable {
    /// Nothing.
    case none
    /// They changed the value.
    case values(from: JSON?, to: JSON?)
    /// They did something there or within it, of which it is not known what.
    case unknown
  }

  static func effect(of edits: [FieldEdit], at place: FieldPlace) -> Effect {
    // What goes from one slot or list to another is taken from one and put into the other.
    let found = edits.compactMap { $0.values(at: place) }
    guard let from = (found.first { $0.from != .known(nil) } ?? found.first)?.from,
      let to = (found.last { $0.to != .known(nil) } ?? found.last)?.to
    else { return edits.contains { $0.isWithin(place) } ? .unknown : .none }
    guard case (.known(let old), .known(let new)) = (from, to) else { return .unknown }
    return old == new ? .none : .values(from: old, to: new)
  }

  /// Whether its field lies within a place.
  private func isWithin(_ place: FieldPlace) -> Bool {
    let tokens = place.pointer.tokens
    guard item != place.item else {
      return pointer.tokens.count > tokens.count && pointer.tokens.starts(with: tokens, by: JSON.isSame)
    }
    guard item != nil else { return false }
    if place.item != nil { return tokens.isEmpty || tokens[0] == "children" }
    return tokens.isEmpty || tokens[0] == "items" || tokens == ["slots"] || tokens == ["slots", slot ?? ""]
  }

  /// What it did at a place, as far as that is known; `nil` when that is another place.
  private func values(at place: FieldPlace) -> (from: Value, to: Value)? {
    if let rest = rest(of: place) { return (from.value(at: rest), to.value(at: rest)) }
    // A section or an item as a whole; the header or the footer, which are items as well.
    guard let id = place.item else { return nil }
    let isEnd = item == nil && ["header", "footer"].contains(pointer.tokens.first)
    guard pointer.tokens.isEmpty || isEnd else { return nil }
    let (old, new) = (from.item(id), to.item(id))
    guard old != .known(nil) || new != .known(nil) else { return nil }
    return (old.value(at: place.pointer), new.value(at: place.pointer))
  }

  /// The way from this field to a place within it.
  private func rest(of place: FieldPlace) -> JSONPointer? {
    let tokens = place.pointer.tokens
    var own = pointer.tokens
    if item != place.item {
      // The section's own place of what stands in a slot.
      guard place.item == nil, let slot else { return nil }
      own = ["slots", slot] + own
    }
    guard tokens.starts(with: own, by: JSON.isSame) else { return nil }
    return JSONPointer(Array(tokens.dropFirst(own.count)))
  }
}

extension FieldEdit {
  /// As the audit keeps it.
  var json: JSON {
    var object: JSONObject = ["at": .string(pointer.description)]
    object["item"] = item.map { .string($0) }
    object["slot"] = slot.map { .string($0) }
    var long: [JSON] = []
    for (name, value) in [("from", from), ("to", to)] {
      switch value {
      case .known(let json): object[name] = json
      case .long: long.append(.string(name))
      }
    }
    if !long.isEmpty { object["long"] = .array(long) }
    return .object(object)
  }

  /// Reads an edit from the audit; `nil` if it is not one.
  init?(_ json: JSON) {
    guard let pointer = json["at"]?.string.flatMap(JSONPointer.init(text:)) else { return nil }
    let long = Set((json["long"]?.array ?? []).compactMap(\.string))
    self.init(
      item: json["item"]?.string, slot: json["slot"]?.string, pointer: pointer,
      from: long.contains("from") ? .long : .known(json["from"]),
      to: long.contains("to") ? .long : .known(json["to"]))
  }
}
