import JSON

extension SectionLayout {
  init(json: JSON, at pointer: String) throws(PayloadError) {
    let reader = try MemberReader(json, pointer)
    // A newer server may know more styles than this app; one item below another shows them all.
    let style = Style(rawValue: try reader.required("style", reader.string("style"))) ?? .list
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
    _ = try (reader.required("width", reader.value("width")), reader.required("height", reader.value("height")))
    // A size of a newer server's form is left to the client, as an absent one is.
    guard let width = try reader.width(), let height = try reader.height() else { return nil }
    return SectionLayout.ItemSize(width: width, height: height)
  }

  /// `nil` for a form that this version does not know.
  private func width() throws(PayloadError) -> SectionLayout.Width? {
    switch value("width") {
    case .string("container")?: return .container
    case .string("column")?: return .column
    case .object?:
      guard let reader = try inner("width") else { return nil }
      if let points = try reader.number("points") { return .points(points) }
      return try reader.number("fraction").map { .fraction($0) }
    default: return nil
    }
  }

  /// `nil` for a form that this version does not know.
  private func height() throws(PayloadError) -> SectionLayout.Height? {
    guard case .object? = value("height"), let reader = try inner("height") else { return nil }
    if let points = try reader.number("points") { return .points(points) }
    if let aspect = try reader.number("aspect") { return .aspect(aspect) }
    guard let content = try reader.inner("content") else { return nil }
    return .content(minimum: try content.requiredNumber("minimum"))
  }

  fileprivate func background() throws(PayloadError) -> SectionLayout.Background? {
    guard let reader = try inner("background") else { return nil }
    return SectionLayout.Background(
      color: try reader.string("color"), cornerRadius: try reader.number("cornerRadius"))
  }
}
