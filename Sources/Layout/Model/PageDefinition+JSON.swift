public import JSON

extension PageDefinition {
  /// A page of a document.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(
    json: JSON, id: String, audiences: [String: Predicate] = [:], in context: DefinitionContext
  ) throws(InvalidDocument) {
    let collector = ProblemCollector()
    let page = PageDefinition(
      json, id: id, at: JSONPointer(), audiences: audiences, in: context, collector)
    self = try collector.finish(page)
  }

  init?(
    _ json: JSON, id: String, at pointer: JSONPointer, audiences: [String: Predicate], in context: DefinitionContext,
    _ collector: ProblemCollector
  ) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let settings = PageSettings(&reader, pageID: id, in: context)
    let sections = Self.sections(&reader, in: context)
    let rules = Self.sortRules(&reader, in: context)
    reader.refuseOthers()
    guard let settings else { return nil }
    self.init(id: id, settings: settings, sections: sections, sortRules: rules, audiences: audiences)
  }

  private static func sections(_ reader: inout ObjectReader, in context: DefinitionContext) -> [SectionDefinition] {
    let collector = reader.collector
    var ids = Set<String>()
    return reader.list("sections", atMost: context.limits.sectionsMax) { json, place in
      let section = SectionDefinition(json, at: place, in: context, collector)
      if let section, !section.id.isEmpty, !ids.insert(section.id).inserted {
        collector.add(
          place.appending("id"), .twiceOnPage, "\"\(section.id)\" appears twice", ["id": .string(section.id)])
      }
      return section
    }
  }

  private static func sortRules(_ reader: inout ObjectReader, in context: DefinitionContext) -> [SortRule] {
    let place = reader.place(of: "sortRules")
    let collector = reader.collector
    let object = reader.object("sortRules") ?? JSONObject()
    if object.count > context.limits.sortRulesMax {
      let most = context.limits.sortRulesMax
      collector.add(
        place, .tooManySortRules, "must have at most \(most) rules, has \(object.count)",
        ["most": .count(most), "count": .count(object.count)])
    }
    let rules = object.members.prefix(context.limits.sortRulesMax).compactMap { member -> SortRule? in
      let pointer = place.appending(member.name)
      guard Slug.check(member.name, at: pointer, collector) else { return nil }
      return SortRule(member.value, name: member.name, at: pointer, in: context, collector)
    }
    return rules.contains { $0.name == SortRule.defaultName }
      ? rules : [SortRule(name: SortRule.defaultName)] + rules
  }

  /// The canonical form, named audiences left out: they are shared by all pages.
  public var json: JSON { .object(JSONObject(ownMembers + [("sections", .array(sections.map(\.json)))])) }

  /// The members beside the sections.
  var ownMembers: [(String, JSON)] {
    settings.members + [("sortRules", .object(JSONObject(sortRules.map { ($0.name, $0.json) })))]
  }
}

extension PageSettings {
  /// As much of a page's settings as can be read; `nil` for what is no object.
  ///
  /// - Parameter collector: Gets every problem.
  public init?(json: JSON, pageID: String, in context: DefinitionContext, _ collector: ProblemCollector) {
    let read = ObjectReader.object(json, at: JSONPointer(), collector) {
      PageSettings(&$0, pageID: pageID, in: context)
    }
    guard let read else { return nil }
    self = read
  }

  /// A page's settings as an admin request's body gives them.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, pageID: String, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    self = try collector.finish(PageSettings(json: json, pageID: pageID, in: context, collector))
  }

  init?(_ reader: inout ObjectReader, pageID: String, in context: DefinitionContext) {
    let title = reader.title() ?? pageID
    let fallback = reader.requiredString("defaultLocale").flatMap {
      Self.locale($0, reader.place(of: "defaultLocale"), reader)
    }
    let place = reader.place(of: "locales")
    let tags = reader.strings("locales") ?? []
    var locales: [Locale] = []
    for (index, tag) in tags.enumerated() {
      guard let locale = Self.locale(tag, place.appending(index), reader) else { continue }
      if locales.contains(locale) {
        reader.collector.add(place.appending(index), .uniqueItems, "\"\(tag)\" appears twice")
      } else {
        locales.append(locale)
      }
    }
    if let fallback, !locales.contains(fallback) { locales.insert(fallback, at: 0) }
    let pollInterval = reader.int("pollInterval", in: LayoutLimits.pollIntervalRange) ?? 30
    let emptyState = reader.item("emptyState", in: context, defaultID: "emptyState")
    let displayTitle = reader.localizedText("displayTitle", bytesMax: 200)
    let bar = reader.value("bar").flatMap {
      BarDefinition($0, at: reader.place(of: "bar"), in: context, reader.collector)
    }
    let inset = reader.inset()
    let background = reader.object("background")
    if let background { Self.check(background, at: reader.place(of: "background"), reader.collector) }
    // Without a default locale the rest is looked at all the same.
    guard let fallback = fallback ?? locales.first ?? Locale("en") else { return nil }
    self.init(
      title: title, defaultLocale: fallback, locales: locales, pollInterval: pollInterval, emptyState: emptyState)
    (self.displayTitle, self.bar, self.inset, self.background) = (displayTitle, bar, inset, background)
  }

  /// A page fills the screen, so that its background has no corners and no edge.
  private static func check(_ background: JSONObject, at pointer: JSONPointer, _ collector: ProblemCollector) {
    _ = LayoutResolver(locale: nil, fallback: nil).background(.object(background), at: pointer, collector)
    for name in ["cornerRadius", "border", "shadow"] where background[name] != nil {
      collector.add(
        pointer.appending(name), .cornersOfPage, "is for the background of a section; a page fills the screen")
    }
  }

  private static func locale(_ tag: String, _ pointer: JSONPointer, _ reader: ObjectReader) -> Locale? {
    if let locale = Locale(tag) { return locale }
    reader.collector.add(pointer, .locale, "must be a locale tag such as zh-Hans, not \"\(tag)\"")
    return nil
  }

  /// The canonical form.
  public var json: JSON { .object(JSONObject(members)) }

  var members: [(String, JSON)] {
    let pairs: [(String, JSON?)] = [
      ("title", .string(title)), ("defaultLocale", .string(defaultLocale.tag)),
      ("locales", .array(locales.map { .string($0.tag) })), ("pollInterval", .number(JSONNumber(pollInterval))),
      ("emptyState", emptyState?.json), ("displayTitle", displayTitle), ("bar", bar?.json),
      ("inset", inset.map { .object($0) }), ("background", background.map { .object($0) }),
    ]
    return pairs.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension SortRule {
  /// A rule as an admin request's body gives it.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, name: String, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    let rule = SortRule(json, name: name, at: JSONPointer(), in: context, collector)
    self = try collector.finish(rule)
  }

  init?(
    _ json: JSON, name: String, at pointer: JSONPointer, in context: DefinitionContext, _ collector: ProblemCollector
  ) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let isDefault = name == Self.defaultName
    let place = reader.place(of: "indices")
    var indices: [String: Int] = [:]
    for member in reader.object("indices") ?? JSONObject() {
      let range = LayoutLimits.indexRange
      guard Slug.check(member.name, at: place.appending(member.name), collector) else { continue }
      if let index = member.value.int, range.contains(index) {
        indices[member.name] = index
      } else {
        collector.add(
          place.appending(member.name), .wholeNumber(in: range).demanded)
      }
    }
    let priority = reader.int("priority", in: LayoutLimits.priorityRange) ?? 0
    let audience = reader.audience(in: context)
    let schedule = reader.schedule()
    reader.refuseOthers()
    if isDefault, audience != nil || schedule != nil || priority != 0 {
      collector.add(
        pointer, .membersOfDefaultRule,
        "the default rule applies to everyone at any time, so it has indices and nothing else")
    }
    if !isDefault, audience == nil, json["audience"] == nil {
      collector.add(
        reader.place(of: "audience"), .required, "is required, since only the default rule applies to everyone")
    }
    self.init(name: name, indices: indices, audience: audience, schedule: schedule, priority: priority)
  }

  /// The canonical form.
  public var json: JSON {
    .object(
      JSONObject(present: [
        ("indices", .object(JSONObject(indices.mapValues { .number(JSONNumber($0)) }))),
        ("priority", priority == 0 ? nil : .number(JSONNumber(priority))), ("audience", audience?.json),
        ("schedule", schedule?.json),
      ]))
  }
}
