public import Layout

/// How a source changes a section's content.
public enum ContentEdit: Hashable, Sendable {
  /// Other items and slots take the place of all that there are.
  case replace(SectionContent)
  /// One item is replaced in place where it is there, and appended where it is not (S1.4).
  case put(ItemDefinition)
  /// One item goes, wherever in the section it is.
  case remove(String)

  /// The item that it is about, `nil` when it is about all of them.
  var item: String? {
    switch self {
    case .replace: nil
    case .put(let item): item.id
    case .remove(let id): id
    }
  }

  /// What the audit calls it when the draft alone is changed.
  var action: String {
    switch self {
    case .replace: "content.put"
    case .put: "item.put"
    case .remove: "item.delete"
    }
  }

  /// What the audit calls it when a revision is made of it.
  var publishAction: String {
    switch self {
    case .replace: "content.publish"
    case .put: "item.publish"
    case .remove: "item.delete.publish"
    }
  }
}

extension SectionContent {
  /// The content after an edit.
  ///
  /// - Parameter model: Content that has had the edit: where this lacks an item, the item gets the place that it has
  ///   there.
  public func applying(_ edit: ContentEdit, like model: SectionContent? = nil) -> SectionContent {
    var content = opened
    switch edit {
    case .replace(let new): content = new
    case .put(let item): content.put(item, like: model)
    case .remove(let id):
      content.items.removeAll { $0.id == id }
      content.slots = content.slots.filter { $0.value.id != id }
    }
    return content
  }

  /// The item of an id, in the list or a slot.
  func item(_ id: String) -> ItemDefinition? {
    let content = opened
    return content.items.first { $0.id == id } ?? content.slots.values.first { $0.id == id }
  }

  private mutating func put(_ item: ItemDefinition, like model: SectionContent?) {
    func slot(of content: SectionContent?) -> String? { content?.slots.first { $0.value.id == item.id }?.key }
    if let position = items.firstIndex(where: { $0.id == item.id }) {
      put(item, at: position)
    } else if let slot = slot(of: self) ?? slot(of: model) {
      slots[slot] = item
    } else {
      let place = place(of: item.id, in: model)
      if place == items.count { put(item, at: place) } else { items.insert(item, at: place) }
    }
  }

  /// Behind the item that it stands behind in other content; at the end when that does not have it.
  private func place(of id: String, in model: SectionContent?) -> Int {
    guard let model = model?.opened, let end = model.items.firstIndex(where: { $0.id == id }) else {
      return items.count
    }
    let places = Dictionary(items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    return model.items[..<end].reversed().lazy.compactMap { places[$0.id] }.first.map { $0 + 1 } ?? 0
  }
}
