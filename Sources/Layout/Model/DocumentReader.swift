public import JSON
import JSONSchema

/// One thing that is wrong with a document, and where.
public struct DocumentProblem: Hashable, Sendable, CustomStringConvertible {
  /// The place in the document.
  public var pointer: JSONPointer
  /// The problem and what would be right, in words.
  public var sentence: Sentence

  /// A problem.
  public init(pointer: JSONPointer, _ sentence: Sentence) {
    self.pointer = pointer
    self.sentence = sentence
  }

  /// What is wrong, and what would be right, in English.
  public var detail: String { sentence.text }

  /// The problem with its place seen from further out.
  func below(_ outer: JSONPointer) -> DocumentProblem {
    var problem = self
    problem.pointer = outer.appending(pointer)
    return problem
  }

  /// The problem as admin answers write it.
  public var json: JSON {
    ["pointer": .string(pointer.description), "detail": .string(detail), "sentence": sentence.json]
  }

  /// The place and what is wrong there: `/items/3/content/title is missing`.
  public var description: String { "\(pointer) \(detail)" }
}

/// A document that is well-formed JSON and no valid definition.
public struct InvalidDocument: Error, Hashable, Sendable, CustomStringConvertible {
  /// Everything that is wrong, at least one.
  public var problems: [DocumentProblem]

  /// Everything that is wrong, in one line.
  public var description: String { problems.map(\.description).joined(separator: "; ") }
}

/// Collects the problems of a document while it is read, so that none hides another.
public final class ProblemCollector {
  /// What was found so far.
  public private(set) var problems: [DocumentProblem] = []
  /// Whether what is read was checked before it was written: then nothing is looked for that no reader writes, and places are
  /// not told apart.
  let trusts: Bool

  /// A collector that found nothing yet.
  public init() { trusts = false }

  /// - Parameter trusts: Whether what is read was checked before it was written.
  init(trusts: Bool) { self.trusts = trusts }

  /// Adds a problem.
  public func add(_ pointer: JSONPointer, _ sentence: Sentence) {
    problems.append(DocumentProblem(pointer: pointer, sentence))
  }

  /// Adds a problem.
  public func add(_ pointer: JSONPointer, _ code: Sentence.Code, _ text: String, _ values: JSONObject = [:]) {
    add(pointer, Sentence(code, text, values))
  }

  /// Adds the problems of a later check, except at or directly inside places that are wrong already: the check saw a
  /// stand-in there.
  public func add(later others: [DocumentProblem]) {
    let places = Set(problems.map(\.pointer))
    problems += others.filter { problem in
      let around = JSONPointer(Array(problem.pointer.tokens.dropLast()))
      return !places.contains(problem.pointer) && (around.tokens.isEmpty || !places.contains(around))
    }
  }

  /// Returns what was read when nothing is wrong.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public func finish<Value>(_ value: Value?) throws(InvalidDocument) -> Value {
    guard problems.isEmpty, let value else { throw InvalidDocument(problems: problems) }
    return value
  }
}

/// Reads the members of one object, and refuses unknown ones.
struct ObjectReader {
  let pointer: JSONPointer
  let collector: ProblemCollector
  private let object: JSONObject
  private var asked: [String] = []

  /// A reader, `nil` (and a problem) when the value is no object.
  init?(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) {
    guard let object = json.object else {
      collector.add(pointer, .type("an object", not: json, "object"))
      return nil
    }
    self.object = object
    self.pointer = pointer
    self.collector = collector
  }

  /// Reads a whole object: what is not read of it is refused.
  static func object<Value>(
    _ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector, _ read: (inout ObjectReader) -> Value?
  ) -> Value? {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let value = read(&reader)
    reader.refuseOthers()
    return value
  }

  /// A member that is an object itself, if it is there.
  mutating func nested<Value>(_ name: String, _ read: (inout ObjectReader) -> Value?) -> Value? {
    value(name).flatMap { Self.object($0, at: place(of: name), collector, read) }
  }

  func place(of name: String) -> JSONPointer { collector.trusts ? pointer : pointer.appending(name) }

  mutating func value(_ name: String) -> JSON? {
    if !collector.trusts { asked.append(name) }
    return object[name]
  }

  /// A member that must be there; its absence is a problem.
  mutating func required(_ name: String) -> JSON? {
    if let value = value(name) { return value }
    collector.add(place(of: name), .required, "is required")
    return nil
  }

  mutating func string(_ name: String) -> String? { typed(name, "a string", "string", \.string) }
  mutating func bool(_ name: String) -> Bool? { typed(name, "true or false", "boolean", \.bool) }
  mutating func number(_ name: String) -> JSONNumber? { typed(name, "a number", "number", \.number) }
  mutating func object(_ name: String) -> JSONObject? { typed(name, "an object", "object", \.object) }
  mutating func array(_ name: String) -> [JSON]? { typed(name, "an array", "array", \.array) }

  mutating func requiredString(_ name: String) -> String? {
    guard required(name) != nil else { return nil }
    return string(name)
  }

  /// A whole number within a range.
  mutating func int(_ name: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = value(name) else { return nil }
    if let int = value.int, range.contains(int) { return int }
    collector.add(place(of: name), .wholeNumber(in: range).demanded)
    return nil
  }

  /// A slug.
  mutating func slug(_ name: String) -> String? {
    guard let text = string(name) else { return nil }
    return Slug.check(text, at: place(of: name), collector) ? text : nil
  }

  /// One of several words.
  mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String) -> Word? where Word.RawValue == String {
    guard let text = string(name) else { return nil }
    if let word = Word(rawValue: text) { return word }
    collector.add(place(of: name), .word(of: Word.allCases.map(\.rawValue)).demanded)
    return nil
  }

  /// A list of strings.
  mutating func strings(_ name: String) -> [String]? {
    array(name)?.enumerated().compactMap { index, element in
      if let string = element.string { return string }
      collector.add(place(of: name).appending(index), .type("a string", not: element, "string"))
      return nil
    }
  }

  /// What operators call something: 1 to 200 bytes of text.
  mutating func title() -> String? {
    let title = string("title")
    if let title, title.isEmpty || title.utf8.count > 200 {
      collector.add(place(of: "title"), .textBytes(1...200).demanded)
    }
    return title
  }

  /// A text of at least one byte, or a map from locale to such, as it was entered.
  mutating func localizedText(_ name: String, bytesMax: Int) -> JSON? {
    guard let json = value(name) else { return nil }
    let place = place(of: name)
    func check(_ value: JSON, _ place: JSONPointer) {
      guard let text = value.string, (1...bytesMax).contains(text.utf8.count) else {
        return collector.add(
          place, .textBytes(1...bytesMax, "1 to \(bytesMax) bytes of text, or a map from locale to such").demanded)
      }
    }
    guard case .object(let map) = json, !map.isEmpty else {
      check(json, place)
      return json
    }
    for name in LanguageTag.respelt(among: map.names) { collector.add(place.appending(name), .respelt(name)) }
    for member in map {
      if member.name != "*", Locale(member.name) == nil {
        collector.add(place.appending(member.name), .noLocale(member.name))
      }
      check(member.value, place.appending(member.name))
    }
    return json
  }

  /// The condition that says who sees something.
  mutating func audience(in context: DefinitionContext) -> Predicate? {
    value("audience").flatMap { Predicate($0, at: place(of: "audience"), in: context, collector) }
  }

  /// When something shows.
  mutating func schedule() -> Schedule? {
    value("schedule").flatMap { Schedule($0, at: place(of: "schedule"), collector) }
  }

  /// A single item, which may do without an id of its own.
  mutating func item(_ name: String, in context: DefinitionContext, defaultID: String) -> ItemDefinition? {
    value(name).flatMap { ItemDefinition($0, at: place(of: name), in: context, collector, defaultID: defaultID) }
  }

  /// A list of at most so many elements, each read at its place.
  mutating func list<Element>(
    _ name: String, atMost countMax: Int, _ read: (JSON, JSONPointer) -> Element?
  ) -> [Element] {
    let elements = array(name) ?? []
    if elements.count > countMax {
      collector.add(
        place(of: name), .maxItems, "must have at most \(countMax) \(name), has \(elements.count)",
        ["most": .count(countMax), "count": .count(elements.count)])
    }
    let place = place(of: name)
    return elements.prefix(countMax).enumerated().compactMap {
      read($1, collector.trusts ? place : place.appending($0))
    }
  }

  /// The members of an object whose names are slugs, each read at its place.
  mutating func named<Value>(
    _ name: String, _ read: (_ name: String, JSON, JSONPointer) -> Value?
  ) -> [(String, Value)] {
    let members = object(name) ?? JSONObject()
    let place = place(of: name)
    return members.compactMap { member in
      let pointer = place.appending(member.name)
      guard Slug.check(member.name, at: pointer, collector) else { return nil }
      return read(member.name, member.value, pointer).map { (member.name, $0) }
    }
  }

  private mutating func typed<Value>(
    _ name: String, _ expected: String, _ type: String, _ value: (JSON) -> Value?
  ) -> Value? {
    guard let json = self.value(name) else { return nil }
    if let value = value(json) { return value }
    collector.add(place(of: name), .type(expected, not: json, type))
    return nil
  }

  /// Refuses the members that were not asked for.
  func refuseOthers() {
    guard !collector.trusts else { return }
    for name in object.names where !asked.contains(name) {
      var known: [String] = []
      for name in asked where !known.contains(name) { known.append(name) }
      collector.add(place(of: name), .unknownMember(known: known))
    }
  }
}

extension JSONObject {
  /// An object of the members that have a value.
  init(present pairs: [(String, JSON?)]) {
    self.init(pairs.compactMap { name, value in value.map { (name, $0) } })
  }
}
