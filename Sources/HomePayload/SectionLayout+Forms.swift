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

extension SectionLayout.Alignment: WireValue {
  func append(to bytes: inout [UInt8]) { rawValue.append(to: &bytes) }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    Self(rawValue: try json.require(json.string, "a string"))
  }
}

extension SectionLayout.Paging: WireValue {
  func append(to bytes: inout [UInt8]) { rawValue.append(to: &bytes) }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    Self(rawValue: try json.require(json.string, "a string"))
  }
}

extension SectionLayout.Columns: WireValue {
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: "{\"minimum\":\(minimum)}".utf8) }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    guard json.object != nil else { throw PayloadError("", "must be an object") }
    return try json.number("minimum").map { Self(minimum: $0) }
  }
}

extension SectionLayout.Width: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .container: "container".append(to: &bytes)
    case .column: "column".append(to: &bytes)
    case .points(let points): bytes.append(contentsOf: "{\"points\":\(points)}".utf8)
    case .fraction(let fraction): bytes.append(contentsOf: "{\"fraction\":\(fraction)}".utf8)
    case .screenFraction(let fraction): bytes.append(contentsOf: JSON.ofScreen(fraction).utf8)
    case .content(let minimum, let maximum):
      let bounds = [minimum.map { "\"minimum\":\($0)" }, maximum.map { "\"maximum\":\($0)" }]
      bytes.append(contentsOf: "{\"content\":{\(bounds.compactMap { $0 }.joined(separator: ","))}}".utf8)
    }
  }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    switch json {
    case "container": return .container
    case "column": return .column
    default:
      if let points = try json.number("points") { return .points(points) }
      if let fraction = try json.number("fraction") {
        guard json["of"] != nil else { return .fraction(fraction) }
        return json.isOfScreen ? .screenFraction(fraction) : nil
      }
      guard let content = json["content"] else { return nil }
      do { return .content(minimum: try content.number("minimum"), maximum: try content.number("maximum")) } catch {
        throw error.below("content")
      }
    }
  }
}

extension SectionLayout.Height: WireValue {
  func append(to bytes: inout [UInt8]) {
    let text =
      switch self {
      case .points(let points): "{\"points\":\(points)}"
      case .aspect(let aspect): "{\"aspect\":\(aspect)}"
      case .screenFraction(let fraction): JSON.ofScreen(fraction)
      case .content(let minimum): "{\"content\":{\"minimum\":\(minimum)}}"
      }
    bytes.append(contentsOf: text.utf8)
  }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    if let points = try json.number("points") { return .points(points) }
    if let aspect = try json.number("aspect") { return .aspect(aspect) }
    if let fraction = try json.number("fraction") { return json.isOfScreen ? .screenFraction(fraction) : nil }
    guard let content = json["content"] else { return nil }
    do { return try content.number("minimum").map { .content(minimum: $0) } } catch { throw error.below("content") }
  }
}

extension SectionLayout.Color: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .always(let color): color.append(to: &bytes)
    case .themed(let light, let dark):
      for (name, color) in [("{\"light\":", light), (",\"dark\":", dark)] {
        bytes.append(contentsOf: name.utf8)
        color.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    if let color = json.string { return .always(color) }
    guard json.object != nil else { throw PayloadError("", "must be a string or an object") }
    guard let light = json["light"]?.string, let dark = json["dark"]?.string else { return nil }
    return .themed(light: light, dark: dark)
  }
}

extension SectionLayout.CornerRadius: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .all(let radius): radius.append(to: &bytes)
    case .each(let corners): corners.append(to: &bytes)
    }
  }
  func isSame(as other: Self) -> Bool { self == other }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    if let radius = json.number { return .all(radius) }
    guard json.object != nil else { throw PayloadError("", "must be a number or an object") }
    return try SectionLayout.Corners.read(json).map { .each($0) }
  }
}

extension JSON {
  /// A fraction of the screen, as it is written.
  fileprivate static func ofScreen(_ fraction: JSONNumber) -> String {
    "{\"fraction\":\(fraction),\"of\":\"screen\"}"
  }

  /// Whether a fraction is of the screen.
  fileprivate var isOfScreen: Bool { self["of"] == "screen" }

  /// A member that is a number, `nil` when it is not there.
  fileprivate func number(_ name: String) throws(PayloadError) -> JSONNumber? {
    do { return try self[name].flatMap { json throws(PayloadError) in try JSONNumber.read(json) } } catch {
      throw error.below(name)
    }
  }
}
