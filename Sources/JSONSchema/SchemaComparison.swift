import JSON

/// Compares what two schemas take, keyword by keyword.
struct SchemaComparison {
  private let older: Schema
  private let newer: Schema
  private(set) var differences: [SchemaDifference] = []
  /// What is being compared: schemas that recur are the same as long as nothing else shows that they are not.
  private var pending: Set<[[Int]]> = []

  init(older: Schema, newer: Schema) {
    self.older = older
    self.newer = newer
  }

  /// Compares two conjunctions of schemas, an empty one taking every value.
  mutating func compare(_ old: [Int], _ new: [Int], at place: JSONPointer) {
    let pair = [old.sorted(), new.sorted()]
    guard pending.insert(pair).inserted else { return }
    defer { pending.remove(pair) }
    var (old, new) = (SchemaConjunction(older, old), SchemaConjunction(newer, new))
    // Where both have alternatives, those are compared with each other.
    if old.alternativesCount != new.alternativesCount {
      (old, new) = (old.withoutAlternatives, new.withoutAlternatives)
    }
    switch (old.takesNothing, new.takesNothing) {
    case (true, true): return
    case (true, false): return note(.wider, "false", place, isNewShape: true, "is allowed now")
    case (false, true): return note(.narrower, "false", place, "is refused now")
    case (false, false): break
    }
    if old.isLocalized != new.isLocalized {
      let detail = new.isLocalized ? "may differ by locale now" : "may not differ by locale any more"
      note(new.isLocalized ? .wider : .narrower, Keyword.localized.rawValue, place, detail)
    }
    if compareValues(old, new, at: place) { return }
    compareTypes(old, new, at: place)
    let types = old.types.intersection(new.types)
    if !types.isDisjoint(with: [.number, .integer]) { compareNumbers(old, new, at: place) }
    if types.contains(.string) { compareStrings(old, new, at: place) }
    if types.contains(.array) { compareElements(old, new, at: place) }
    if types.contains(.object) { compareMembers(old, new, at: place) }
    if old.isApart, new.isApart {
      compareAlternatives(.anyOf, old.anyOf + old.oneOf, new.anyOf + new.oneOf, at: place)
    } else {
      compareAlternatives(.anyOf, old.anyOf, new.anyOf, at: place)
      compareAlternatives(.oneOf, old.oneOf, new.oneOf, at: place)
    }
    compareRefused(old.refused, new.refused, at: place)
  }

  private mutating func note(
    _ change: SchemaDifference.Change, _ keyword: String, _ place: JSONPointer, isNewShape: Bool = false,
    _ detail: String
  ) {
    differences.append(
      SchemaDifference(place: place, keyword: keyword, change: change, isNewShape: isNewShape, detail: detail))
  }

  /// What a difference is that refuses some values, takes others too, or both.
  private static func change(isNarrower: Bool, isWider: Bool) -> SchemaDifference.Change {
    isNarrower && isWider ? .other : isWider ? .wider : .narrower
  }

  /// What two parts have in difference, without noting it.
  private func relation(_ old: [Int], _ new: [Int]) -> [SchemaDifference] {
    var trial = self
    trial.differences = []
    trial.compare(old, new, at: JSONPointer())
    return trial.differences
  }
}

// MARK: Single values
extension SchemaComparison {
  /// Compares lists of values; a list says all that there is to say.
  private mutating func compareValues(
    _ old: SchemaConjunction, _ new: SchemaConjunction, at place: JSONPointer
  ) -> Bool {
    guard old.values != nil || new.values != nil else { return false }
    func text(_ values: [JSON]) -> String { values.map(\.canonicalText).joined(separator: ", ") }
    let keyword = Keyword.enumeration.rawValue
    switch (old.values, new.values) {
    case (let before?, let now):
      let refused = before.filter { !new.accepts($0) }
      if !refused.isEmpty { note(.narrower, keyword, place, "takes \(text(refused)) no more") }
      guard let now else {
        note(.wider, keyword, place, isNewShape: true, "takes values that are not listed, took \(text(before))")
        break
      }
      let added = now.filter { !old.accepts($0) }
      if !added.isEmpty { note(.wider, keyword, place, isNewShape: true, "takes \(text(added)) too") }
    case (nil, let now?):
      let added = now.filter { !old.accepts($0) }
      note(
        added.isEmpty ? .narrower : .other, keyword, place, isNewShape: !added.isEmpty,
        "takes \(text(now)) alone")
    case (nil, nil): break
    }
    return true
  }

  private mutating func compareTypes(_ old: SchemaConjunction, _ new: SchemaConjunction, at place: JSONPointer) {
    let (before, now) = (old.types, new.types)
    guard before != now else { return }
    let isNarrower = !before.isSubset(of: now)
    let isWider = !now.isSubset(of: before)
    note(
      Self.change(isNarrower: isNarrower, isWider: isWider), Keyword.type.rawValue, place, isNewShape: isWider,
      "takes \(Self.names(now)), took \(Self.names(before))")
  }

  private static func names(_ types: Set<ValueType>) -> String {
    if types.isEmpty { return "nothing" }
    if types.count == ValueType.allCases.count { return "any value" }
    let named = types.contains(.number) ? types.subtracting([.integer]) : types
    return named.map(\.rawValue).sorted().joined(separator: " or ")
  }

  private mutating func compareNumbers(_ old: SchemaConjunction, _ new: SchemaConjunction, at place: JSONPointer) {
    compareBound(
      .minimum, old.lower(\.minimum, \.exclusiveMinimum), new.lower(\.minimum, \.exclusiveMinimum), isLower: true,
      at: place)
    compareBound(
      .maximum, old.upper(\.maximum, \.exclusiveMaximum), new.upper(\.maximum, \.exclusiveMaximum), isLower: false,
      at: place)
    let (before, now) = (old.multiples, new.multiples)
    let isNarrower = !now.allSatisfy { step in before.contains { $0.isMultiple(of: step) } }
    let isWider = !before.allSatisfy { step in now.contains { $0.isMultiple(of: step) } }
    guard isNarrower || isWider else { return }
    func text(_ steps: [JSONNumber]) -> String {
      steps.isEmpty ? "of nothing" : steps.map(\.text).joined(separator: " and ")
    }
    note(
      Self.change(isNarrower: isNarrower, isWider: isWider), Keyword.multipleOf.rawValue, place,
      "must be a multiple \(now.isEmpty ? text(now) : "of " + text(now)), was \(text(before))")
  }

  private mutating func compareStrings(_ old: SchemaConjunction, _ new: SchemaConjunction, at place: JSONPointer) {
    compareBound(.minLength, old.fewest(\.minLength), new.fewest(\.minLength), isLower: true, at: place)
    compareBound(.maxLength, old.most(\.maxLength), new.most(\.maxLength), isLower: false, at: place)
    compareSets(.pattern, old.patterns, new.patterns, isShape: false, at: place)
    compareSets(.format, old.formats, new.formats, isShape: true, at: place)
  }

  private mutating func compareSets(
    _ keyword: Keyword, _ old: Set<String>, _ new: Set<String>, isShape: Bool, at place: JSONPointer
  ) {
    guard old != new else { return }
    let isNarrower = !new.isSubset(of: old)
    let isWider = !old.isSubset(of: new)
    func text(_ words: Set<String>) -> String { words.isEmpty ? "none" : words.sorted().joined(separator: " and ") }
    note(
      Self.change(isNarrower: isNarrower, isWider: isWider), keyword.rawValue, place,
      isNewShape: isShape && isWider, "\(keyword.rawValue) is \(text(new)), was \(text(old))")
  }

  /// - Parameter isLower: Whether it is a bound from below.
  private mutating func compareBound(
    _ keyword: Keyword, _ old: SchemaConjunction.Bound?, _ new: SchemaConjunction.Bound?, isLower: Bool,
    at place: JSONPointer
  ) {
    guard old != new else { return }
    let isNarrower = new.map { new in
      old.map { old in
        let (less, more) = isLower ? (old, new) : (new, old)
        return SchemaConjunction.isBelow(less, more, excludesMore: isLower)
      } ?? true
    }
    note(isNarrower == true ? .narrower : .wider, keyword.rawValue, place, Self.text(keyword, old, new))
  }

  private static func text(
    _ keyword: Keyword, _ old: SchemaConjunction.Bound?, _ new: SchemaConjunction.Bound?
  ) -> String {
    func text(_ bound: SchemaConjunction.Bound?) -> String {
      bound.map { $0.value.text + ($0.isExclusive ? " exclusive" : "") } ?? "none"
    }
    return "\(keyword.rawValue) is \(text(new)), was \(text(old))"
  }
}

// MARK: Members and elements
extension SchemaComparison {
  private mutating func compareMembers(_ old: SchemaConjunction, _ new: SchemaConjunction, at place: JSONPointer) {
    compareBound(.minProperties, old.fewest(\.minProperties), new.fewest(\.minProperties), isLower: true, at: place)
    compareBound(.maxProperties, old.most(\.maxProperties), new.most(\.maxProperties), isLower: false, at: place)
    compareNames(old.propertyNames, new.propertyNames, at: place)
    compare(old.otherMembers, new.otherMembers, at: place.appending("*"))
    let renamed = renamedMembers(old, new)
    for (before, now) in renamed.sorted(by: { $0.key < $1.key }) {
      note(
        .renamed, Keyword.properties.rawValue, place.appending(before.string), isNewShape: true,
        "is called \(now.string) now")
    }
    let known = Set(renamed.keys).union(renamed.values)
    for name in old.names.union(new.names).subtracting(known).sorted() {
      compareMember(name, old, new, at: place.appending(name.string))
    }
    // What is required and in no list of names.
    for name in old.required.union(new.required).subtracting(known).sorted() {
      compareRequired(name, old, new, at: place.appending(name.string))
    }
  }

  private mutating func compareMember(
    _ name: ExactString, _ old: SchemaConjunction, _ new: SchemaConjunction, at place: JSONPointer
  ) {
    let (before, now) = (SchemaConjunction(older, old.member(name)), SchemaConjunction(newer, new.member(name)))
    switch (before.takesNothing, now.takesNothing) {
    case (true, true): break
    case (true, false): note(.wider, Keyword.properties.rawValue, place, "is new")
    case (false, true):
      // What had to be there may not: what was refused without it is taken.
      let wasRequired = old.required.contains(name)
      note(
        wasRequired ? .other : .narrower, Keyword.properties.rawValue, place, isNewShape: wasRequired,
        "is refused now")
    case (false, false): compare(old.member(name), new.member(name), at: place)
    }
  }

  private mutating func compareRequired(
    _ name: ExactString, _ old: SchemaConjunction, _ new: SchemaConjunction, at place: JSONPointer
  ) {
    switch (old.required.contains(name), new.required.contains(name)) {
    case (false, true): note(.narrower, Keyword.required.rawValue, place, "is required now")
    case (true, false):
      if !SchemaConjunction(newer, new.member(name)).takesNothing {
        note(.wider, Keyword.required.rawValue, place, isNewShape: true, "may be absent now")
      } else if !old.names.union(new.names).contains(name) {
        note(.other, Keyword.required.rawValue, place, isNewShape: true, "is refused now")
      }
    default: break
    }
  }

  /// The members that only the older schema names, each with one that only the newer names and that takes the same.
  private func renamedMembers(_ old: SchemaConjunction, _ new: SchemaConjunction) -> [ExactString: ExactString] {
    var renamed: [ExactString: ExactString] = [:]
    var candidates = new.names.subtracting(old.names).sorted()
    for name in old.names.subtracting(new.names).sorted() {
      guard !SchemaConjunction(older, old.member(name)).takesNothing else { continue }
      let match = candidates.firstIndex { candidate in
        old.required.contains(name) == new.required.contains(candidate)
          && relation(old.member(name), new.member(candidate)).isEmpty
      }
      if let match { renamed[name] = candidates.remove(at: match) }
    }
    return renamed
  }

  private mutating func compareNames(_ old: [Int], _ new: [Int], at place: JSONPointer) {
    let found = relation(old, new)
    guard !found.isEmpty else { return }
    let changes = Set(found.map(\.change))
    note(
      changes == [.wider] ? .wider : changes == [.narrower] ? .narrower : .other, Keyword.propertyNames.rawValue, place,
      "takes other names of members")
  }

  private mutating func compareElements(_ old: SchemaConjunction, _ new: SchemaConjunction, at place: JSONPointer) {
    compareBound(.minItems, old.fewest(\.minItems), new.fewest(\.minItems), isLower: true, at: place)
    compareBound(.maxItems, old.most(\.maxItems), new.most(\.maxItems), isLower: false, at: place)
    if old.isUnique != new.isUnique {
      let detail = new.isUnique ? "takes no element twice now" : "takes an element twice now"
      note(new.isUnique ? .narrower : .wider, Keyword.uniqueItems.rawValue, place, detail)
    }
    for index in 0..<max(old.firstElements, new.firstElements) {
      compare(old.element(index), new.element(index), at: place.appending(index))
    }
    compare(old.otherElements, new.otherElements, at: place.appending("*"))
  }
}

// MARK: Alternatives
extension SchemaComparison {
  private mutating func compareAlternatives(
    _ keyword: Keyword, _ old: [[Int]], _ new: [[Int]], at place: JSONPointer
  ) {
    for index in 0..<max(old.count, new.count) {
      guard index < old.count else {
        note(.narrower, keyword.rawValue, place, "takes \(new[index].count) alternatives alone")
        continue
      }
      guard index < new.count else {
        note(.wider, keyword.rawValue, place, isNewShape: true, "is not bound to \(old[index].count) alternatives")
        continue
      }
      compareAlternatives(keyword, old[index], new[index], at: place)
    }
  }

  private mutating func compareAlternatives(_ keyword: Keyword, _ old: [Int], _ new: [Int], at place: JSONPointer) {
    // Where exactly one must hold, one that takes more makes others fail.
    func holds(_ before: Int, _ now: Int, but allowed: SchemaDifference.Change) -> Bool {
      relation([before], [now]).allSatisfy { keyword == .anyOf && $0.change == allowed }
    }
    let lost = old.filter { before in !new.contains { holds(before, $0, but: .wider) } }
    let added = new.filter { now in !old.contains { holds($0, now, but: .narrower) } }
    guard !lost.isEmpty || !added.isEmpty else { return }
    if keyword == .oneOf {
      return note(
        .other, keyword.rawValue, place, isNewShape: !added.isEmpty,
        "has other alternatives: \(Self.count(added)) instead of \(Self.count(lost))")
    }
    if old.count == new.count {
      // Each has a successor: what has changed in it says more than that it has.
      for (before, now) in zip(old, new) where lost.contains(before) || added.contains(now) {
        compare([before], [now], at: place)
      }
      return
    }
    if !lost.isEmpty {
      note(.narrower, keyword.rawValue, place, "takes \(Self.count(lost)) of \(old.count) no more, or not all of it")
    }
    if !added.isEmpty {
      note(.wider, keyword.rawValue, place, isNewShape: true, "takes \(Self.count(added)) that it did not take")
    }
  }

  private static func count(_ alternatives: [Int]) -> String {
    alternatives.count == 1 ? "one" : "\(alternatives.count)"
  }

  /// What is refused less is taken more.
  private mutating func compareRefused(_ old: [Int], _ new: [Int], at place: JSONPointer) {
    for index in 0..<max(old.count, new.count) {
      guard index < old.count, index < new.count else {
        let isNarrower = index < new.count
        note(
          isNarrower ? .narrower : .wider, Keyword.not.rawValue, place,
          isNarrower ? "refuses what it took" : "takes what it refused")
        continue
      }
      let changes = Set(relation([old[index]], [new[index]]).map(\.change))
      guard !changes.isEmpty else { continue }
      note(
        changes == [.wider] ? .narrower : changes == [.narrower] ? .wider : .other, Keyword.not.rawValue, place,
        "refuses other values")
    }
  }
}
