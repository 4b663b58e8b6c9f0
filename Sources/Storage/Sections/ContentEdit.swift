public import Layout

/// How a source changes a section's content.
public enum ContentEdit: Hashable, Sendable {
  /// Other items and slots take the place of all that there are.
  case replace(SectionContent)
  /// One item is replaced in place where it is there, and appended where it is not (S1.4).
  case put(ItemDefinition)
  /// One item goes, wherever in the section it is.
  case remove(String)
  /// One item of the list goes elsewhere in it.
  case move(String, Destination)
  /// One item stays, with its content and in its place, and no client gets it.
  case hide(String)
  /// One item that was hidden shows again, and goes somewhere where that is said (S2.4).
  case restore(String, Destination?)

  /// The item that it is about, `nil` when it is about all of them.
  var item: String? {
    switch self {
    case .replace: nil
    case .put(let item): item.id
    case .remove(let id), .move(let id, _), .hide(let id), .restore(let id, _): id
    }
  }

  /// Where in the list the item goes, `nil` where it stays.
  var destination: Destination? {
    switch self {
    case .move(_, let destination): destination
    case .restore(_, let destination): destination
    case .replace, .put, .remove, .hide: nil
    }
  }

  /// Whether it is about an item that has to be there. There may be one after any other that was not there.
  var needsItem: Bool {
    switch self {
    case .replace, .put: false
    case .remove, .move, .hide, .restore: true
    }
  }

  /// Whether it says where an item stands, or that clients get it.
  var placesItem: Bool {
    switch self {
    case .move, .restore: true
    case .replace, .put, .remove, .hide: false
    }
  }

  /// Its name in the audit if only the draft changes.
  var action: String {
    switch self {
    case .replace: "content.put"
    case .put: "item.put"
    case .remove: "item.delete"
    case .move: "item.move"
    case .hide: "item.hide"
    case .restore: "item.restore"
    }
  }

  /// Its name in the audit if it makes a revision.
  var publishAction: String {
    switch self {
    case .replace: "content.publish"
    case .put: "item.publish"
    case .remove, .move, .hide, .restore: action + ".publish"
    }
  }
}

extension SectionContent {
  /// The content after an edit.
  ///
  /// - Parameters:
  ///   - model: Content that has had the edit: where this lacks an item, the item gets the place that it has there, and
  ///     is hidden if it is there.
  ///   - hidden: Items that were hidden when they went.
  public func applying(
    _ edit: ContentEdit, like model: SectionContent? = nil, hiding hidden: Set<String> = []
  ) -> SectionContent {
    var content = opened
    switch edit {
    case .replace(let new):
      let absent = hidden.union(model?.hiddenItems ?? []).subtracting(content.everyItem.map(\.id))
      content = new.hiding(content.hiddenItems.union(absent))
    case .put(let item):
      let wasHidden = (content.item(item.id) ?? model?.item(item.id))?.isHidden ?? hidden.contains(item.id)
      content.put(item.hidden(unlessSaid: wasHidden), like: model)
    case .remove(let id):
      content.items.removeAll { $0.id == id }
      content.slots = content.slots.filter { $0.value.id != id }
    case .move(let id, let destination): content.move(id, to: destination, like: model)
    case .hide(let id): content.change(id) { $0.hidden = true }
    case .restore(let id, let destination):
      content.change(id) { $0.hidden = nil }
      if let destination { content.move(id, to: destination, like: model) }
    }
    return content
  }

  /// The content after items were put, one after the other.
  ///
  /// - Parameter removed: What is remembered of items that went: one that comes back has its place again, and is hidden
  ///   if it was.
  public func putting(_ puts: [ItemDefinition], remembering removed: RemovedItems) -> SectionContent {
    let content = opened
    var (items, slots) = (content.items, content.slots)
    var places = content.places
    let names = Dictionary(slots.map { ($1.id, $0) }, uniquingKeysWith: min)
    for item in puts {
      if let place = places[item.id] {
        items[place] = item.hidden(unlessSaid: items[place].isHidden)
      } else if let name = names[item.id] {
        slots[name] = item.hidden(unlessSaid: slots[name]?.isHidden == true)
      } else {
        let place = removed.place(of: item.id, among: places) ?? items.count
        items.insert(item.hidden(unlessSaid: removed.hidden.contains(item.id)), at: place)
        if place == items.count - 1 { places[item.id] = place } else { places = Self.places(of: items) }
      }
    }
    return SectionContent(items: items, slots: slots)
  }

  /// Where each item of the list is.
  var places: [String: Int] { Self.places(of: opened.items) }

  private static func places(of items: [ItemDefinition]) -> [String: Int] {
    Dictionary(items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The items of the list and those in slots.
  var everyItem: [ItemDefinition] {
    let content = opened
    return content.items + content.slots.values
  }

  /// The items that no client gets.
  private var hiddenItems: Set<String> { Set(everyItem.filter(\.isHidden).map(\.id)) }

  /// The same with some items hidden, where it says nothing of them.
  private func hiding(_ ids: Set<String>) -> SectionContent {
    guard !ids.isEmpty || everyItem.contains(where: { $0.hidden == false }) else { return self }
    return SectionContent(
      items: items.map { $0.hidden(unlessSaid: ids.contains($0.id)) },
      slots: slots.mapValues { $0.hidden(unlessSaid: ids.contains($0.id)) })
  }

  private mutating func change(_ id: String, _ edit: (inout ItemDefinition) -> Void) {
    if let position = items.firstIndex(where: { $0.id == id }) {
      var item = items[position]
      edit(&item)
      put(item, at: position)
    } else if let slot = slots.first(where: { $0.value.id == id })?.key, var item = slots[slot] {
      edit(&item)
      slots[slot] = item
    }
  }

  /// Where what it is to stand beside is not there, it goes where it stands in other content.
  private mutating func move(_ id: String, to destination: Destination, like model: SectionContent?) {
    guard let present = items.firstIndex(where: { $0.id == id }) else { return }
    var moved = items
    let item = moved.remove(at: present)
    func place(_ other: String) -> Int? { moved.firstIndex { $0.id == other } }
    let place: Int? =
      switch destination {
      case .first: 0
      case .last: moved.count
      case .before(let other): place(other)
      case .after(let other): place(other).map { $0 + 1 }
      }
    moved.insert(item, at: place ?? SectionContent(items: moved).place(of: id, in: model))
    items = moved
  }

  /// The item of an id, in the list or a slot.
  public func item(_ id: String) -> ItemDefinition? {
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

  /// The place of an item: behind its predecessor in other content, or at the end when the other content lacks the item.
  private func place(of id: String, in model: SectionContent?) -> Int {
    guard let model = model?.opened, let end = model.items.firstIndex(where: { $0.id == id }) else {
      return items.count
    }
    let places = places
    return model.items[..<end].reversed().lazy.compactMap { places[$0.id] }.first.map { $0 + 1 } ?? 0
  }
}

extension ItemDefinition {
  /// The item as it is kept: hidden if it says so, or says nothing and was.
  fileprivate func hidden(unlessSaid wasHidden: Bool) -> ItemDefinition {
    var item = self
    item.hidden = hidden ?? wasHidden ? true : nil
    return item
  }
}
