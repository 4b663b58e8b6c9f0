public import JSON

/// A map from locale to value at a place that its schema marks `x-localized`.
///
/// An object there is a map when the schema allows no object; or when every name is a locale tag or `*` and every
/// value is an object too, so that `{"url": "…"}` stays an image and `{"en": {"url": "…"}}` is a map of images.
struct LocaleMap {
  let object: JSONObject

  init?(_ value: JSON, of node: SchemaNode) {
    guard let object = value.object else { return nil }
    let takesObjects = node.types?.contains(.object) ?? true
    if takesObjects {
      guard !object.isEmpty, object.allSatisfy({ LanguageTag.isWellFormedOrAny($0.name) && $0.value.object != nil })
      else { return nil }
    }
    self.object = object
  }
}

extension Schema {
  /// The value with each map at a place marked `x-localized` replaced by the value of the locale chosen.
  ///
  /// - Parameters:
  ///   - value: A valid value.
  ///   - choose: Picks one of a map's names, or none: then the member or element that held the map is left out.
  /// - Returns: The value, `nil` when it was a map itself and none was chosen.
  public func localized(_ value: JSON, choose: ([String]) -> String?) -> JSON? {
    localized(value, by: [root], choose: choose)
  }

  private func localized(_ value: JSON, by places: [Int], choose: ([String]) -> String?) -> JSON? {
    let nodes = applicable(places)
    var value = value
    for node in nodes where node.isLocalized {
      guard let map = LocaleMap(value, of: node) else { continue }
      guard let name = choose(map.object.names), let chosen = map.object[name] else { return nil }
      value = chosen
      break
    }
    switch value {
    case .object(let object):
      return .object(
        JSONObject(
          object.compactMap { member in
            let below = nodes.compactMap { $0.properties[member.name] ?? $0.additionalProperties }
            return localized(member.value, by: below, choose: choose).map { (member.name, $0) }
          }))
    case .array(let elements):
      return .array(
        elements.enumerated().compactMap { index, element in
          let below = nodes.compactMap { index < $0.prefixItems.count ? $0.prefixItems[index] : $0.items }
          return localized(element, by: below, choose: choose)
        })
    default: return value
    }
  }

  /// The maps from locale to value that a valid value holds: where each is, and the names it has.
  public func localeMaps(in value: JSON) -> [(pointer: JSONPointer, names: [String])] {
    localeMaps(in: value, at: JSONPointer(), by: [root])
  }

  private func localeMaps(
    in value: JSON, at pointer: JSONPointer, by places: [Int]
  ) -> [(pointer: JSONPointer, names: [String])] {
    let nodes = applicable(places)
    if let map = nodes.lazy.filter(\.isLocalized).compactMap({ LocaleMap(value, of: $0) }).first {
      // What a map's values hold differs by locale only there; places below are those of the value chosen.
      return [(pointer, map.object.names)]
        + map.object.flatMap { member in
          parts(of: member.value, at: pointer.appending(member.name), by: nodes)
        }
    }
    return parts(of: value, at: pointer, by: nodes)
  }

  private func parts(
    of value: JSON, at pointer: JSONPointer, by nodes: [SchemaNode]
  ) -> [(pointer: JSONPointer, names: [String])] {
    switch value {
    case .object(let object):
      return object.flatMap { member in
        let below = nodes.compactMap { $0.properties[member.name] ?? $0.additionalProperties }
        return below.isEmpty ? [] : localeMaps(in: member.value, at: pointer.appending(member.name), by: below)
      }
    case .array(let elements):
      return elements.enumerated().flatMap { index, element in
        let below = nodes.compactMap { index < $0.prefixItems.count ? $0.prefixItems[index] : $0.items }
        return below.isEmpty ? [] : localeMaps(in: element, at: pointer.appending(index), by: below)
      }
    default: return []
    }
  }

  /// The nodes that describe the same value: those named and the ones they refer to or combine.
  private func applicable(_ places: [Int]) -> [SchemaNode] {
    var found: [SchemaNode] = []
    var pending = places
    while let place = pending.popLast() {
      let node = nodes[place]
      found.append(node)
      pending.append(contentsOf: node.allOf + node.anyOf + node.oneOf)
      if let reference = node.reference { pending.append(reference) }
    }
    return found
  }
}
