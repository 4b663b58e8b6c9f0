public import JSON

extension Schema {
  /// The value with each map at a place marked `x-localized` replaced by the value of the locale chosen.
  ///
  /// - Parameters:
  ///   - value: A valid value.
  ///   - choose: Picks one of a map's names, or none: then the member or element that held the map is left out.
  /// - Returns: The value, `nil` when it was a map itself and none was chosen.
  public func localized(_ value: JSON, choose: ([String]) -> String?) -> JSON? {
    localized(value, at: localePlaces.root, choose: choose)
  }

  private func localized(_ value: JSON, at position: Int, choose: ([String]) -> String?) -> JSON? {
    let place = localePlaces.places[position]
    guard place.isLocalized else { return value }
    var value = value
    if let map = place.map(value) {
      guard let name = choose(map.names), let chosen = map[name] else { return nil }
      value = chosen
    }
    switch value {
    case .object(var object):
      for member in object where member.value.hasParts {
        guard let below = place.member(member.name), localePlaces.places[below].isLocalized else { continue }
        object[member.name] = localized(member.value, at: below, choose: choose)
      }
      return .object(object)
    case .array(let elements):
      return .array(
        elements.enumerated().compactMap { index, element in
          place.element(index).map { localized(element, at: $0, choose: choose) } ?? element
        })
    default: return value
    }
  }

  /// The maps from locale to value that a valid value holds: where each is, and the names it has.
  public func localeMaps(in value: JSON) -> [(pointer: JSONPointer, names: [String])] {
    var maps: [(pointer: JSONPointer, names: [String])] = []
    collectMaps(in: value, at: localePlaces.root, JSONPointer(), &maps)
    return maps
  }

  private func collectMaps(
    in value: JSON, at position: Int, _ pointer: JSONPointer, _ maps: inout [(pointer: JSONPointer, names: [String])]
  ) {
    let place = localePlaces.places[position]
    guard place.isLocalized else { return }
    guard let map = place.map(value) else { return collectParts(of: value, place, pointer, &maps) }
    maps.append((pointer, map.names))
    for member in map { collectParts(of: member.value, place, pointer.appending(member.name), &maps) }
  }

  private func collectParts(
    of value: JSON, _ place: LocalePlaces.Place, _ pointer: JSONPointer,
    _ maps: inout [(pointer: JSONPointer, names: [String])]
  ) {
    switch value {
    case .object(let object):
      for member in object {
        guard let below = place.member(member.name), localePlaces.places[below].isLocalized else { continue }
        collectMaps(in: member.value, at: below, pointer.appending(member.name), &maps)
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        guard let below = place.element(index) else { continue }
        collectMaps(in: element, at: below, pointer.appending(index), &maps)
      }
    default: break
    }
  }
}

extension JSON {
  /// Whether other values are in it, as in every map.
  fileprivate var hasParts: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}
