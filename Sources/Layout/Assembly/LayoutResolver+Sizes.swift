import HomePayload
import JSON

extension LayoutResolver {
  /// The most lines of text that a height is of.
  static let linesMax = 20

  func width(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Width? {
    switch json {
    case "container": return .container
    case "column": return .column
    case .object:
      guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
      let points = length("points", &reader)
      let fraction = fraction(of: FractionBase.self, &reader)
      let content = reader.value("content")
      let bounds = bounds(of: FractionBase.self, &reader)
      reader.refuseOthers()
      let width: SectionLayout.Width? =
        switch (points, fraction, content) {
        case (let points?, nil, nil): .points(points)
        case (nil, let (value, base)?, nil): base == .screen ? .screenFraction(value) : .fraction(value)
        case (nil, nil, let content?): contentWidth(content, at: reader.place(of: "content"), collector)
        default: nil
        }
      if let width { return bounds.map { .bounded(width, minimum: $0.minimum, maximum: $0.maximum) } ?? width }
      // A member that is wrong by itself has its own problem already.
      if ["points", "fraction", "content"].count(where: { json[$0] != nil }) == 1 { return nil }
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
    let base: Base? = isSaid ? reader.word("of") : nil
    guard let value = number("fraction", expected, &reader, isAllowed: { $0 > 0 && $0 <= 1 }) else { return nil }
    return isSaid && base == nil ? nil : (value, base)
  }

  /// The least and the greatest, which stand beside the extent that they bound; `nil` where nothing is said of either.
  private func bounds<Base: RawRepresentable & CaseIterable>(
    of base: Base.Type, _ reader: inout ObjectReader
  ) -> (minimum: SectionLayout.Bound?, maximum: SectionLayout.Bound?)? where Base.RawValue == String {
    let (least, most) = (reader.value("minimum"), reader.value("maximum"))
    let minimum = bound("minimum", of: base, &reader)
    let maximum = bound("maximum", of: base, &reader)
    if let least, let most {
      for (place, least, most) in Self.comparable(least, most) where least > most {
        reader.collector.add(
          reader.pointer.appending(place), .aboveMaximum,
          "must not be above 'maximum', which is \(most); it is \(least)",
          ["least": .number(least), "most": .number(most)])
      }
    }
    return minimum == nil && maximum == nil ? nil : (minimum, maximum)
  }

  private func bound<Base: RawRepresentable & CaseIterable>(
    _ name: String, of base: Base.Type, _ reader: inout ObjectReader
  ) -> SectionLayout.Bound? where Base.RawValue == String {
    guard let json = reader.value(name), json["fraction"] != nil || json["of"] != nil else {
      return length(name, &reader).map { .points($0) }
    }
    let pointer = reader.place(of: name)
    guard var inner = ObjectReader(json, at: pointer, reader.collector) else { return nil }
    let isThere = inner.required("fraction") != nil
    let fraction = isThere ? fraction(of: base, &inner) : nil
    _ = inner.value("of")
    inner.refuseOthers()
    guard let (value, base) = fraction else { return nil }
    if base?.rawValue == FractionBase.screen.rawValue { return .screenFraction(value) }
    guard Base.self == FractionBase.self else {
      reader.collector.add(pointer.appending("of"), .required, "is required")
      return nil
    }
    return .fraction(value)
  }

  /// The least and the greatest of each locale that either names, where they are of the same.
  private static func comparable(
    _ least: JSON, _ most: JSON
  ) -> [(place: JSONPointer, least: JSONNumber, most: JSONNumber)] {
    switch (least["fraction"], most["fraction"]) {
    case (nil, nil): return bounds(["minimum": least, "maximum": most])
    case (let part?, let whole?) where (least["of"] ?? "container") == (most["of"] ?? "container"):
      return bounds(["minimum": part, "maximum": whole]).map { bound in
        let tokens = bound.place.tokens
        return (JSONPointer(["minimum", "fraction"] + tokens.dropFirst()), bound.least, bound.most)
      }
    default: return []
    }
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

  func height(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Height? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let points = length("points", &reader)
    let aspect = number("aspect", Sentence(.aboveZero, "above 0: width divided by height"), &reader) { $0 > 0 }
    let fraction = fraction(of: HeightBase.self, &reader)
    let content = reader.value("content")
    let bounds = bounds(of: HeightBase.self, &reader)
    reader.refuseOthers()
    let height: SectionLayout.Height?
    switch (points, aspect, fraction, content) {
    case (let points?, nil, nil, nil): height = .points(points)
    case (nil, let aspect?, nil, nil): height = .aspect(aspect)
    case (nil, nil, let (value, .screen?)?, nil): height = .screenFraction(value)
    case (nil, nil, nil, let content?):
      guard var inner = ObjectReader(content, at: reader.place(of: "content"), collector) else { return nil }
      let minimum = length("minimum", &inner) ?? 0
      let isOfLines = inner.value("lines") != nil
      let lines = number("lines", .wholeNumber(in: 1...Self.linesMax), &inner) { number in
        number.int.map { (1...Self.linesMax).contains($0) } ?? false
      }
      inner.refuseOthers()
      height = isOfLines ? lines?.int.map { .lines($0, minimum: minimum) } : .content(minimum: minimum)
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
    return height.map { height in
      bounds.map { .bounded(height, minimum: $0.minimum, maximum: $0.maximum) } ?? height
    }
  }
}
