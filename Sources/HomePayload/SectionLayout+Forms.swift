import JSON

// What is one of several forms; of those of a newer server, the layout knows nothing, as when they are absent.

extension SectionLayout.Style: WireValue {
  /// A newer server may know more styles than this app; one item below another shows them all.
  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    Self(rawValue: try json.require(json.string, "a string")) ?? .list
  }
}

extension SectionLayout.Alignment: WireValue {}

extension SectionLayout.Paging: WireValue {}

extension SectionLayout.Columns: WireValue {
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: "{\"minimum\":\(minimum)}".utf8) }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    guard json.object != nil else { throw PayloadError("", "must be an object") }
    return try json.number("minimum").map { Self(minimum: $0) }
  }
}

extension SectionLayout.Bound: WireValue {
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }

  fileprivate var text: String {
    switch self {
    case .points(let points): points.text
    case .fraction(let fraction): "{\"fraction\":\(fraction)}"
    case .screenFraction(let fraction): "{\"fraction\":\(fraction),\"of\":\"screen\"}"
    }
  }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    if let points = json.number { return .points(points) }
    guard json.object != nil else { throw PayloadError("", "must be a number or an object") }
    return try json.number("fraction").flatMap { json.fraction($0, Self.fraction, Self.screenFraction) }
  }
}

extension SectionLayout.Width: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .container: "container".append(to: &bytes)
    case .column: "column".append(to: &bytes)
    default: JSON.appendMembers(of: self.members, to: &bytes)
    }
  }

  /// The members of an extent that is an object, as they are written.
  private var members: [String: String] {
    switch self {
    case .container, .column: return [:]
    case .points(let points): return ["points": points.text]
    case .fraction(let fraction): return ["fraction": fraction.text]
    case .screenFraction(let fraction): return JSON.ofScreen(fraction)
    case .content(let minimum, let maximum):
      let bounds = [minimum.map { "\"minimum\":\($0)" }, maximum.map { "\"maximum\":\($0)" }]
      return ["content": "{\(bounds.compactMap { $0 }.joined(separator: ","))}"]
    case .bounded(let width, let minimum, let maximum): return JSON.bounded(width.members, minimum, maximum)
    }
  }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    guard let width = try readUnbounded(json) else { return nil }
    switch width {
    case .container, .column: return width
    default: return try json.bounds().map { .bounded(width, minimum: $0.minimum, maximum: $0.maximum) } ?? width
    }
  }

  private static func readUnbounded(_ json: JSON) throws(PayloadError) -> Self? {
    switch json {
    case "container": return .container
    case "column": return .column
    default:
      if let points = try json.number("points") { return .points(points) }
      if let value = try json.number("fraction") { return json.fraction(value, Self.fraction, Self.screenFraction) }
      guard let content = json["content"] else { return nil }
      do { return .content(minimum: try content.number("minimum"), maximum: try content.number("maximum")) } catch {
        throw error.below("content")
      }
    }
  }
}

extension SectionLayout.Height: WireValue {
  func append(to bytes: inout [UInt8]) { JSON.appendMembers(of: members, to: &bytes) }

  private var members: [String: String] {
    switch self {
    case .points(let points): ["points": points.text]
    case .aspect(let aspect): ["aspect": aspect.text]
    case .screenFraction(let fraction): JSON.ofScreen(fraction)
    case .content(let minimum): ["content": "{\"minimum\":\(minimum)}"]
    case .lines(let lines, let minimum): ["content": "{\"lines\":\(lines),\"minimum\":\(minimum)}"]
    case .bounded(let height, let minimum, let maximum): JSON.bounded(height.members, minimum, maximum)
    }
  }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    guard let height = try readUnbounded(json) else { return nil }
    return try json.bounds().map { .bounded(height, minimum: $0.minimum, maximum: $0.maximum) } ?? height
  }

  private static func readUnbounded(_ json: JSON) throws(PayloadError) -> Self? {
    if let points = try json.number("points") { return .points(points) }
    if let aspect = try json.number("aspect") { return .aspect(aspect) }
    if let fraction = try json.number("fraction") { return json.isOfScreen ? .screenFraction(fraction) : nil }
    guard let content = json["content"] else { return nil }
    do {
      guard let minimum = try content.number("minimum") else { return nil }
      return try content.number("lines")?.int.map { .lines($0, minimum: minimum) } ?? .content(minimum: minimum)
    } catch { throw error.below("content") }
  }
}

extension SectionLayout.Color: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .always(let color): color.append(to: &bytes)
    case .themed(let light, let dark):
      Self.append(light, dark, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    case .contrasted(let light, let dark, let strong):
      Self.append(light, dark, to: &bytes)
      bytes.append(contentsOf: ",\"highContrast\":".utf8)
      Self.append(strong.light, strong.dark, to: &bytes)
      bytes.append(contentsOf: "}}".utf8)
    }
  }

  /// Appends an object of two members, without its end.
  private static func append(_ light: String, _ dark: String, to bytes: inout [UInt8]) {
    for (name, color) in [("{\"light\":", light), (",\"dark\":", dark)] {
      bytes.append(contentsOf: name.utf8)
      color.append(to: &bytes)
    }
  }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    if let color = json.string { return .always(color) }
    guard json.object != nil else { throw PayloadError("", "must be a string or an object") }
    guard let light = json["light"]?.string, let dark = json["dark"]?.string else { return nil }
    guard let strong = json["highContrast"], let strongLight = strong["light"]?.string,
      let strongDark = strong["dark"]?.string
    else { return .themed(light: light, dark: dark) }
    return .contrasted(light: light, dark: dark, highContrast: .init(light: strongLight, dark: strongDark))
  }
}

extension SectionLayout.CornerRadius: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .all(let radius): radius.append(to: &bytes)
    case .each(let corners): corners.append(to: &bytes)
    }
  }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    if let radius = json.number { return .all(radius) }
    guard json.object != nil else { throw PayloadError("", "must be a number or an object") }
    return try SectionLayout.Corners.read(json).map { .each($0) }
  }
}

extension JSON {
  /// A fraction of the screen, as it is written.
  fileprivate static func ofScreen(_ fraction: JSONNumber) -> [String: String] {
    ["fraction": fraction.text, "of": "\"screen\""]
  }

  /// The members of an extent, and its bounds.
  fileprivate static func bounded(
    _ members: [String: String], _ minimum: SectionLayout.Bound?, _ maximum: SectionLayout.Bound?
  ) -> [String: String] {
    var members = members
    members["minimum"] = minimum?.text
    members["maximum"] = maximum?.text
    return members
  }

  /// Appends an object whose members are written already, by their names.
  fileprivate static func appendMembers(of members: [String: String], to bytes: inout [UInt8]) {
    let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    bytes.append(contentsOf: "{\(text)}".utf8)
  }

  /// A fraction by what it is of; `nil` of what a newer server knows.
  fileprivate func fraction<Extent>(
    _ value: JSONNumber, _ ofContainer: (JSONNumber) -> Extent, _ ofScreen: (JSONNumber) -> Extent
  ) -> Extent? {
    guard self["of"] != nil else { return ofContainer(value) }
    return isOfScreen ? ofScreen(value) : nil
  }

  /// The bounds beside an extent; `nil` without any.
  fileprivate func bounds() throws(PayloadError) -> (minimum: SectionLayout.Bound?, maximum: SectionLayout.Bound?)? {
    let (minimum, maximum) = (try bound("minimum"), try bound("maximum"))
    return minimum == nil && maximum == nil ? nil : (minimum, maximum)
  }

  private func bound(_ name: String) throws(PayloadError) -> SectionLayout.Bound? {
    guard let json = self[name] else { return nil }
    do { return try SectionLayout.Bound.read(json) } catch { throw error.below(name) }
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
