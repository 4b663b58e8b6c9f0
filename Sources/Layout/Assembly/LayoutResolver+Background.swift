import HomePayload
import JSON
import JSONSchema

extension LayoutResolver {
  /// A background, `nil` (and problems) when it is wrong.
  func background(
    _ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector
  ) -> SectionLayout.Background? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let color = reader.value("color").flatMap { self.color($0, at: reader.place(of: "color"), collector) }
    let cornerRadius = cornerRadius(&reader)
    let background = SectionLayout.Background(
      color: color, cornerRadius: cornerRadius, gradient: gradient(&reader), image: image(&reader),
      border: border(&reader), shadow: shadow(&reader))
    reader.refuseOthers()
    return background
  }

  /// The most colours of a gradient.
  static let stopsMax = 8
  /// How far a shadow may be moved, in points.
  static let shadowShiftMax = 1_000

  /// Colours that run into each other; those that do not say where they stand share the line.
  private func gradient(_ reader: inout ObjectReader) -> SectionLayout.Gradient? {
    guard let json = reader.value("gradient") else { return nil }
    return ObjectReader.object(json, at: reader.place(of: "gradient"), reader.collector) { inner in
      let angle = number("angle", .wholeNumber(in: 0...360), &inner) { $0 >= 0 && $0 <= 360 && $0.int != nil }
      guard inner.required("stops") != nil, let elements = inner.array("stops") else { return nil }
      let place = inner.place(of: "stops")
      guard elements.count >= 2 else {
        inner.collector.add(
          place, .minItems, "must have at least 2 colours", ["least": 2, "count": .count(elements.count)])
        return nil
      }
      guard elements.count <= Self.stopsMax else {
        inner.collector.add(
          place, .maxItems, "must have at most \(Self.stopsMax) colours, has \(elements.count)",
          ["most": .count(Self.stopsMax), "count": .count(elements.count)])
        return nil
      }
      let stops = elements.enumerated().compactMap { index, json in
        stop(json, at: place.appending(index), index, of: elements, inner.collector)
      }
      return stops.count == elements.count ? SectionLayout.Gradient(angle: angle, stops: stops) : nil
    }
  }

  private func stop(
    _ json: JSON, at pointer: JSONPointer, _ index: Int, of all: [JSON], _ collector: ProblemCollector
  ) -> SectionLayout.GradientStop? {
    ObjectReader.object(json, at: pointer, collector) { reader in
      let color = requiredColor(&reader)
      let given = reader.number("at")
      guard let at = given ?? (all.allSatisfy { $0["at"] == nil } ? Self.share(index, of: all.count - 1) : nil) else {
        if reader.value("at") == nil { collector.add(pointer.appending("at"), .required, "is required") }
        return nil
      }
      let before = index > 0 ? all[index - 1]["at"]?.number : nil
      guard at >= 0, at <= 1, before.map({ $0 <= at }) ?? true else {
        collector.add(pointer.appending("at"), .gradientStop, "must be from 0 to 1, and not below the one before")
        return nil
      }
      return color.map { SectionLayout.GradientStop(at: at, color: $0) }
    }
  }

  /// A part of 1 in thousandths, which is finer than a screen shows.
  private static func share(_ part: Int, of whole: Int) -> JSONNumber {
    let digits = String(1_000 + part * 1_000 / whole)
    return JSONNumber(text: part == whole ? "1" : "0.\(digits.dropFirst())") ?? 0
  }

  /// A picture behind the items, or one for light and one for dark.
  private func image(_ reader: inout ObjectReader) -> SectionLayout.BackgroundImage? {
    guard let json = reader.value("image") else { return nil }
    let pointer = reader.place(of: "image")
    guard json["light"] != nil || json["dark"] != nil else {
      return picture(json, at: pointer, reader.collector).map { .always($0) }
    }
    return ObjectReader.object(json, at: pointer, reader.collector) { inner in
      let light = inner.required("light").flatMap { picture($0, at: inner.place(of: "light"), inner.collector) }
      let dark = inner.required("dark").flatMap { picture($0, at: inner.place(of: "dark"), inner.collector) }
      guard let light, let dark else { return nil }
      return .themed(light: light, dark: dark)
    }
  }

  private func picture(
    _ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector
  ) -> SectionLayout.BackgroundPicture? {
    ObjectReader.object(json, at: pointer, collector) { reader in
      let fit: SectionLayout.Fit? = reader.word("fit")
      let sources = sources(&reader)
      let width = reader.int("width", in: Self.pictureWidths)
      return address(&reader).map {
        SectionLayout.BackgroundPicture(fit: fit, sources: sources, url: $0, width: width)
      }
    }
  }

  /// The most other widths of a picture.
  static let sourcesMax = 8
  private static let pictureWidths = 1...100_000

  private func sources(_ reader: inout ObjectReader) -> [SectionLayout.BackgroundPicture.Source] {
    let elements = reader.array("sources") ?? []
    let place = reader.place(of: "sources")
    if elements.count > Self.sourcesMax {
      reader.collector.add(
        place, .maxItems, "must have at most \(Self.sourcesMax) widths, has \(elements.count)",
        ["most": .count(Self.sourcesMax), "count": .count(elements.count)])
    }
    return elements.prefix(Self.sourcesMax).enumerated().compactMap { index, json in
      ObjectReader.object(json, at: place.appending(index), reader.collector) { inner in
        let isThere = inner.required("width") != nil
        let width = inner.int("width", in: Self.pictureWidths)
        guard let url = address(&inner), isThere, let width else { return nil }
        return SectionLayout.BackgroundPicture.Source(url: url, width: width)
      }
    }
  }

  /// The address of a picture.
  private func address(_ reader: inout ObjectReader) -> String? {
    guard let url = reader.requiredString("url") else { return nil }
    let isAddress = URISyntax.isAbsolute(Array(url.utf8)) || AssetName(url: url) != nil
    guard isAddress, url.utf8.count <= Action.urlBytesMax else {
      reader.collector.add(
        reader.place(of: "url"), .format, "must be an absolute URI, or a picture's address /v1/assets/…",
        ["format": "uri"])
      return nil
    }
    return url
  }

  private func border(_ reader: inout ObjectReader) -> SectionLayout.Border? {
    guard let json = reader.value("border") else { return nil }
    return ObjectReader.object(json, at: reader.place(of: "border"), reader.collector) { inner in
      let color = requiredColor(&inner)
      guard inner.required("width") != nil, let width = length("width", &inner), let color else { return nil }
      return SectionLayout.Border(color: color, width: width)
    }
  }

  /// The line between rows, 1 point thick where nothing is said.
  func separator(_ reader: inout ObjectReader) -> SectionLayout.Separator? {
    guard let json = reader.value("separator") else { return nil }
    return ObjectReader.object(json, at: reader.place(of: "separator"), reader.collector) { inner in
      let color = requiredColor(&inner)
      let width = length("width", &inner) ?? 1
      let (leading, trailing) = (length("leading", &inner), length("trailing", &inner))
      return color.map { SectionLayout.Separator(color: $0, width: width, leading: leading, trailing: trailing) }
    }
  }

  private func shadow(_ reader: inout ObjectReader) -> SectionLayout.Shadow? {
    guard let json = reader.value("shadow") else { return nil }
    return ObjectReader.object(json, at: reader.place(of: "shadow"), reader.collector) { inner in
      let color = requiredColor(&inner)
      let radius = inner.required("radius") == nil ? nil : length("radius", &inner)
      let range = -Self.shadowShiftMax...Self.shadowShiftMax
      let expected = Sentence(
        .points, "from \(range.lowerBound) to \(range.upperBound) points", Sentence.bounds(range))
      let (least, most) = (JSONNumber(range.lowerBound), JSONNumber(range.upperBound))
      let x = number("x", expected, &inner) { $0 >= least && $0 <= most }
      let y = number("y", expected, &inner) { $0 >= least && $0 <= most }
      guard let color, let radius else { return nil }
      return SectionLayout.Shadow(color: color, radius: radius, x: x, y: y)
    }
  }

  private func requiredColor(_ reader: inout ObjectReader) -> SectionLayout.Color? {
    reader.required("color").flatMap { color($0, at: reader.place(of: "color"), reader.collector) }
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

  /// One colour, or one for light and one for dark, and perhaps others for high contrast; or the name of one.
  func color(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) -> SectionLayout.Color? {
    if let name = DesignTokens.name(in: json) {
      // Where the tokens are not known yet, any colour stands for it.
      guard tokens != nil else { return .always("#000000") }
      guard let value = token(name, at: pointer, collector) else { return nil }
      // A number of points, or a map of them, is one mistake.
      return color(value.string == nil && value["light"] == nil ? .null : value, at: pointer, collector)
    }
    func check(_ given: JSON, _ pointer: JSONPointer) -> String? {
      var json = given
      if let name = DesignTokens.name(in: given) {
        guard tokens != nil else { return "#000000" }
        guard let value = token(name, at: pointer, collector) else { return nil }
        json = value
      }
      if let text = json.string, RelativeColor(text) != nil { return text }
      collector.add(pointer, .color, "must be a colour #RRGGBB or #RRGGBBAA, or {\"light\": one, \"dark\": one}")
      return nil
    }
    func both(_ reader: inout ObjectReader) -> (light: String, dark: String)? {
      let light = reader.required("light").flatMap { check($0, reader.place(of: "light")) }
      let dark = reader.required("dark").flatMap { check($0, reader.place(of: "dark")) }
      guard let light, let dark else { return nil }
      return (light, dark)
    }
    guard json.object != nil, var reader = ObjectReader(json, at: pointer, collector) else {
      return check(json, pointer).map { .always($0) }
    }
    let usual = both(&reader)
    let strong = reader.value("highContrast").map { json in
      ObjectReader.object(json, at: reader.place(of: "highContrast"), collector) { both(&$0) }
    }
    reader.refuseOthers()
    guard let (light, dark) = usual else { return nil }
    guard let strong else { return .themed(light: light, dark: dark) }
    return strong.map { .contrasted(light: light, dark: dark, highContrast: .init(light: $0.light, dark: $0.dark)) }
  }
}
