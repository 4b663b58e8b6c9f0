import JSON

/// Schemas that hold for the same value, joined: what `$ref` and `allOf` lead to is a part of it.
struct SchemaConjunction {
  /// A limit of numbers, or of how many.
  struct Bound: Hashable {
    var value: JSONNumber
    var isExclusive = false
  }

  private let schema: Schema
  private let places: [Int]
  private var nodes: [SchemaNode]

  init(_ schema: Schema, _ places: [Int]) {
    self.schema = schema
    self.places = places
    var found = Set<Int>()
    var pending = places
    while let place = pending.popLast() {
      guard found.insert(place).inserted else { continue }
      let node = schema.nodes[place].keywords
      pending += node.allOf + [node.reference].compactMap { $0 }
    }
    nodes = found.sorted().map { schema.nodes[$0].keywords }
  }

  /// Whether no value is valid.
  var takesNothing: Bool { nodes.contains { $0.verdict == false } }
  /// Whether a map from locale to value may stand for the value.
  var isLocalized: Bool { nodes.contains(where: \.isLocalized) }
  var isUnique: Bool { nodes.contains(where: \.uniqueItems) }

  /// The types that are valid; `number` stands for the numbers that are no integers.
  var types: Set<ValueType> {
    nodes.compactMap(\.types).reduce(Set(ValueType.allCases)) { types, allowed in
      types.intersection(allowed.contains(.number) ? allowed + [.integer] : allowed)
    }
  }

  /// The values that are valid, when they are listed.
  var values: [JSON]? {
    let lists = nodes.compactMap(\.enumeration) + nodes.compactMap(\.constant).map { [$0] }
    guard let first = lists.first else { return nil }
    return first.filter { value in lists.allSatisfy { $0.contains(value) } && accepts(value) }
  }

  /// Whether a value is valid for all of them.
  func accepts(_ value: JSON) -> Bool {
    places.allSatisfy { Validator(schema: schema, collects: false).accepts(value, by: $0) }
  }

  /// The least value, or the fewest: whole numbers above a number are those from the next.
  func lower(_ inclusive: KeyPath<SchemaNode, JSONNumber?>, _ exclusive: KeyPath<SchemaNode, JSONNumber?>) -> Bound? {
    bounds(inclusive, exclusive, next: 1).max { Self.isBelow($0, $1, excludesMore: true) }
  }

  /// The greatest value.
  func upper(_ inclusive: KeyPath<SchemaNode, JSONNumber?>, _ exclusive: KeyPath<SchemaNode, JSONNumber?>) -> Bound? {
    bounds(inclusive, exclusive, next: -1).min { Self.isBelow($0, $1, excludesMore: false) }
  }

  /// The fewest.
  func fewest(_ keyword: KeyPath<SchemaNode, Int?>) -> Bound? {
    // None is what there is without it.
    nodes.compactMap { $0[keyPath: keyword] }.max().flatMap { $0 == 0 ? nil : Bound(value: JSONNumber($0)) }
  }

  /// The most.
  func most(_ keyword: KeyPath<SchemaNode, Int?>) -> Bound? {
    nodes.compactMap { $0[keyPath: keyword] }.min().map { Bound(value: JSONNumber($0)) }
  }

  /// Whether one bound is below another; where the numbers are the same, an exclusive one leaves more out.
  static func isBelow(_ left: Bound, _ right: Bound, excludesMore isLower: Bool) -> Bool {
    if left.value != right.value { return left.value < right.value }
    return isLower ? !left.isExclusive && right.isExclusive : left.isExclusive && !right.isExclusive
  }

  private func bounds(
    _ inclusive: KeyPath<SchemaNode, JSONNumber?>, _ exclusive: KeyPath<SchemaNode, JSONNumber?>, next: Int
  ) -> [Bound] {
    let takesFractions = types.contains(.number)
    return nodes.compactMap { $0[keyPath: inclusive] }.map { Bound(value: $0) }
      + nodes.compactMap { $0[keyPath: exclusive] }.map { value in
        guard !takesFractions, let whole = value.int, whole.magnitude < 1 << 62 else {
          return Bound(value: value, isExclusive: true)
        }
        return Bound(value: JSONNumber(whole + next))
      }
  }

  var multiples: [JSONNumber] { nodes.compactMap(\.multipleOf) }
  var patterns: Set<String> { Set(nodes.compactMap { $0.pattern?.text }) }
  var formats: Set<String> { Set(nodes.compactMap { $0.format?.rawValue }) }

  var required: Set<ExactString> { Set(nodes.flatMap(\.required).map { ExactString($0) }) }
  var names: Set<ExactString> { Set(nodes.flatMap(\.properties.keys)) }
  var propertyNames: [Int] { nodes.compactMap(\.propertyNames) }
  var otherMembers: [Int] { nodes.compactMap(\.additionalProperties) }
  func member(_ name: ExactString) -> [Int] { nodes.compactMap { $0.properties[name] ?? $0.additionalProperties } }

  var firstElements: Int { nodes.map(\.prefixItems.count).max() ?? 0 }
  var otherElements: [Int] { nodes.compactMap(\.items) }
  func element(_ index: Int) -> [Int] {
    nodes.compactMap { index < $0.prefixItems.count ? $0.prefixItems[index] : $0.items }
  }

  /// The lists of alternatives of which at least one must hold.
  var anyOf: [[Int]] { nodes.map(\.anyOf).filter { !$0.isEmpty } }
  /// The lists of alternatives of which exactly one must hold.
  var oneOf: [[Int]] { nodes.map(\.oneOf).filter { !$0.isEmpty } }
  /// How many lists of alternatives there are.
  var alternativesCount: Int { anyOf.count + oneOf.count }
  /// Whether of no list of ``oneOf`` more than one can hold: then it says no more than that at least one must.
  var isApart: Bool { oneOf.allSatisfy(areApart) }

  /// The same values with fewer lists of alternatives: what each alternative says of its types alone is said beside a list of
  /// all their types, as long as no two take values of one type.
  var withoutAlternatives: SchemaConjunction {
    // What counts as a map from locale to value depends on where its types are listed.
    if isLocalized { return self }
    var joined = self
    joined.nodes = nodes.flatMap { node -> [SchemaNode] in
      var node = node
      let lists = [node.anyOf, node.oneOf].map { alternatives in alternatives.isEmpty ? nil : merged(alternatives) }
      if lists[0] != nil { node.anyOf = [] }
      if lists[1] != nil { node.oneOf = [] }
      return [node] + lists.compactMap(\.self).joined()
    }
    return joined
  }

  /// What alternatives come to together; `nil` when that cannot be said without a list of them.
  private func merged(_ alternatives: [Int]) -> [SchemaNode]? {
    guard areApart(alternatives) else { return nil }
    let parts = alternatives.map { SchemaConjunction(schema, [$0]) }
    let areOfTheirTypes = parts.allSatisfy { part in
      let types = part.types
      return part.nodes.allSatisfy { node in
        node.subjects.map { $0.allSatisfy { subject in !types.isDisjoint(with: subject) } } ?? false
      }
    }
    guard areOfTheirTypes else { return nil }
    var all = SchemaNode(pointer: JSONPointer())
    all.types = Array(parts.reduce(into: Set()) { $0.formUnion($1.types) })
    return [all]
      + parts.flatMap(\.nodes).map { node in
        var node = node
        node.types = nil
        return node
      }
  }

  /// Whether no two alternatives take values of one type. A map from locale to value is of another type than the value.
  private func areApart(_ alternatives: [Int]) -> Bool {
    var taken = Set<ValueType>()
    return alternatives.allSatisfy { place in
      let alternative = SchemaConjunction(schema, [place])
      guard !alternative.isLocalized, taken.isDisjoint(with: alternative.types) else { return false }
      taken.formUnion(alternative.types)
      return true
    }
  }
  /// What must not hold.
  var refused: [Int] { nodes.compactMap(\.not) }
}
