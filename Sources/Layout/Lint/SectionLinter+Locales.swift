import JSON
import JSONSchema

extension SectionLinter {
  /// Values by locale that leave one of the page's locales without a value.
  mutating func checkLocales(of item: ItemDefinition, _ pointer: JSONPointer) {
    if let schema = kinds.items[item.kind]?.schema, schema.isLocalized {
      let content = pointer.appending("content")
      for (place, names) in schema.localeMaps(in: .object(kinds.tokens.placed(in: item.content))) {
        checkMap(names, content.appending(place))
      }
    }
    for name in ["label", "hint"] {
      checkText(item.accessibility?[name], pointer.appending("accessibility").appending(name))
    }
    for (index, action) in item.actions.enumerated() {
      checkText(action.title, pointer.appending("actions").appending(index).appending("title"))
    }
    checkMaps(in: kinds.tokens.resolved(.object(item.inset ?? JSONObject())), pointer.appending("inset"))
    for (index, child) in item.children.enumerated() {
      checkLocales(of: child, pointer.appending("children").appending(index))
    }
  }

  /// A text, or a map from locale to text.
  mutating func checkText(_ text: JSON?, _ pointer: JSONPointer) {
    if case .object(let map)? = text { checkMap(map.names, pointer) }
  }

  /// The members of a layout that are numbers, or maps from locale to number.
  private static let numbers: Set = [
    "itemSpacing", "lineSpacing", "top", "leading", "bottom", "trailing", "points", "fraction", "aspect", "minimum",
    "maximum", "cornerRadius", "topLeading", "topTrailing", "bottomLeading", "bottomTrailing", "lines", "angle",
    "radius", "x", "y",
  ]

  /// The same of a layout.
  mutating func checkMaps(in value: JSON, _ pointer: JSONPointer) {
    for member in value.object ?? JSONObject() {
      let place = pointer.appending(member.name)
      // A name that nobody declares is a problem of the kinds'.
      if DesignTokens.name(in: member.value) != nil { continue }
      if Self.numbers.contains(member.name), let map = member.value.object,
        !map.names.contains(where: Self.numbers.contains)
      {
        checkMap(map.names, place)
      } else {
        checkMaps(in: member.value, place)
      }
    }
  }

  /// Whether a map from locale to value has one for each of the page's locales.
  mutating func checkMap(_ names: [String], _ pointer: JSONPointer) {
    let missing = settings.locales.filter {
      LocaleLookup.name(for: $0, default: settings.defaultLocale, among: names) == nil
    }
    guard !missing.isEmpty else { return }
    let tags = missing.map(\.tag)
    let own = settings.defaultLocale.tag
    add(
      .missingLocale, pointer,
      Sentence(
        .missingLocale,
        "has no value for \(tags.joined(separator: ", ")); give one for \(own), the page's default, or for \"*\"",
        ["locales": .names(tags), "default": .string(own)]))
  }
}
