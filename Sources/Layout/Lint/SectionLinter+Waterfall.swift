import HomePayload
import JSON

extension SectionLinter {
  /// Pictures whose size nobody knows where cells are placed by it (S3.5).
  mutating func checkWaterfall(_ section: SectionDefinition) {
    let members = kinds.layoutMembers(of: section)
    guard members["style"] == .string(SectionLayout.Style.waterfall.rawValue) else { return }
    // An aspect, or another height that no picture changes, is of all items.
    if let height = members["itemSize"]?["height"], height["content"] == nil { return }
    for (index, item) in section.content.items.enumerated() where item.aspect == nil && isSuspect(index) {
      for pointer in Self.imagesWithoutSize(in: .object(item.content)) {
        add(
          .imageWithoutSize, JSONPointer(["items", String(index), "content"]).appending(pointer),
          Sentence(
            .imageWithoutSize,
            "has no width and height, and the item has no aspect; the cell jumps when the picture loads"))
      }
    }
  }

  /// The objects with a `url` of a picture that do not say how large it is.
  private static func imagesWithoutSize(in value: JSON) -> [JSONPointer] {
    switch value {
    case .object(let object):
      let isImage = object["url"]?.string != nil
      let isSized = object["width"]?.number != nil && object["height"]?.number != nil
      // Its sources have its shape.
      if isImage { return isSized ? [] : [JSONPointer()] }
      return object.flatMap { member in
        imagesWithoutSize(in: member.value).map { JSONPointer([member.name]).appending($0) }
      }
    case .array(let elements):
      return elements.enumerated().flatMap { index, element in
        imagesWithoutSize(in: element).map { JSONPointer([String(index)]).appending($0) }
      }
    default: return []
    }
  }
}
