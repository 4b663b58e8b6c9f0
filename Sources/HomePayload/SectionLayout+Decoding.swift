import JSON

extension SectionLayout {
  init(json: JSON, at pointer: String) throws(PayloadError) {
    let reader = try MemberReader(json, pointer)
    let name = try reader.required("style", reader.string("style"))
    guard let style = Style(rawValue: name) else {
      throw PayloadError(reader.place("style"), "the style \(name) is not known to this version")
    }
    let rows = reader.value("rows") == nil ? nil : try reader.positions("rows")
    self.init(
      style: style, rows: rows, inset: try reader.inset(), itemSpacing: try reader.number("itemSpacing"),
      lineSpacing: try reader.number("lineSpacing"), itemSize: try reader.itemSize(),
      background: try reader.background())
  }
}

extension MemberReader {
  private func inner(_ name: String) throws(PayloadError) -> MemberReader? {
    guard let json = value(name) else { return nil }
    return try MemberReader(json, place(name))
  }

  private func requiredNumber(_ name: String) throws(PayloadError) -> JSONNumber {
    try required(name, try number(name))
  }

  fileprivate func inset() throws(PayloadError) -> SectionLayout.Inset? {
    guard let reader = try inner("inset") else { return nil }
    return SectionLayout.Inset(
      top: try reader.requiredNumber("top"), leading: try reader.requiredNumber("leading"),
      bottom: try reader.requiredNumber("bottom"), trailing: try reader.requiredNumber("trailing"))
  }

  fileprivate func itemSize() throws(PayloadError) -> SectionLayout.ItemSize? {
    guard let reader = try inner("itemSize") else { return nil }
    return SectionLayout.ItemSize(width: try reader.width(), height: try reader.height())
  }

  private func width() throws(PayloadError) -> SectionLayout.Width {
    switch value("width") {
    case .string("container")?: return .container
    case .string("column")?: return .column
    default:
      guard let reader = try inner("width") else { throw PayloadError(place("width"), "is required") }
      if let points = try reader.number("points") { return .points(points) }
      return .fraction(try reader.requiredNumber("fraction"))
    }
  }

  private func height() throws(PayloadError) -> SectionLayout.Height {
    guard let reader = try inner("height") else { throw PayloadError(place("height"), "is required") }
    if let points = try reader.number("points") { return .points(points) }
    if let aspect = try reader.number("aspect") { return .aspect(aspect) }
    guard let content = try reader.inner("content") else {
      throw PayloadError(reader.pointer, "must have points, aspect or content")
    }
    return .content(minimum: try content.requiredNumber("minimum"))
  }

  fileprivate func background() throws(PayloadError) -> SectionLayout.Background? {
    guard let reader = try inner("background") else { return nil }
    return SectionLayout.Background(
      color: try reader.string("color"), cornerRadius: try reader.number("cornerRadius"))
  }
}
