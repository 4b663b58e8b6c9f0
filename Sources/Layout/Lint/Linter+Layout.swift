import HomePayload
import JSON

extension Linter {
  /// Two sections that float at the bottom of one screen.
  mutating func checkPinned() {
    let pinned = page.sections.enumerated().filter { _, section in
      !section.settings.isHidden && layout(of: section)["style"] == .string(SectionLayout.Style.pinned.rawValue)
    }
    for (count, (position, section)) in pinned.enumerated() {
      let rival = pinned.prefix(count).map(\.element).first { first in
        meet(first.settings.schedule, section.settings.schedule)
          && satisfiability.holds([first.settings.audience, section.settings.audience].compactMap { $0 })
      }
      guard let rival else { continue }
      add(
        .severalPinned, Self.place(ofSection: position), section.id,
        "\(rival.id) is pinned too, and a client can see both at once: one would cover the other")
    }
  }

  /// Pictures whose size nobody knows where cells are placed by it (S3.5).
  mutating func checkWaterfalls() {
    for (position, section) in page.sections.enumerated()
    where !section.settings.isHidden
      && layout(of: section)["style"] == .string(SectionLayout.Style.waterfall.rawValue)
    {
      let place = Self.place(ofSection: position).appending("items")
      for (index, item) in section.content.items.enumerated() where item.aspect == nil {
        for pointer in Self.imagesWithoutSize(in: .object(item.content)) {
          add(
            .imageWithoutSize, place.appending(index).appending("content").appending(pointer), section.id,
            "has no width and height, and the item no aspect: the cell jumps when the picture is there")
        }
      }
    }
  }

  /// The objects with a `url` of a picture that do not say how large it is.
  private static func imagesWithoutSize(in value: JSON) -> [JSONPointer] {
    switch value {
    case .object(let object):
      let isImage = object["url"]?.string != nil
      let isSized = object["width"]?.number != nil && object["height"]?.number != nil
      if isImage, !isSized { return [JSONPointer()] }
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
