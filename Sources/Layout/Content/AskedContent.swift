public import JSON

extension Asking {
  /// The content that an answer comes to.
  ///
  /// - Parameter section: The id of the section.
  /// - Throws: ``InvalidDocument`` with every problem: at places of `asks` where something is not in the answer, and of the
  ///   content where what is there is wrong.
  public func content(
    of answer: JSON, section: String, in context: DefinitionContext
  ) throws(InvalidDocument) -> SectionContent {
    let collector = ProblemCollector()
    var made = Made(left: Self.contentBytesMax)
    var content = JSONObject()
    content["items"] = items.flatMap { made.list($0, in: answer, context, collector) }
    var filled = JSONObject()
    for (name, part) in slots.sorted(by: { $0.key < $1.key }) {
      // A slot may be empty: the kind says which must not.
      guard let element = part.from.value(in: answer), element != .null else { continue }
      filled[name] = made.item(part, of: element, id: nil)
    }
    if !filled.isEmpty { content["slots"] = .object(filled) }
    if made.left < 0 {
      let most = Self.contentBytesMax
      let words = "such that at most \(most) bytes of JSON come of it"
      collector.add(JSONPointer(["asks"]), .textBytes(1...most, words).demanded)
    }
    guard collector.problems.isEmpty else { return try collector.finish(nil) }
    return try collector.finish(SectionContent(json: .object(content), sectionID: section, in: context, collector))
  }
}

/// Items as they are made of an answer, so long as there is room for more.
private struct Made {
  /// The bytes that there is room for.
  var left: Int

  mutating func list(
    _ part: AskedPart, in answer: JSON, _ context: DefinitionContext, _ collector: ProblemCollector
  ) -> JSON? {
    let place = JSONPointer(["asks", "items", "from"])
    guard let found = part.from.value(in: answer) else {
      collector.add(place, .required, "leads to nothing in the answer")
      return nil
    }
    guard let elements = found.array else {
      collector.add(place, .type("the place of an array in the answer", not: found, "array"))
      return nil
    }
    let most = context.limits.itemsMax
    guard elements.count <= most else {
      collector.add(
        place, .maxItems, "must lead to at most \(most) items, leads to \(elements.count)",
        ["most": .count(most), "count": .count(elements.count)])
      return nil
    }
    var items: [JSON] = []
    for (position, element) in elements.enumerated() where left >= 0 {
      items.append(item(part, of: element, id: String(position + 1)))
    }
    return .array(items)
  }

  /// - Parameter id: The id of an item that has none; `nil` where it may have none.
  mutating func item(_ part: AskedPart, of element: JSON, id: String?) -> JSON {
    var item = JSON.object(part.item)
    if part.members.isEmpty {
      guard let given = element.object else { return element }
      for member in given { item.set(member.value, at: [member.name][...]) }
    }
    for member in part.members {
      guard let value = member.source.value(in: element), value != .null else { continue }
      item.set(value, at: member.target.tokens[...])
    }
    // Many have numbers for ids.
    if let number = item["id"]?.number { item.set(.string(number.text), at: ["id"]) }
    if item["id"] == nil, let id { item.set(.string(id), at: ["id"]) }
    left -= item.canonicalBytes.count
    return item
  }
}

extension JSON {
  /// Sets what is at a place, making the objects around it.
  fileprivate mutating func set(_ value: JSON, at path: ArraySlice<String>) {
    guard let name = path.first else {
      self = value
      return
    }
    var object = self.object ?? JSONObject()
    var member = object[name] ?? .object(JSONObject())
    member.set(value, at: path.dropFirst())
    object[name] = member
    self = .object(object)
  }
}
