public import JSON

extension Page {
  /// A page of its JSON on the wire.
  ///
  /// - Throws: ``PayloadError`` for what no server of this contract sends.
  public init(json: JSON) throws(PayloadError) {
    let reader = try MemberReader(json, "")
    let sections = try reader.array("sections")
    var all: [Section] = []
    for (position, section) in sections.enumerated() {
      all.append(try Section(json: section, at: "/sections/\(position)"))
    }
    self.init(
      id: try reader.required("page", reader.string("page")),
      version: try reader.required("version", reader.string("version")),
      locale: try reader.required("locale", reader.string("locale")),
      sortRule: try reader.required("sortRule", reader.string("sortRule")), sections: all,
      emptyState: try reader.item("emptyState"))
  }

  /// A page of its bytes on the wire.
  ///
  /// - Throws: ``PayloadError`` for what is not strict JSON, or no page.
  public init(bytes: [UInt8]) throws(PayloadError) {
    do { try self.init(json: try JSON.parse(bytes)) } catch let error as PayloadError { throw error } catch {
      throw PayloadError("", "\(error)")
    }
  }
}

extension Section {
  /// A section of its JSON on the wire.
  public init(json: JSON) throws(PayloadError) { try self.init(json: json, at: "") }

  init(json: JSON, at pointer: String) throws(PayloadError) {
    let reader = try MemberReader(json, pointer)
    var slots: [String: Item] = [:]
    for member in try reader.object("slots") ?? JSONObject() {
      slots[member.name] = try Item(json: member.value, at: reader.place("slots") + "/" + member.name)
    }
    self.init(
      id: try reader.required("id", reader.string("id")), kind: try reader.required("kind", reader.string("kind")),
      index: try reader.required("index", reader.int("index")), header: try reader.item("header"),
      layout: try SectionLayout(
        json: try reader.required("layout", reader.value("layout")), at: reader.place("layout")),
      items: try reader.items("items"), slots: slots, footer: try reader.item("footer"))
  }

  /// The section with other items.
  public func with(_ items: [Item]) -> Section {
    var copy = self
    copy.items = items
    return copy
  }
}

extension Item {
  /// An item of its JSON on the wire.
  public init(json: JSON) throws(PayloadError) { try self.init(json: json, at: "") }

  init(json: JSON, at pointer: String) throws(PayloadError) {
    let reader = try MemberReader(json, pointer)
    let action = try reader.value("action").flatMap { json throws(PayloadError) in
      try Action(json: json, at: reader.place("action"))
    }
    self.init(
      id: try reader.required("id", reader.string("id")), kind: try reader.required("kind", reader.string("kind")),
      content: try reader.object("content") ?? JSONObject(), aspect: try reader.number("aspect"), action: action,
      expanded: try reader.bool("expanded"), children: try reader.items("children"))
  }

  /// The item with other children.
  public func with(_ children: [Item]) -> Item {
    var copy = self
    copy.children = children
    return copy
  }
}

extension Action {
  /// `nil` where a newer server names another kind of target: the tap does nothing.
  fileprivate init?(json: JSON, at pointer: String) throws(PayloadError) {
    let reader = try MemberReader(json, pointer)
    let target: Target
    if let url = try reader.string("url") {
      target = .url(url)
    } else if let handler = try reader.string("handler") {
      target = .handler(handler)
    } else {
      return nil
    }
    self.init(target: target, event: try reader.string("event"), attributes: try reader.object("attributes"))
  }
}

extension MemberReader {
  fileprivate func item(_ name: String) throws(PayloadError) -> Item? {
    guard let json = value(name) else { return nil }
    return try Item(json: json, at: place(name))
  }

  fileprivate func items(_ name: String) throws(PayloadError) -> [Item] {
    var items: [Item] = []
    for (position, json) in try array(name).enumerated() {
      items.append(try Item(json: json, at: "\(place(name))/\(position)"))
    }
    return items
  }
}
