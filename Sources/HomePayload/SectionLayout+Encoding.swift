import JSON

extension SectionLayout: CanonicallyEncoded {
  /// Appends the canonical bytes.
  public func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    object.string("style", style.rawValue, &bytes)
    if let rows {
      object.name("rows", &bytes)
      bytes.append(contentsOf: "[\(rows.map(String.init).joined(separator: ","))]".utf8)
    }
    object.value("inset", inset, &bytes)
    object.number("itemSpacing", itemSpacing, &bytes)
    object.number("lineSpacing", lineSpacing, &bytes)
    object.value("itemSize", itemSize, &bytes)
    object.value("background", background, &bytes)
    object.close(&bytes)
  }
}

extension SectionLayout.Inset: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    object.number("top", top, &bytes)
    object.number("leading", leading, &bytes)
    object.number("bottom", bottom, &bytes)
    object.number("trailing", trailing, &bytes)
    object.close(&bytes)
  }
}

extension SectionLayout.ItemSize: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    object.value("width", width, &bytes)
    object.value("height", height, &bytes)
    object.close(&bytes)
  }
}

extension SectionLayout.Width: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .container: JSON.append("container", to: &bytes)
    case .column: JSON.append("column", to: &bytes)
    case .points(let points): bytes.append(contentsOf: "{\"points\":\(points)}".utf8)
    case .fraction(let fraction): bytes.append(contentsOf: "{\"fraction\":\(fraction)}".utf8)
    }
  }
}

extension SectionLayout.Height: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) {
    let text =
      switch self {
      case .points(let points): "{\"points\":\(points)}"
      case .aspect(let aspect): "{\"aspect\":\(aspect)}"
      case .content(let minimum): "{\"content\":{\"minimum\":\(minimum)}}"
      }
    bytes.append(contentsOf: text.utf8)
  }
}

extension SectionLayout.Background: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    object.string("color", color, &bytes)
    object.number("cornerRadius", cornerRadius, &bytes)
    object.close(&bytes)
  }
}
