public import JSON

extension ChangeSet {
  /// A change set of its JSON on the wire.
  ///
  /// - Throws: ``PayloadError`` for what no server of this contract sends.
  public init(json: JSON) throws(PayloadError) {
    let reader = try MemberReader(json, "")
    let sections = try reader.value("sections").map { json throws(PayloadError) in
      try ListChanges<Section>(json: json, at: "/sections")
    }
    self.init(
      page: try reader.required("page", reader.string("page")),
      from: try reader.required("from", reader.string("from")), to: try reader.required("to", reader.string("to")),
      set: try reader.object("set") ?? JSONObject(), unset: try reader.strings("unset"),
      sections: sections ?? ListChanges())
  }

  /// The deepest nesting that is read. A list's changes nest deeper than the list, by one level for each level of
  /// children and two for what is inserted, so that a page as deep as JSON may be still has a change set.
  private static let depthMax = 2 * JSON.depthMax

  /// A change set of its bytes on the wire.
  ///
  /// - Throws: ``PayloadError`` for what is not strict JSON, or no change set.
  public init(bytes: [UInt8]) throws(PayloadError) {
    do { try self.init(json: try JSON.parse(bytes, depthMax: Self.depthMax)) } catch let error as PayloadError {
      throw error
    } catch {
      throw PayloadError("", "\(error)")
    }
  }
}

extension ListChanges {
  fileprivate init(json: JSON, at pointer: String) throws(PayloadError) {
    let reader = try MemberReader(json, pointer)
    self.init(deletes: try reader.positions("deletes"))
    for entry in try reader.entries("inserts") {
      let name = "\(Element.insertName)"
      let element = try Element(json: try entry.required(name, entry.value(name)))
      inserts.append(Insert(at: try entry.position("at"), element: element))
    }
    for entry in try reader.entries("moves") {
      moves.append(Move(from: try entry.position("from"), to: try entry.position("to")))
    }
    for entry in try reader.entries("updates") {
      let name = "\(Element.nestedName)"
      let nested = try entry.value(name).map { json throws(PayloadError) in
        try ListChanges<Item>(json: json, at: entry.place(name))
      }
      updates.append(
        Update(
          at: try entry.position("at"), set: try entry.object("set") ?? JSONObject(),
          unset: try entry.strings("unset"), nested: nested))
    }
  }
}

extension MemberReader {
  fileprivate func entries(_ name: String) throws(PayloadError) -> [MemberReader] {
    var entries: [MemberReader] = []
    for (position, json) in try array(name).enumerated() {
      entries.append(try MemberReader(json, "\(place(name))/\(position)"))
    }
    return entries
  }
}
