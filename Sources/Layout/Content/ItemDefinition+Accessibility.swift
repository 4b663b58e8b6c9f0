import HomePayload
import JSON

/// What an item may say that it behaves like.
enum AccessibilityTrait: String, CaseIterable {
  case adjustable, button, header, image, link, notEnabled, search, selected, summary, updatesFrequently
}

extension ObjectReader {
  /// Reads what assistive technologies are told, as entered.
  mutating func accessibility() -> JSONObject? {
    guard let json = value("accessibility"), var reader = ObjectReader(json, at: place(of: "accessibility"), collector)
    else { return nil }
    _ = reader.localizedText("label", bytesMax: 1_000)
    _ = reader.localizedText("hint", bytesMax: 1_000)
    let known = AccessibilityTrait.allCases.map(\.rawValue)
    let traits = reader.strings("traits") ?? []
    for (position, trait) in traits.enumerated() {
      let place = reader.place(of: "traits").appending(position)
      if !known.contains(trait) { collector.add(place, .word(of: known).demanded) }
      if traits.prefix(position).contains(trait) { collector.add(place, .uniqueItems, "\"\(trait)\" appears twice") }
    }
    _ = reader.bool("hidden")
    reader.refuseOthers()
    return json.object
  }
}

extension Accessibility {
  /// The entry for a locale; `nil` if it is empty there.
  init?(_ entered: JSONObject, for locale: Locale, default fallback: Locale) {
    func text(_ name: String) -> String? {
      entered[name].flatMap { LocaleLookup.text($0, for: locale, default: fallback) }
    }
    self.init(
      label: text("label"), hint: text("hint"), traits: entered["traits"]?.array?.compactMap(\.string) ?? [],
      hidden: entered["hidden"]?.bool)
    if label == nil, hint == nil, traits.isEmpty, hidden == nil { return nil }
  }
}
