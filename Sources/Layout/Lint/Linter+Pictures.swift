import JSON

extension Linter {
  /// Says where content refers to pictures that are not there.
  mutating func checkPictures(_ lacking: LackingPictures) {
    guard !lacking.unknown.isEmpty || !lacking.removed.isEmpty else { return }
    add(lacking, in: page.settings.json, at: JSONPointer(), section: nil)
    for (position, section) in page.sections.enumerated() {
      add(lacking, in: section.opened.json, at: Self.place(ofSection: position), section: section.id)
    }
  }

  private mutating func add(_ lacking: LackingPictures, in value: JSON, at place: JSONPointer, section: String?) {
    switch value {
    case .string(let text) where lacking.unknown.contains(text):
      let detail = "there is no picture \(text); bring it by POST /admin/v1/assets first, or take it out"
      add(.unknownPicture, place, section, Sentence(.unknownPicture, detail, ["url": .string(text)]))
    case .string(let text) where lacking.removed.contains(text):
      let detail = "the picture \(text) has been removed; clients show none"
      add(.removedPicture, place, section, Sentence(.removedPicture, detail, ["url": .string(text)]))
    case .object(let object):
      for member in object { add(lacking, in: member.value, at: place.appending(member.name), section: section) }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        add(lacking, in: element, at: place.appending(index), section: section)
      }
    default: break
    }
  }
}
