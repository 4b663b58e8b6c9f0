import HomePayload
import JSON
import JSONSchema

/// Reads a layout as kinds and sections write it, and resolves the values that differ by locale (S1.6).
struct LayoutResolver {
  /// The locale to resolve for; `nil` to check the values of every locale.
  let locale: Locale?
  /// The page's default locale.
  let fallback: Locale?
  /// Whether each value that differs by locale must have one for `*`, as a kind's must: a kind knows no page's locales.
  var needsEveryLocale = false

  /// The most columns of a row.
  static let columnsMax = 24

  /// The members of a layout that are objects, which a section's own are laid over member by member.
  private static let joined: Set = ["inset", "peek", "itemSize", "headerSize", "footerSize", "slotSizes", "background"]

  /// A section's members laid over its kind's; objects are merged member by member.
  static func overlay(_ members: JSONObject, on base: JSONObject) -> JSONObject {
    var result = base
    for member in members {
      if joined.contains(member.name), case .object(let inner)? = base[member.name],
        case .object(let over) = member.value
      {
        var joined = inner
        for part in over { joined[part.name] = part.value }
        result[member.name] = .object(joined)
      } else {
        result[member.name] = member.value
      }
    }
    return result
  }

  /// The layout, `nil` (and problems) when it is wrong.
  func layout(_ object: JSONObject, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout? {
    guard var reader = ObjectReader(.object(object), at: pointer, collector) else { return nil }
    _ = reader.required("style")
    let style: SectionLayout.Style? = word("style", &reader)
    var layout = SectionLayout(style: style ?? .list)
    layout.rows = rows(&reader)
    layout.rowCount = reader.int("rowCount", in: 1...Self.columnsMax)
    layout.columns = columns(&reader)
    layout.alignment = word("alignment", &reader)
    layout.peek = peek(&reader)
    layout.paging = word("paging", &reader)
    layout.inset = reader.value("inset").flatMap { inset($0, at: reader.place(of: "inset"), collector) }
    layout.itemSpacing = length("itemSpacing", &reader)
    layout.lineSpacing = length("lineSpacing", &reader)
    layout.itemSize = size("itemSize", &reader)
    layout.headerSize = size("headerSize", &reader)
    layout.footerSize = size("footerSize", &reader)
    layout.slotSizes = slotSizes(&reader)
    layout.background = reader.value("background")
      .flatMap { background($0, at: reader.place(of: "background"), collector) }
    reader.refuseOthers()
    return style == nil ? nil : layout
  }

  /// One of several words.
  private func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ reader: inout ObjectReader
  ) -> Word? where Word.RawValue == String {
    guard let text = reader.string(name) else { return nil }
    if let word = Word(rawValue: text) { return word }
    reader.collector.add(reader.place(of: name), .word(of: Word.allCases.map(\.rawValue)).demanded)
    return nil
  }

  private func rows(_ reader: inout ObjectReader) -> [Int]? {
    guard let elements = reader.array("rows") else { return nil }
    let rows = elements.compactMap(\.int).filter { (1...Self.columnsMax).contains($0) }
    if !rows.isEmpty, rows.count == elements.count, rows.count <= 64 { return rows }
    reader.collector.add(
      reader.place(of: "rows"), .rows, "must be 1 to 64 numbers of columns, each from 1 to \(Self.columnsMax)",
      ["most": .count(Self.columnsMax)])
    return nil
  }

  /// As many columns as fit.
  private func columns(_ reader: inout ObjectReader) -> SectionLayout.Columns? {
    guard let json = reader.value("columns"),
      var inner = ObjectReader(json, at: reader.place(of: "columns"), reader.collector)
    else { return nil }
    let isThere = inner.required("minimum") != nil
    let minimum = isThere ? length("minimum", atLeast: 1, &inner) : nil
    inner.refuseOthers()
    return minimum.map { SectionLayout.Columns(minimum: $0) }
  }

  /// What is seen of the neighbours, `nil` when nothing is said of either.
  private func peek(_ reader: inout ObjectReader) -> SectionLayout.Peek? {
    guard let json = reader.value("peek"),
      var inner = ObjectReader(json, at: reader.place(of: "peek"), reader.collector)
    else { return nil }
    let peek = SectionLayout.Peek(leading: length("leading", &inner), trailing: length("trailing", &inner))
    inner.refuseOthers()
    return peek.leading == nil && peek.trailing == nil ? nil : peek
  }

  /// An inset, `nil` (and problems) when it is wrong.
  func inset(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Inset? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let inset = SectionLayout.Inset(
      top: length("top", &reader) ?? 0, leading: length("leading", &reader) ?? 0,
      bottom: length("bottom", &reader) ?? 0, trailing: length("trailing", &reader) ?? 0)
    reader.refuseOthers()
    return inset
  }

  /// A background, `nil` (and problems) when it is wrong.
  func background(
    _ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector
  ) -> SectionLayout.Background? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let color = reader.value("color").flatMap { self.color($0, at: reader.place(of: "color"), collector) }
    let background = SectionLayout.Background(color: color, cornerRadius: cornerRadius(&reader))
    reader.refuseOthers()
    return background
  }

  /// The names of the corners, none of which is a locale's tag.
  private static let corners = ["topLeading", "topTrailing", "bottomLeading", "bottomTrailing"]

  /// One radius for all corners, or an object with some corners' radii.
  private func cornerRadius(_ reader: inout ObjectReader) -> SectionLayout.CornerRadius? {
    let name = "cornerRadius"
    guard let json = reader.value(name), Self.corners.contains(where: { json[$0] != nil }) else {
      return length(name, &reader).map { .all($0) }
    }
    guard var inner = ObjectReader(json, at: reader.place(of: name), reader.collector) else { return nil }
    let corners = SectionLayout.Corners(
      topLeading: length("topLeading", &inner) ?? 0, topTrailing: length("topTrailing", &inner) ?? 0,
      bottomLeading: length("bottomLeading", &inner) ?? 0, bottomTrailing: length("bottomTrailing", &inner) ?? 0)
    inner.refuseOthers()
    return .each(corners)
  }

  /// One colour, or one for light and one for dark.
  private func color(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Color? {
    func check(_ json: JSON, _ pointer: JSONPointer) -> String? {
      if let text = json.string, RelativeColor(text) != nil { return text }
      collector.add(pointer, .color, "must be a colour #RRGGBB or #RRGGBBAA, or {\"light\": one, \"dark\": one}")
      return nil
    }
    guard json.object != nil, var reader = ObjectReader(json, at: pointer, collector) else {
      return check(json, pointer).map { .always($0) }
    }
    let light = reader.required("light").flatMap { check($0, reader.place(of: "light")) }
    let dark = reader.required("dark").flatMap { check($0, reader.place(of: "dark")) }
    reader.refuseOthers()
    guard let light, let dark else { return nil }
    return .themed(light: light, dark: dark)
  }

  private func size(_ name: String, _ reader: inout ObjectReader) -> SectionLayout.ItemSize? {
    reader.value(name).flatMap { itemSize($0, at: reader.place(of: name), reader.collector) }
  }

  private func slotSizes(_ reader: inout ObjectReader) -> [String: SectionLayout.ItemSize] {
    let place = reader.place(of: "slotSizes")
    var sizes: [String: SectionLayout.ItemSize] = [:]
    for member in reader.object("slotSizes") ?? JSONObject() {
      let pointer = place.appending(member.name)
      guard Slug.check(member.name, at: pointer, reader.collector) else { continue }
      sizes[member.name] = itemSize(member.value, at: pointer, reader.collector)
    }
    return sizes
  }

  private func itemSize(
    _ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector
  ) -> SectionLayout.ItemSize? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let width = reader.required("width").flatMap { self.width($0, at: reader.place(of: "width"), collector) }
    let height = reader.required("height").flatMap { self.height($0, at: reader.place(of: "height"), collector) }
    reader.refuseOthers()
    guard let width, let height else { return nil }
    return SectionLayout.ItemSize(width: width, height: height)
  }

  private func width(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Width? {
    switch json {
    case "container": return .container
    case "column": return .column
    case .object:
      guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
      let points = length("points", &reader)
      let fraction = fraction(of: FractionBase.self, &reader)
      let content = reader.value("content")
      reader.refuseOthers()
      switch (points, fraction, content) {
      case (let points?, nil, nil): return .points(points)
      case (nil, let (value, base)?, nil): return base == .screen ? .screenFraction(value) : .fraction(value)
      case (nil, nil, let content?): return contentWidth(content, at: reader.place(of: "content"), collector)
      // A member that is wrong by itself has its own problem already.
      default: if ["points", "fraction", "content"].count(where: { json[$0] != nil }) == 1 { return nil }
      }
    default: break
    }
    collector.add(
      pointer, .width,
      "must be \"container\", \"column\", {\"points\": n}, {\"fraction\": f}, {\"fraction\": f, \"of\": \"screen\"} "
        + "or {\"content\": {\"minimum\": n, \"maximum\": n}}")
    return nil
  }

  /// What a fraction of a width is of; the container when nothing is said.
  private enum FractionBase: String, CaseIterable { case container, screen }
  /// What a fraction of a height is of: a container is as high as what it holds.
  private enum HeightBase: String, CaseIterable { case screen }

  /// A fraction and what it is of, where that is said.
  private func fraction<Base: RawRepresentable & CaseIterable>(
    of base: Base.Type, _ reader: inout ObjectReader
  ) -> (value: JSONNumber, base: Base?)? where Base.RawValue == String {
    let expected = Sentence(.fraction, "above 0 and at most 1")
    let isSaid = reader.value("fraction") != nil && reader.value("of") != nil
    let base: Base? = isSaid ? word("of", &reader) : nil
    guard let value = number("fraction", expected, &reader, isAllowed: { $0 > 0 && $0 <= 1 }) else { return nil }
    return isSaid && base == nil ? nil : (value, base)
  }

  /// What the text needs, within bounds.
  private func contentWidth(
    _ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector
  ) -> SectionLayout.Width? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let minimum = length("minimum", &reader)
    let maximum = length("maximum", &reader)
    reader.refuseOthers()
    for (place, least, most) in Self.bounds(json) where least > most {
      collector.add(
        pointer.appending(place), .aboveMaximum, "must not be above 'maximum', which is \(most); it is \(least)",
        ["least": .number(least), "most": .number(most)])
    }
    return .content(minimum: minimum, maximum: maximum)
  }

  /// The minimum and the maximum of each locale that either names, with the place of the minimum.
  private static func bounds(_ json: JSON) -> [(place: JSONPointer, least: JSONNumber, most: JSONNumber)] {
    let names = ["minimum", "maximum"].flatMap { json[$0]?.object?.names ?? [] }
    func value(_ bound: String, _ name: String) -> JSONNumber? {
      json[bound]?.number ?? json[bound]?[name]?.number ?? json[bound]?["*"]?.number
    }
    var seen = Set<String>()
    return (names.isEmpty ? ["*"] : names).filter { seen.insert($0).inserted }.compactMap { name in
      guard let least = value("minimum", name), let most = value("maximum", name) else { return nil }
      return (JSONPointer(json["minimum"]?[name] == nil ? ["minimum"] : ["minimum", name]), least, most)
    }
  }

  private func height(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Height? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let points = length("points", &reader)
    let aspect = number("aspect", Sentence(.aboveZero, "above 0: width divided by height"), &reader) { $0 > 0 }
    let fraction = fraction(of: HeightBase.self, &reader)
    let content = reader.value("content")
    reader.refuseOthers()
    switch (points, aspect, fraction, content) {
    case (let points?, nil, nil, nil): return .points(points)
    case (nil, let aspect?, nil, nil): return .aspect(aspect)
    case (nil, nil, let (value, .screen?)?, nil): return .screenFraction(value)
    case (nil, nil, nil, let content?):
      guard var inner = ObjectReader(content, at: reader.place(of: "content"), collector) else { return nil }
      let minimum = length("minimum", &inner) ?? 0
      inner.refuseOthers()
      return .content(minimum: minimum)
    default:
      // A member that is wrong by itself has its own problem already.
      let isOne = ["points", "aspect", "fraction", "content"].count(where: { json[$0] != nil }) == 1
      if !isOne || json["fraction"] != nil && json["of"] == nil {
        collector.add(
          pointer, .height,
          "must be {\"points\": n}, {\"aspect\": w/h}, {\"fraction\": f, \"of\": \"screen\"} "
            + "or {\"content\": {\"minimum\": n}}")
      }
      return nil
    }
  }

  /// A number of points.
  private func length(_ name: String, atLeast least: Int = 0, _ reader: inout ObjectReader) -> JSONNumber? {
    let range = least...100_000
    let expected = Sentence(
      .points, "from \(range.lowerBound) to \(range.upperBound) points", Sentence.bounds(range))
    return number(name, expected, &reader) { $0 >= JSONNumber(range.lowerBound) && $0 <= JSONNumber(range.upperBound) }
  }

  /// A number, or a map from locale to number, of which every one must be as expected.
  private func number(
    _ name: String, _ expected: Sentence, _ reader: inout ObjectReader, isAllowed: (JSONNumber) -> Bool
  ) -> JSONNumber? {
    let place = reader.place(of: name)
    guard case .object(let map)? = reader.value(name) else {
      guard let number = reader.number(name) else { return nil }
      if isAllowed(number) { return number }
      reader.collector.add(place, expected.demanded)
      return nil
    }
    var values: [String: JSONNumber] = [:]
    for name in LanguageTag.respelt(among: map.names) { reader.collector.add(place.appending(name), .respelt(name)) }
    for member in map {
      if member.name != "*", Locale(member.name) == nil {
        reader.collector.add(place.appending(member.name), .noLocale(member.name))
      } else if let number = member.value.number, isAllowed(number) {
        values[member.name] = number
      } else {
        reader.collector.add(place.appending(member.name), expected.demanded)
      }
    }
    if map.isEmpty {
      reader.collector.add(
        place, .localized, "must be a number, or a map from locale to number with at least one")
    }
    if needsEveryLocale, values["*"] == nil {
      reader.collector.add(place, .invalidKinds("must have a value for \"*\", any other locale"))
    }
    guard let locale, let fallback else { return values["*"] ?? values.first?.value }
    return LocaleLookup.name(for: locale, default: fallback, among: map.names).flatMap { values[$0] }
  }
}
