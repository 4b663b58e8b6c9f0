import HomePayload
import JSON

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

  /// A section's members laid over its kind's, `inset`, `itemSize` and `background` member by member.
  static func overlay(_ members: JSONObject, on base: JSONObject) -> JSONObject {
    var result = base
    for member in members {
      if ["inset", "itemSize", "background"].contains(member.name), case .object(let inner)? = base[member.name],
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
    let style = self.style(&reader)
    var layout = SectionLayout(style: style ?? .list)
    layout.rows = rows(&reader)
    layout.inset = reader.value("inset").flatMap { inset($0, at: reader.place(of: "inset"), collector) }
    layout.itemSpacing = length("itemSpacing", &reader)
    layout.lineSpacing = length("lineSpacing", &reader)
    layout.itemSize = reader.value("itemSize").flatMap { itemSize($0, at: reader.place(of: "itemSize"), collector) }
    layout.background = reader.value("background")
      .flatMap { background($0, at: reader.place(of: "background"), collector) }
    reader.refuseOthers()
    return style == nil ? nil : layout
  }

  private func style(_ reader: inout ObjectReader) -> SectionLayout.Style? {
    guard let text = reader.requiredString("style") else { return nil }
    if let style = SectionLayout.Style(rawValue: text) { return style }
    let known = SectionLayout.Style.allCases.map(\.rawValue).joined(separator: ", ")
    reader.collector.add(reader.place(of: "style"), "must be one of \(known)")
    return nil
  }

  private func rows(_ reader: inout ObjectReader) -> [Int]? {
    guard let elements = reader.array("rows") else { return nil }
    let rows = elements.compactMap(\.int).filter { (1...Self.columnsMax).contains($0) }
    if !rows.isEmpty, rows.count == elements.count, rows.count <= 64 { return rows }
    reader.collector.add(
      reader.place(of: "rows"), "must be 1 to 64 numbers of columns, each from 1 to \(Self.columnsMax)")
    return nil
  }

  private func inset(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Inset? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let inset = SectionLayout.Inset(
      top: length("top", &reader) ?? 0, leading: length("leading", &reader) ?? 0,
      bottom: length("bottom", &reader) ?? 0, trailing: length("trailing", &reader) ?? 0)
    reader.refuseOthers()
    return inset
  }

  private func background(
    _ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector
  ) -> SectionLayout.Background? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let color = reader.string("color")
    if let color, !Self.isColor(color) {
      collector.add(reader.place(of: "color"), "must be a colour #RRGGBB or #RRGGBBAA")
    }
    let background = SectionLayout.Background(color: color, cornerRadius: length("cornerRadius", &reader))
    reader.refuseOthers()
    return background
  }

  private static func isColor(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.hasPrefix("#") && [6, 8].contains(digits.count)
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
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
      let fraction = number("fraction", "above 0 and at most 1", &reader) { $0 > 0 && $0 <= 1 }
      reader.refuseOthers()
      switch (points, fraction) {
      case (let points?, nil): return .points(points)
      case (nil, let fraction?): return .fraction(fraction)
      // A member that is wrong by itself has its own problem already.
      default: if (json["points"] == nil) != (json["fraction"] == nil) { return nil }
      }
    default: break
    }
    collector.add(pointer, "must be \"container\", \"column\", {\"points\": n} or {\"fraction\": f}")
    return nil
  }

  private func height(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Height? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let points = length("points", &reader)
    let aspect = number("aspect", "above 0: width divided by height", &reader) { $0 > 0 }
    let content = reader.value("content")
    reader.refuseOthers()
    switch (points, aspect, content) {
    case (let points?, nil, nil): return .points(points)
    case (nil, let aspect?, nil): return .aspect(aspect)
    case (nil, nil, let content?):
      guard var inner = ObjectReader(content, at: reader.place(of: "content"), collector) else { return nil }
      let minimum = length("minimum", &inner) ?? 0
      inner.refuseOthers()
      return .content(minimum: minimum)
    default:
      // A member that is wrong by itself has its own problem already.
      if ["points", "aspect", "content"].count(where: { json[$0] != nil }) != 1 {
        collector.add(pointer, "must be {\"points\": n}, {\"aspect\": w/h} or {\"content\": {\"minimum\": n}}")
      }
      return nil
    }
  }

  /// A number of points, 0 or above.
  private func length(_ name: String, _ reader: inout ObjectReader) -> JSONNumber? {
    number(name, "from 0 to 100000 points", &reader) { $0 >= 0 && $0 <= 100_000 }
  }

  /// A number, or a map from locale to number, of which every one must be as expected.
  private func number(
    _ name: String, _ expected: String, _ reader: inout ObjectReader, isAllowed: (JSONNumber) -> Bool
  ) -> JSONNumber? {
    let place = reader.place(of: name)
    guard case .object(let map)? = reader.value(name) else {
      guard let number = reader.number(name) else { return nil }
      if isAllowed(number) { return number }
      reader.collector.add(place, "must be \(expected)")
      return nil
    }
    var values: [String: JSONNumber] = [:]
    for member in map {
      if member.name != "*", Locale(member.name) == nil {
        reader.collector.add(place.appending(member.name), "is not a locale tag such as zh-Hans, nor \"*\"")
      } else if let number = member.value.number, isAllowed(number) {
        values[member.name] = number
      } else {
        reader.collector.add(place.appending(member.name), "must be \(expected)")
      }
    }
    if map.isEmpty { reader.collector.add(place, "must be a number, or a map from locale to number with at least one") }
    if needsEveryLocale, values["*"] == nil {
      reader.collector.add(place, "must have a value for \"*\", any other locale")
    }
    guard let locale, let fallback else { return values["*"] ?? values.first?.value }
    return LocaleLookup.name(for: locale, default: fallback, among: map.names).flatMap { values[$0] }
  }
}
