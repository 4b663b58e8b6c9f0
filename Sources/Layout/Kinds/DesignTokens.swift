import JSON

/// Named colours and spacings of all pages: definitions say `{$token: brand}`, and clients get what it stands for.
public struct DesignTokens: Sendable {
  /// The member of an object that is a reference.
  static let member = "$token"

  /// What each name stands for: a colour, or a number of points, which may differ by locale.
  let values: [String: JSON]

  /// The names, ascending.
  var names: [String] { values.keys.sorted() }

  /// The name in a reference; `nil` for anything else.
  static func name(in json: JSON) -> String? {
    guard let object = json.object, object.count == 1 else { return nil }
    return object[member]?.string
  }

  /// The problem of a name that stands for nothing.
  func unknown(_ name: String) -> Sentence {
    let known = values.isEmpty ? "none" : names.joined(separator: ", ")
    return Sentence(
      .unknownToken, "there is no token \"\(name)\"; declared are \(known)",
      ["name": .string(name), "known": .names(names)])
  }

  /// A value with what its references stand for, those of unknown names as they are.
  func resolved(_ json: JSON) -> JSON { values.isEmpty ? json : replaced(json) ?? json }

  /// Content with what its references stand for. Schemas know a colour, or one for light and one for dark, and no more.
  func placed(in content: JSONObject) -> JSONObject {
    guard !values.isEmpty, case .object(let placed)? = replaced(.object(content), isContent: true, isWhole: true) else {
      return content
    }
    return placed
  }

  /// The places of references to unknown names in a content.
  func unknown(in json: JSON, at pointer: JSONPointer = JSONPointer()) -> [(pointer: JSONPointer, name: String)] {
    switch json {
    case .object(let object):
      if let name = Self.name(in: json) { return values[name] == nil ? [(pointer, name)] : [] }
      return object.flatMap { unknown(in: $0.value, at: pointer.appending($0.name)) }
    case .array(let elements):
      return elements.enumerated().flatMap { unknown(in: $1, at: pointer.appending($0)) }
    default: return []
    }
  }

  /// `nil` if it has no reference to a known name.
  ///
  /// - Parameter isWhole: Whether it is a whole content, whose members are no locales whatever they are called.
  private func replaced(_ json: JSON, isContent: Bool = false, isWhole: Bool = false) -> JSON? {
    switch json {
    case .object(let object):
      if let name = Self.name(in: json) {
        guard let value = values[name] else { return nil }
        guard isContent, var colors = value.object else { return value }
        colors["highContrast"] = nil
        return .object(colors)
      }
      var changed: JSONObject?
      for member in object {
        if !isWhole, let parts = localized(member.name, member.value, in: object) {
          var next = changed ?? object
          for part in parts { next[part.name] = part.value }
          changed = next
          continue
        }
        guard let value = replaced(member.value, isContent: isContent) else { continue }
        var next = changed ?? object
        next[member.name] = value
        changed = next
      }
      return changed.map { .object($0) }
    case .array(let elements):
      let found = elements.map { replaced($0, isContent: isContent) }
      return found.contains { $0 != nil } ? .array(zip(found, elements).map { $0 ?? $1 }) : nil
    default: return nil
    }
  }

  /// What stands for one locale in a map by locale where that is a token that differs by locale itself; `nil` for anything else.
  /// For any other locale it is all that the token has and the map does not.
  private func localized(_ tag: String, _ json: JSON, in map: JSONObject) -> [(name: String, value: JSON)]? {
    guard let name = Self.name(in: json), let inner = values[name]?.object, inner["light"] == nil,
      map.names.allSatisfy({ $0 == "*" || Locale($0) != nil })
    else { return nil }
    guard let locale = Locale(tag) else {
      return inner.filter { $0.name == "*" || map[$0.name] == nil }.map { (name: $0.name, value: $0.value) }
    }
    let value = LocaleLookup.name(for: locale, default: locale, among: inner.names).flatMap { inner[$0] }
    return value.map { [(name: tag, value: $0)] }
  }
}

extension LayoutResolver {
  /// What tokens a file of kinds declares: colours, and numbers of points.
  static func tokens(
    _ object: JSONObject, at pointer: JSONPointer, _ collector: ProblemCollector
  ) -> DesignTokens {
    let resolver = LayoutResolver(locale: nil, fallback: nil, tokens: DesignTokens(values: [:]), needsEveryLocale: true)
    for member in object {
      let place = pointer.appending(member.name)
      guard Slug.check(member.name, at: place, collector) else { continue }
      let isColor = member.value.string != nil || member.value["light"] != nil || member.value["dark"] != nil
      if isColor {
        _ = resolver.color(member.value, at: place, collector)
      } else if var reader = ObjectReader(.object(object), at: pointer, collector) {
        _ = resolver.length(member.name, &reader)
      }
    }
    return DesignTokens(
      values: Dictionary(object.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  /// What a reference stands for; `nil` where nobody knows the tokens yet, and (with a problem) where nobody declares it.
  func token(_ name: String, at pointer: JSONPointer, _ collector: ProblemCollector) -> JSON? {
    guard let tokens else { return nil }
    if let value = tokens.values[name] { return value }
    collector.add(pointer, tokens.unknown(name))
    return nil
  }
}
