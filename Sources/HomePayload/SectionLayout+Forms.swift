import JSON

// What is one of several forms; of those of a newer server, the layout knows nothing, as when they are absent.

extension SectionLayout.Style: WireValue {
  func append(to bytes: inout [UInt8]) { rawValue.append(to: &bytes) }
  func isSame(as other: Self) -> Bool { self == other }

  /// A newer server may know more styles than this app; one item below another shows them all.
  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    Self(rawValue: try json.require(json.string, "a string")) ?? .list
  }
}

extension SectionLayout.Width: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .container: "container".append(to: &bytes)
    case .column: "column".append(to: &bytes)
    case .points(let points): bytes.append(contentsOf: "{\"points\":\(points)}".utf8)
    case .fraction(let fraction): bytes.append(contentsOf: "{\"fraction\":\(fraction)}".utf8)
    }
  }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    switch json {
    case "container": return .container
    case "column": return .column
    default:
      if let points = try json.number("points") { return .points(points) }
      return try json.number("fraction").map { .fraction($0) }
    }
  }
}

extension SectionLayout.Height: WireValue {
  func append(to bytes: inout [UInt8]) {
    let text =
      switch self {
      case .points(let points): "{\"points\":\(points)}"
      case .aspect(let aspect): "{\"aspect\":\(aspect)}"
      case .content(let minimum): "{\"content\":{\"minimum\":\(minimum)}}"
      }
    bytes.append(contentsOf: text.utf8)
  }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    if let points = try json.number("points") { return .points(points) }
    if let aspect = try json.number("aspect") { return .aspect(aspect) }
    guard let content = json["content"] else { return nil }
    do { return try content.number("minimum").map { .content(minimum: $0) } } catch { throw error.below("content") }
  }
}

extension JSON {
  /// A member that is a number, `nil` when it is not there.
  fileprivate func number(_ name: String) throws(PayloadError) -> JSONNumber? {
    do { return try self[name].flatMap { json throws(PayloadError) in try JSONNumber.read(json) } } catch {
      throw error.below(name)
    }
  }
}
