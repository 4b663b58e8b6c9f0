import JSON
import JSONSchema

extension Linter {
  /// Values by locale that leave one of the page's locales without a value.
  mutating func checkLocales() {
    for (position, section) in page.sections.enumerated() {
      let place = Self.place(ofSection: position)
      checkMaps(in: .object(section.settings.layout), place.appending("layout"), section.id)
      for (item, pointer) in section.topItems(at: place) { checkLocales(of: item, pointer, section.id) }
    }
    if let state = page.settings.emptyState { checkLocales(of: state, JSONPointer(["emptyState"]), nil) }
  }

  private mutating func checkLocales(of item: ItemDefinition, _ pointer: JSONPointer, _ section: String?) {
    if let schema = kinds.items[item.kind]?.schema, schema.isLocalized {
      let content = pointer.appending("content")
      for (place, names) in schema.localeMaps(in: .object(item.content)) {
        checkMap(names, content.appending(place), section)
      }
    }
    for (index, child) in item.children.enumerated() {
      checkLocales(of: child, pointer.appending("children").appending(index), section)
    }
  }

  /// The members of a layout that are numbers, or maps from locale to number.
  private static let numbers: Set = [
    "itemSpacing", "lineSpacing", "top", "leading", "bottom", "trailing", "points", "fraction", "aspect", "minimum",
    "cornerRadius",
  ]

  private mutating func checkMaps(in value: JSON, _ pointer: JSONPointer, _ section: String) {
    for member in value.object ?? JSONObject() {
      let place = pointer.appending(member.name)
      if Self.numbers.contains(member.name), let map = member.value.object {
        checkMap(map.names, place, section)
      } else {
        checkMaps(in: member.value, place, section)
      }
    }
  }

  private mutating func checkMap(_ names: [String], _ pointer: JSONPointer, _ section: String?) {
    let missing = page.settings.locales.filter {
      LocaleLookup.name(for: $0, default: page.settings.defaultLocale, among: names) == nil
    }
    guard !missing.isEmpty else { return }
    let tags = missing.map(\.tag).joined(separator: ", ")
    add(
      .missingLocale, pointer, section,
      "has no value for \(tags): give one for \(page.settings.defaultLocale.tag), the page's default, or for \"*\"")
  }
}
