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
    // What has no id or no kind keeps its place, so that the places of others are right.
    self.init(id: id ?? "", settings: settings, content: content)
  }

  /// The canonical form.
  public var json: JSON { .object(JSONObject(ownMembers + content.members)) }

  /// The members beside its content.
  var ownMembers: [(String, JSON)] { [("id", .string(id))] + settings.members }
}

extension SectionSettings {
  /// As much of a section's settings as can be read.
  ///
  /// - Parameter collector: Gets every problem.
  public init?(json: JSON, sectionID: String, in context: DefinitionContext, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: JSONPointer(), collector) else { return nil }
    self.init(&reader, sectionID: sectionID, in: context)
    reader.refuseOthers()
  }

  /// A section's settings as an admin request's body gives them.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, sectionID: String, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    self = try collector.finish(SectionSettings(json: json, sectionID: sectionID, in: context, collector))
  }

  init(_ reader: inout ObjectReader, sectionID: String, in context: DefinitionContext) {
    let kind = reader.requiredString("kind")
    self.init(kind: kind ?? "")
    title = reader.title()
    layout = reader.object("layout") ?? layout
    header = reader.item("header", in: context, defaultID: "\(sectionID).header")
    footer = reader.item("footer", in: context, defaultID: "\(sectionID).footer")
    isHidden = reader.bool("hidden") ?? isHidden
    audience = reader.audience(in: context)
    schedule = reader.schedule()
    itemOrder = reader.value("itemOrder").flatMap { ItemOrder($0, at: reader.place(of: "itemOrder"), reader.collector) }
    lists = reader.lists()
    loading = SectionLoading(&reader, in: context)
  }

  /// The canonical form.
  public var json: JSON { .object(JSONObject(members)) }

  var members: [(String, JSON)] {
    let pairs: [(String, JSON?)] = [
      ("kind", .string(kind)), ("title", title.map { .string($0) }),
      ("layout", layout.isEmpty ? nil : .object(layout)), ("header", header?.json), ("footer", footer?.json),
      ("hidden", isHidden ? .bool(true) : nil), ("audience", audience?.json), ("schedule", schedule?.json),
      ("itemOrder", itemOrder?.json), ("lists", lists.isEmpty ? nil : .array(lists.map(\.json))),
    ]
    return (pairs + loading.members).compactMap { name, value in value.map { (name, $0) } }
  }
}

extension SectionContent {
  /// As much of a section's content as can be read.
  ///
  /// - Parameter collector: Gets every problem.
  public init?(json: JSON, sectionID: String, in context: DefinitionContext, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: JSONPointer(), collector) else { return nil }
    self.init(&reader, sectionID: sectionID, in: context)
    reader.refuseOthers()
  }

  init(_ reader: inout ObjectReader, sectionID: String, in context: DefinitionContext) {
    let collector = reader.collector
    let items = reader.list("items", atMost: context.limits.itemsMax) {
      ItemDefinition($0, at: $1, in: context, collector)
    }
    let slots = reader.named("slots") { name, json, place in
      ItemDefinition(json, at: place, in: context, collector, defaultID: "\(sectionID).\(name)")
    }
    self.init(items: items, slots: Dictionary(uniqueKeysWithValues: slots))
  }

  /// The canonical form.
  public var json: JSON { .object(JSONObject(members)) }

  var members: [(String, JSON)] { packedForm?.members ?? values.members }
}

extension SectionContent.Values {
  var members: [(String, JSON)] {
    var members: [(String, JSON)] = []
    if !items.isEmpty { members.append(("items", .array(items.map(\.json)))) }
    if !slots.isEmpty { members.append(("slots", .object(JSONObject(slots.mapValues(\.json))))) }
    return members
  }
}

extension ItemDefinition {
  /// As much of an item as can be read.
  ///
  /// - Parameter collector: Gets every problem.
  public init?(json: JSON, id: String, in context: DefinitionContext, _ collector: ProblemCollector) {
    self.init(json, at: JSONPointer(), in: context, collector, defaultID: id)
    guard self.id != id else { return }
    collector.add(
      JSONPointer(["id"]), .const, "must be \"\(id)\", as the path says, or be left out", ["allowed": [.string(id)]])
    self.id = id
  }

  /// An item as an admin request's body gives it.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, id: String, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    self = try collector.finish(ItemDefinition(json: json, id: id, in: context, collector))
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
      collector.add(
        reader.place(of: "by"), .jsonPointer, "must be a JSON Pointer into an item's content such as /date")
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
