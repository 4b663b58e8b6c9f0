import JSON
import Layout

extension ClientAttributes {
  var json: JSON {
    [
      "values": .object(JSONObject(values.sorted.map { ($0.name, $0.value.json) })),
      "languages": .array(languages.map { [.string($0.locale?.tag ?? "*"), .count($0.weight)] }),
    ]
  }

  /// `nil` for what ``json`` does not write.
  init?(json: JSON) {
    self.init()
    for member in json["values"]?.object ?? JSONObject() {
      guard let value = AttributeValue(json: member.value) else { return nil }
      values[member.name] = value
    }
    for range in json["languages"]?.array ?? [] {
      guard let parts = range.array, parts.count == 2, let tag = parts[0].string, let weight = parts[1].int,
        tag == "*" || Locale(tag) != nil
      else { return nil }
      languages.append(LanguageRange(locale: Locale(tag), weight: weight))
    }
  }
}

extension AttributeValue {
  fileprivate var json: JSON {
    switch self {
    case .text(let text): ["text": .string(text)]
    case .integer(let number): ["integer": .count(number)]
    case .version(let version): ["version": .string(version.description)]
    case .locale(let locale): ["locale": .string(locale.tag)]
    case .flag(let flag): ["flag": .bool(flag)]
    }
  }

  fileprivate init?(json: JSON) {
    guard let member = json.object?.members.first else { return nil }
    let value: AttributeValue? =
      switch member.name {
      case "text": member.value.string.map { .text($0) }
      case "integer": member.value.int.map { .integer($0) }
      case "version": member.value.string.flatMap(AppVersion.init).map { .version($0) }
      case "locale": member.value.string.flatMap { Locale($0) }.map { .locale($0) }
      case "flag": member.value.bool.map { .flag($0) }
      default: nil
      }
    guard let value else { return nil }
    self = value
  }
}
