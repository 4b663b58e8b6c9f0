import HomePayload
import JSON
import JSONSchema

/// Reads a layout as kinds and sections write it, and resolves the values that differ by locale (S1.6).
struct LayoutResolver {
  /// The locale to resolve for; `nil` to check the values of every locale.
  let locale: Locale?
  /// The page's default locale.
  let fallback: Locale?
  /// What names stand for; `nil` where a definition is read before its kinds are known, and any name may stand.
  var tokens: DesignTokens?
  /// Whether each value that differs by locale must have one for `*`, as a kind's must: a kind knows no page's locales.
  var needsEveryLocale = false

  /// The most columns of a row.
  static let columnsMax = 24

  /// The members of a layout that are objects, which a section's own are laid over member by member.
  private static let joined: Set = [
    "inset", "peek", "separator", "itemSize", "headerSize", "footerSize", "slotSizes", "background",
  ]

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
    let style: SectionLayout.Style? = reader.word("style")
    var layout = SectionLayout(style: style ?? .list)
    layout.rows = rows(&reader)
    layout.rowCount = reader.int("rowCount", in: 1...Self.columnsMax)
    layout.columns = columns(&reader)
    layout.alignment = reader.word("alignment")
    layout.peek = peek(&reader)
    layout.paging = reader.word("paging")
    layout.inset = reader.value("inset").flatMap { inset($0, at: reader.place(of: "inset"), collector) }
    layout.itemSpacing = length("itemSpacing", &reader)
    layout.lineSpacing = length("lineSpacing", &reader)
    layout.separator = separator(&reader)
    layout.itemSize = size("itemSize", &reader)
    layout.group = group(&reader, of: layout.itemSize)
    layout.headerSize = size("headerSize", &reader)
    layout.footerSize = size("footerSize", &reader)
    layout.slotOrder = slotOrder(&reader)
    layout.slotSizes = slotSizes(&reader)
    layout.stickyHeader = reader.bool("stickyHeader")
    layout.sticky = reader.bool("sticky")
    layout.background = reader.value("background")
      .flatMap { background($0, at: reader.place(of: "background"), collector) }
    layout.backgroundFrame = reader.word("backgroundFrame")
    reader.refuseOthers()
    return style == nil ? nil : layout
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

  private func size(_ name: String, _ reader: inout ObjectReader) -> SectionLayout.ItemSize? {
    reader.value(name).flatMap { itemSize($0, at: reader.place(of: name), reader.collector) }
  }

  private func slotOrder(_ reader: inout ObjectReader) -> [String] {
    let place = reader.place(of: "slotOrder")
    let names = reader.strings("slotOrder") ?? []
    for (position, name) in names.enumerated() {
      let pointer = place.appending(position)
      if Slug.check(name, at: pointer, reader.collector), names[..<position].contains(name) {
        reader.collector.add(pointer, .uniqueItems, "\"\(name)\" is there twice")
      }
    }
    return names
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

  /// A number of points.
  func length(_ name: String, atLeast least: Int = 0, _ reader: inout ObjectReader) -> JSONNumber? {
    let range = least...100_000
    let expected = Sentence(
      .points, "from \(range.lowerBound) to \(range.upperBound) points", Sentence.bounds(range))
    let least = JSONNumber(range.lowerBound)
    let most = JSONNumber(range.upperBound)
    return number(name, expected, &reader, takesTokens: true) { $0 >= least && $0 <= most }
  }

  /// A number, or a map from locale to number, of which every one must be as expected.
  func number(
    _ name: String, _ expected: Sentence, _ reader: inout ObjectReader, takesTokens: Bool = false,
    isAllowed: (JSONNumber) -> Bool
  ) -> JSONNumber? {
    let place = reader.place(of: name)
    var given = reader.value(name)
    let token = takesTokens ? given.flatMap(DesignTokens.name) : nil
    if let token {
      given = self.token(token, at: place, reader.collector)
      guard given?.number != nil || given?.object != nil else {
        if given != nil { reader.collector.add(place, expected.demanded) }
        return nil
      }
    }
    guard case .object(let written)? = given else {
      guard let number = token == nil ? reader.number(name) : given?.number else { return nil }
      if isAllowed(number) { return number }
      reader.collector.add(place, expected.demanded)
      return nil
    }
    // Tokens may stand for what a locale has, too.
    let map = takesTokens ? tokens?.resolved(.object(written)).object ?? written : written
    func reference(_ tag: String) -> String? { takesTokens ? map[tag].flatMap(DesignTokens.name) : nil }
    var values: [String: JSONNumber] = [:]
    for name in LanguageTag.respelt(among: map.names) { reader.collector.add(place.appending(name), .respelt(name)) }
    for member in map {
      if member.name != "*", Locale(member.name) == nil {
        reader.collector.add(place.appending(member.name), .noLocale(member.name))
      } else if let unknown = reference(member.name) {
        _ = self.token(unknown, at: place.appending(member.name), reader.collector)
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
    if needsEveryLocale, values["*"] == nil, reference("*") == nil {
      reader.collector.add(place, .invalidKinds("must have a value for \"*\", any other locale"))
    }
    guard let locale, let fallback else { return values["*"] ?? values.first?.value }
    return LocaleLookup.name(for: locale, default: fallback, among: map.names).flatMap { values[$0] }
  }
}
