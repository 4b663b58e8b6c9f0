public import JSON

extension SectionDefinition {
  /// A section of a document: settings and content in one object.
  init?(_ json: JSON, at pointer: JSONPointer, in context: DefinitionContext, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    _ = reader.required("id")
    let id = reader.slug("id")
    let settings = SectionSettings(&reader, sectionID: id ?? "", in: context)
    let content = SectionContent(&reader, sectionID: id ?? "", in: context)
    reader.refuseOthers()
    guard let id, let settings else { return nil }
    self.init(id: id, settings: settings, content: content)
  }

  /// The canonical form.
  public var json: JSON {
    .object(JSONObject([("id", .string(id))] + settings.members + content.members))
  }
}

extension SectionSettings {
  /// A section's settings as an admin request's body gives them.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, sectionID: String, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    var settings: SectionSettings?
    if var reader = ObjectReader(json, at: JSONPointer(), collector) {
      settings = SectionSettings(&reader, sectionID: sectionID, in: context)
      reader.refuseOthers()
    }
    self = try collector.finish(settings)
  }

  init?(_ reader: inout ObjectReader, sectionID: String, in context: DefinitionContext) {
    let collector = reader.collector
    let kind = reader.requiredString("kind")
    let title = reader.string("title")
    if let title, title.isEmpty || title.utf8.count > 200 {
      collector.add(reader.place(of: "title"), "must be 1 to 200 bytes of text")
    }
    let layout = reader.object("layout") ?? JSONObject()
    let header = reader.value("header").flatMap {
      ItemDefinition($0, at: reader.place(of: "header"), in: context, collector, defaultID: "\(sectionID).header")
    }
    let footer = reader.value("footer").flatMap {
      ItemDefinition($0, at: reader.place(of: "footer"), in: context, collector, defaultID: "\(sectionID).footer")
    }
    let isHidden = reader.bool("hidden") ?? false
    let audience = reader.value("audience")
      .flatMap { Predicate($0, at: reader.place(of: "audience"), in: context, collector) }
    let schedule = reader.value("schedule").flatMap { Schedule($0, at: reader.place(of: "schedule"), collector) }
    let itemOrder = reader.value("itemOrder").flatMap { ItemOrder($0, at: reader.place(of: "itemOrder"), collector) }
    guard let kind else { return nil }
    self.init(
      kind: kind, title: title, layout: layout, header: header, footer: footer, isHidden: isHidden, audience: audience,
      schedule: schedule, itemOrder: itemOrder)
  }

  /// The canonical form.
  public var json: JSON { .object(JSONObject(members)) }

  var members: [(String, JSON)] {
    let pairs: [(String, JSON?)] = [
      ("kind", .string(kind)), ("title", title.map { .string($0) }),
      ("layout", layout.isEmpty ? nil : .object(layout)), ("header", header?.json), ("footer", footer?.json),
      ("hidden", isHidden ? .bool(true) : nil), ("audience", audience?.json), ("schedule", schedule?.json),
      ("itemOrder", itemOrder?.json),
    ]
    return pairs.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension SectionContent {
  /// A section's content as an admin request's body gives it.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, sectionID: String, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    var content: SectionContent?
    if var reader = ObjectReader(json, at: JSONPointer(), collector) {
      content = SectionContent(&reader, sectionID: sectionID, in: context)
      reader.refuseOthers()
    }
    self = try collector.finish(content)
  }

  init(_ reader: inout ObjectReader, sectionID: String, in context: DefinitionContext) {
    let collector = reader.collector
    let itemsPlace = reader.place(of: "items")
    let items = reader.array("items") ?? []
    if items.count > context.limits.itemsMax {
      collector.add(itemsPlace, "must hold at most \(context.limits.itemsMax) items, holds \(items.count)")
    }
    let slotsPlace = reader.place(of: "slots")
    let slots = reader.object("slots") ?? JSONObject()
    self.init(
      items: items.prefix(context.limits.itemsMax).enumerated().compactMap {
        ItemDefinition($1, at: itemsPlace.appending($0), in: context, collector)
      },
      slots: Dictionary(
        slots.compactMap { slot -> (String, ItemDefinition)? in
          let place = slotsPlace.appending(slot.name)
          guard Slug.check(slot.name, at: place, collector) else { return nil }
          let item = ItemDefinition(
            slot.value, at: place, in: context, collector, defaultID: "\(sectionID).\(slot.name)")
          return item.map { (slot.name, $0) }
        }, uniquingKeysWith: { first, _ in first }))
  }

  /// The canonical form.
  public var json: JSON { .object(JSONObject(members)) }

  var members: [(String, JSON)] {
    var members: [(String, JSON)] = []
    if !items.isEmpty { members.append(("items", .array(items.map(\.json)))) }
    if !slots.isEmpty { members.append(("slots", .object(JSONObject(slots.mapValues(\.json))))) }
    return members
  }
}

extension ItemDefinition {
  /// An item as an admin request's body gives it.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, id: String, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    let item = ItemDefinition(json, at: JSONPointer(), in: context, collector, defaultID: id)
    if let item, item.id != id {
      collector.add(JSONPointer(["id"]), "must be \"\(id)\", as the path says, or be left out")
    }
    self = try collector.finish(item)
  }
}

extension ItemOrder {
  init?(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let by = reader.requiredString("by")
    let isDescending = reader.bool("descending") ?? false
    reader.refuseOthers()
    guard let by else { return nil }
    guard let pointer = JSONPointer(text: by), !pointer.tokens.isEmpty else {
      collector.add(reader.place(of: "by"), "must be a JSON Pointer into an item's content such as /date")
      return nil
    }
    self.init(pointer: pointer, isDescending: isDescending)
  }

  var json: JSON {
    .object(
      JSONObject(present: [
        ("by", .string(pointer.description)), ("descending", isDescending ? .bool(true) : nil),
      ]))
  }
}

extension SectionDefinition {
  /// A section as the store keeps it.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    self = try collector.finish(SectionDefinition(json, at: JSONPointer(), in: context, collector))
  }
}
