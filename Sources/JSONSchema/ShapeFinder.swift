import JSON

/// Finds the shapes of schemas, each once.
struct ShapeFinder {
  /// The schemas that describe a value, and what of them is settled already.
  private struct Key: Hashable {
    var places: [Int]
    var isObject: Bool
    /// Whose alternatives do not count: one of them is among the places.
    var settled: Set<Int>
  }

  let schema: Schema
  let document: JSON
  private(set) var shapes: [SchemaShape] = []
  private var known: [Key: Int] = [:]

  init(schema: Schema, document: JSON) {
    self.schema = schema
    self.document = document
  }

  /// The shape of the values that all of these schemas take.
  ///
  /// - Parameters:
  ///   - isObject: Whether only objects can stand there.
  ///   - settled: The schemas whose alternatives do not count.
  mutating func shape(of places: [Int], isObject: Bool = false, settled: Set<Int> = []) -> Int {
    let described = Set(places.map(target))
    let nodes = closure(of: described)
    let values = SchemaConjunction(schema, nodes)
    // Most are objects with members wherever they stand: then it is one shape.
    let isRestricted = isObject && (values.types != [.object] || values.names.isEmpty)
    let key = Key(places: nodes, isObject: isRestricted, settled: settled.intersection(nodes))
    if let position = known[key] { return position }
    let position = shapes.count
    known[key] = position
    shapes.append(SchemaShape(form: .any(reason: "")))
    var shape = found(key)
    if described.count == 1, settled.isEmpty, let place = described.first {
      let pointer = schema.nodes[place].keywords.pointer
      shape.annotation = annotation(place)
      if pointer.tokens.count == 2, pointer.tokens[0] == Keyword.defs.rawValue { shape.definition = pointer.tokens[1] }
    }
    // JSON of any kind may be null as it is.
    if case .any = shape.form { shape.isNullable = false }
    if isObject {
      shape.isNullable = false
      // What describes an object in words that no type can say is an object still.
      switch shape.form {
      case .any(let reason): (shape.form, shape.note) = (.object([]), shape.note ?? "No type says more: \(reason).")
      case .map: shape.form = .object([])
      default: break
      }
    }
    shapes[position] = shape
    return position
  }

  /// The schema itself where another only refers to it.
  private func target(_ place: Int) -> Int {
    var place = place
    while let reference = schema.nodes[place].keywords.reference, isBare(place, beside: [.ref]) { place = reference }
    return place
  }

  /// Whether a schema has no keyword but these, and those that restrict nothing.
  private func isBare(_ place: Int, beside keywords: Set<Keyword>) -> Bool {
    let quiet = keywords.union([.title, .description, .comment, .defaultValue, .localized, .defs, .schema])
    let object = schema.nodes[place].keywords.pointer.value(in: document)?.object ?? JSONObject()
    return object.allSatisfy { Keyword(rawValue: $0.name).map(quiet.contains) ?? false }
  }

  /// The schemas with those that they refer to and are made of.
  private func closure(of places: some Collection<Int>) -> [Int] {
    var found = Set<Int>()
    var pending = Array(places)
    while let place = pending.popLast() {
      guard found.insert(place).inserted else { continue }
      let node = schema.nodes[place].keywords
      pending += node.allOf.map(target) + [node.reference].compactMap { $0 }.map(target)
    }
    return found.sorted()
  }

  func annotation(_ place: Int) -> SchemaAnnotation {
    let object = schema.nodes[place].keywords.pointer.value(in: document)?.object ?? JSONObject()
    return SchemaAnnotation(
      title: object[Keyword.title.rawValue]?.string, description: object[Keyword.description.rawValue]?.string,
      fallback: object[Keyword.defaultValue.rawValue])
  }

  // MARK: Forms

  private mutating func found(_ key: Key) -> SchemaShape {
    let values = SchemaConjunction(schema, key.places)
    if values.takesNothing { return SchemaShape(form: .any(reason: "the schema takes no value")) }
    if let listed = values.values { return listedShape(listed) }
    var types = values.types
    if key.isObject { types.formIntersection([.object]) }
    var shape = SchemaShape(form: .any(reason: "the schema takes values of several types"))
    shape.isNullable = types.remove(.null) != nil
    let lists = alternatives(key)
    for list in lists {
      if let chosen = choice(list, of: key) { return chosen }
    }
    if let form = form(of: types, values, key) {
      shape.form = form
      if case .text = form { shape.format = values.formats.sorted().first }
    } else if let list = lists.first {
      shape = common(list, of: key) ?? shape
      if case .any = shape.form {
        shape.form = .any(reason: "nothing but their members tells the alternatives of \(list.keyword.rawValue) apart")
      }
      return shape
    } else if types.isEmpty {
      shape.form = .any(reason: "the schema takes no value but null")
    } else if types == Set(ValueType.allCases).subtracting([.null]) {
      shape.form = .any(reason: "the schema takes values of any type")
    }
    if let list = lists.first {
      shape.note = "The schema has \(list.keyword.rawValue) as well: the server sees to that."
    }
    return shape
  }

  /// The shape of listed values.
  private func listedShape(_ listed: [JSON]) -> SchemaShape {
    let values = listed.filter { $0 != .null }
    var shape = SchemaShape(form: .any(reason: "the values that the schema lists are of several types"))
    shape.isNullable = values.count < listed.count
    if values.isEmpty { return SchemaShape(form: .any(reason: "the schema takes no value but null")) }
    let (words, numbers) = (values.compactMap(\.string), values.compactMap(\.number))
    if words.count == values.count {
      var seen = Set<ExactString>()
      shape.form = .words(words.filter { seen.insert(ExactString($0)).inserted })
    } else if numbers.count == values.count {
      let limits = SchemaShape.Limits(lower: numbers.min(), upper: numbers.max())
      shape.form = numbers.allSatisfy(\.isInteger) ? .integer(limits) : .number(limits)
    } else if values.allSatisfy({ $0.bool != nil }) {
      shape.form = .boolean
    }
    return shape
  }

  /// The form of values that are all of one type.
  private mutating func form(
    of types: Set<ValueType>, _ values: SchemaConjunction, _ key: Key
  ) -> SchemaShape.Form? {
    switch types {
    case [.boolean]: return .boolean
    case [.string]: return .text
    case [.integer], [.number, .integer], [.number]:
      let limits = SchemaShape.Limits(
        lower: values.lower(\.minimum, \.exclusiveMinimum)?.value,
        upper: values.upper(\.maximum, \.exclusiveMaximum)?.value, step: values.multiples.max())
      return types == [.integer] ? .integer(limits) : .number(limits)
    case [.array]:
      if values.firstElements > 0 { return .any(reason: "prefixItems gives each element a type of its own") }
      return .list(of: shape(of: values.otherElements))
    case [.object]: return objectForm(values)
    default: return nil
    }
  }

  private mutating func objectForm(_ values: SchemaConjunction) -> SchemaShape.Form {
    var members: [SchemaShape.Member] = []
    for name in values.names.union(values.required).sorted() {
      let places = values.member(name)
      if SchemaConjunction(schema, places).takesNothing { continue }
      let said = places.map(annotation).first { !$0.isEmpty }
      members.append(
        SchemaShape.Member(
          name: name.string, shape: shape(of: places), isRequired: values.required.contains(name),
          annotation: said ?? SchemaAnnotation()))
    }
    let others = values.otherMembers
    if members.isEmpty, !SchemaConjunction(schema, others).takesNothing { return .map(of: shape(of: others)) }
    return .object(members)
  }

  // MARK: Alternatives

  /// A list of alternatives, and whose it is.
  private struct AlternativeList {
    var holder: Int
    var keyword: Keyword
    var places: [Int]
  }

  private func alternatives(_ key: Key) -> [AlternativeList] {
    key.places.filter { !key.settled.contains($0) }.flatMap { place in
      let node = schema.nodes[place].keywords
      return [
        AlternativeList(holder: place, keyword: .oneOf, places: node.oneOf),
        AlternativeList(holder: place, keyword: .anyOf, places: node.anyOf),
      ].filter { !$0.places.isEmpty }
    }
  }

  /// What describes a value that is valid for one of the alternatives.
  private func places(_ alternative: Int, of list: AlternativeList, _ key: Key) -> [Int] {
    key.places == [list.holder] && isBare(list.holder, beside: [list.keyword])
      ? [alternative] : key.places + [alternative]
  }

  /// One shape of several, where a reader can tell them apart: by their types, or by the words that a member has.
  private mutating func choice(_ list: AlternativeList, of key: Key) -> SchemaShape? {
    var options: [(places: [Int], values: SchemaConjunction, types: Set<ValueType>)] = []
    var isNullable = false
    for alternative in list.places {
      let places = places(alternative, of: list, key)
      let values = SchemaConjunction(schema, closure(of: places.map(target)))
      if values.takesNothing { continue }
      var types = values.values.map { Set($0.map(ValueType.init(of:))) } ?? values.types
      if key.isObject { types.formIntersection([.object]) }
      if types.remove(.null) != nil { isNullable = true }
      if !types.isEmpty { options.append((places, values, types)) }
    }
    let settled = key.settled.union([list.holder])
    if options.count == 1 {
      // It may be a schema whose shape is being found: it is named, and not copied.
      var shape = SchemaShape(
        form: .same(as: self.shape(of: options[0].places, isObject: key.isObject, settled: settled)))
      shape.isNullable = isNullable
      return shape
    }
    guard options.count > 1 else { return nil }
    let objects = options.filter { $0.types == [.object] }
    let mark = objects.count > 1 ? self.mark(of: objects.map(\.values)) : nil
    for (place, option) in options.enumerated() {
      for other in options[(place + 1)...] where !option.types.isDisjoint(with: other.types) {
        guard mark != nil, option.types == [.object], other.types == [.object] else { return nil }
      }
    }
    var chosen: [SchemaShape.Alternative] = []
    for option in options {
      var own: SchemaShape.Mark?
      if option.types == [.object], let mark, let words = words(of: mark, in: option.values) {
        own = SchemaShape.Mark(member: mark.string, words: words)
      }
      chosen.append(
        SchemaShape.Alternative(
          types: Set(option.types.map { $0 == .integer ? ValueType.number.rawValue : $0.rawValue }), mark: own,
          shape: shape(of: option.places, settled: settled)))
    }
    var shape = SchemaShape(form: .choice(chosen))
    shape.isNullable = isNullable
    return shape
  }

  /// A member that all objects must have, each with words that no other has.
  private func mark(of objects: [SchemaConjunction]) -> ExactString? {
    let shared = objects.dropFirst().reduce(objects[0].required) { $0.intersection($1.required) }
    return shared.sorted().first { name in
      var seen = Set<ExactString>()
      return objects.allSatisfy { object in
        guard let words = words(of: name, in: object) else { return false }
        return words.allSatisfy { seen.insert(ExactString($0)).inserted }
      }
    }
  }

  private func words(of name: ExactString, in object: SchemaConjunction) -> [String]? {
    guard let values = SchemaConjunction(schema, object.member(name)).values, !values.isEmpty else { return nil }
    let words = values.compactMap(\.string)
    return words.count == values.count ? words : nil
  }

  /// The shape that all alternatives have when they are the same plain values, whatever else they ask for.
  private mutating func common(_ list: AlternativeList, of key: Key) -> SchemaShape? {
    var types = Set<ValueType>()
    for alternative in list.places {
      let values = SchemaConjunction(schema, closure(of: places(alternative, of: list, key).map(target)))
      types.formUnion(values.values.map { Set($0.map(ValueType.init(of:))) } ?? values.types)
    }
    var shape = SchemaShape(form: .text)
    shape.isNullable = types.remove(.null) != nil
    switch types {
    case [.string]: shape.form = .text
    case [.boolean]: shape.form = .boolean
    case [.integer]: shape.form = .integer(SchemaShape.Limits())
    case [.number], [.number, .integer]: shape.form = .number(SchemaShape.Limits())
    default: return nil
    }
    return shape
  }

  // MARK: Recurrence

  /// Lists of lists without end have no type: one of each circle is kept as JSON.
  mutating func breakEndlessLists() {
    for start in shapes.indices {
      var seen: Set<Int> = []
      var next = element(start)
      while let position = next, position != start, seen.insert(position).inserted { next = element(position) }
      if next == start { shapes[start].form = .any(reason: "the schema leads back to itself through lists alone") }
    }
  }

  private func element(_ position: Int) -> Int? {
    switch shapes[position].form {
    case .list(let element), .map(let element), .same(let element): element
    default: nil
    }
  }
}

extension ValueType {
  /// The type of a value; of a number the narrower.
  fileprivate init(of value: JSON) {
    self = Self.allCases.last { $0.holds(value) } ?? .null
  }
}
