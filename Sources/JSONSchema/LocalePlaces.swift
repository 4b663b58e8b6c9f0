import JSON

/// Where in a value maps from locale to value may be: the localised parts of a schema, joined into one tree.
///
/// Several schemas can describe one value, by `$ref` and `allOf`; a place of the tree stands for all that do.
struct LocalePlaces: Sendable {
  /// What is below a value.
  struct Place: Sendable {
    /// For each schema that marks the value `x-localized`, whether it takes objects too.
    var maps: [Bool] = []
    var members: [ExactString: Int] = [:]
    var otherMembers: Int?
    var firstElements: [Int] = []
    var otherElements: Int?
    /// Whether a map can be here or anywhere below.
    var isLocalized = false

    var below: [Int] { Array(members.values) + firstElements + [otherMembers, otherElements].compactMap { $0 } }
  }

  private(set) var places: [Place] = []
  let root: Int

  init(_ nodes: [SchemaNode], root: Int) {
    var builder = Builder(nodes: nodes)
    self.root = builder.place(of: [root])
    places = builder.places
    markLocalized()
  }

  /// A place is localised when one below it is: repeated until nothing changes, since schemas may recur.
  private mutating func markLocalized() {
    for position in places.indices { places[position].isLocalized = !places[position].maps.isEmpty }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for position in places.indices where !places[position].isLocalized {
        if places[position].below.contains(where: { places[$0].isLocalized }) {
          places[position].isLocalized = true
          hasChanged = true
        }
      }
    }
  }

  private struct Builder {
    let nodes: [SchemaNode]
    var places: [Place] = []
    var known: [[Int]: Int] = [:]

    mutating func place(of schemas: [Int]) -> Int {
      let applicable = applicable(schemas)
      if let place = known[applicable] { return place }
      let position = places.count
      known[applicable] = position
      places.append(Place())
      var place = Place()
      let here = applicable.map { nodes[$0] }
      place.maps = here.filter(\.isLocalized).map(\.takesObjects)
      for name in Set(here.flatMap(\.properties.keys)).sorted() {
        place.members[name] = optionalPlace(of: here.compactMap { $0.properties[name] ?? $0.additionalProperties })
      }
      place.otherMembers = optionalPlace(of: here.compactMap(\.additionalProperties))
      for index in 0..<(here.map(\.prefixItems.count).max() ?? 0) {
        let schemas = here.compactMap { index < $0.prefixItems.count ? $0.prefixItems[index] : $0.items }
        place.firstElements.append(self.place(of: schemas))
      }
      place.otherElements = optionalPlace(of: here.compactMap(\.items))
      places[position] = place
      return position
    }

    private mutating func optionalPlace(of schemas: [Int]) -> Int? { schemas.isEmpty ? nil : place(of: schemas) }

    /// The schemas that describe the same value: those named and the ones they refer to or combine.
    private func applicable(_ schemas: [Int]) -> [Int] {
      var found = Set<Int>()
      var pending = schemas
      while let schema = pending.popLast() {
        guard found.insert(schema).inserted else { continue }
        let node = nodes[schema]
        pending += node.allOf + node.anyOf + node.oneOf + [node.reference].compactMap { $0 }
      }
      return found.sorted()
    }
  }
}

extension LocalePlaces.Place {
  /// The value as a map from locale to value, where it is one.
  func map(_ value: JSON) -> JSONObject? {
    maps.lazy.compactMap { value.localeMap(takesObjects: $0) }.first
  }

  func member(_ name: String) -> Int? { members[ExactString(name)] ?? otherMembers }

  func element(_ index: Int) -> Int? { index < firstElements.count ? firstElements[index] : otherElements }
}
