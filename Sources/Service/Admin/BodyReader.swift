import JSON
import Layout
import Storage
import Serving

/// Reads the members of a small request body, collects what is wrong, and refuses members that nobody asked for.
struct BodyReader {
  private let object: JSONObject
  private var asked: [String] = []
  private var problems: [DocumentProblem] = []

  /// - Throws: ``Problem`` 422 if it is not an object.
  init(_ json: JSON) throws {
    guard let object = json.object else { throw Problem.invalid([.notAnObject]) }
    self.object = object
  }

  /// A member as it is.
  mutating func value(_ name: String) -> JSON? {
    asked.append(name)
    return object[name]
  }

  /// A member that may be left out.
  ///
  /// - Parameter expected: What it must be, for the problem when it is something else.
  mutating func optional<Value>(_ name: String, _ expected: Sentence, _ read: (JSON) -> Value?) -> Value? {
    guard let json = value(name) else { return nil }
    if let value = read(json) { return value }
    add(name, expected.demanded)
    return nil
  }

  /// A member that must be there.
  mutating func required<Value>(_ name: String, _ expected: Sentence, _ read: (JSON) -> Value?) -> Value? {
    if object[name] == nil { add(name, Sentence(.required, "is required: \(expected.text)")) }
    return optional(name, expected, read)
  }

  /// The id of a new thing; empty if it is refused.
  ///
  /// - Parameter thing: Its name in messages, such as "page".
  mutating func newID(of thing: String) -> String {
    let expected = Sentence(.slug, "the new \(thing)'s id: a letter, then up to 63 letters, digits, '.', '_' or '-'")
    return required("id", expected) { $0.string.flatMap { Slug.isValid($0) ? $0 : nil } } ?? ""
  }

  /// A text of so many bytes without NUL, at which the database would end it.
  mutating func text(_ name: String, in lengths: ClosedRange<Int>, isRequired: Bool = false) -> String? {
    let length = lengths.lowerBound == 0 ? "at most" : "\(lengths.lowerBound) to"
    let expected = Sentence.textBytes(lengths, "\(length) \(lengths.upperBound) bytes of text without NUL")
    func read(_ json: JSON) -> String? {
      json.string.flatMap { lengths.contains($0.utf8.count) && !$0.utf8.contains(0) ? $0 : nil }
    }
    return isRequired ? required(name, expected, read) : optional(name, expected, read)
  }

  /// A whole number that may be left out.
  ///
  /// - Parameter unit: What is counted, for the problem when it is something else.
  mutating func wholeNumber(_ name: String, in range: ClosedRange<Int>, of unit: String = "") -> Int? {
    optional(name, .wholeNumber(in: range, of: unit)) { json in
      json.int.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// For how many seconds what a rotation replaces still counts.
  mutating func grace() -> Int? { wholeNumber("grace", in: 0...2_592_000, of: " of seconds") }

  /// What an author says of a change.
  mutating func message() -> String? { text("message", in: 0...2_000) }

  /// The condition that says whom something is for.
  mutating func audience(in context: DefinitionContext) -> Predicate? {
    guard let json = value("audience") else {
      add("audience", Sentence(.required, "is required: a condition over client attributes, or a named audience"))
      return nil
    }
    let collector = ProblemCollector()
    let predicate = Predicate(json, at: JSONPointer(["audience"]), in: context, collector)
    problems += collector.problems
    return predicate
  }

  /// The number of a revision.
  mutating func revision(isRequired: Bool) -> Int? {
    let expected = Sentence(.revisionNumber, "the number of a revision")
    func read(_ json: JSON) -> Int? { json.int.flatMap { $0 > 0 ? $0 : nil } }
    return isRequired ? required("revision", expected, read) : optional("revision", expected, read)
  }

  /// The parts of a page that are named; `nil` when none are, which stands for the whole page.
  mutating func parts() -> PageParts? {
    let expected = Sentence(
      .minItems, "an array of at least one section id",
      ["least": .count(1), "count": .count(0)])
    let sections = ids("sections", expected)
    let rules = ids("rules", Sentence.text("an array of the names of sort rules"))
    let audiences = ids("audiences", Sentence.text("an array of the names of audiences"))
    func named(_ name: String) -> Bool {
      optional(name, Sentence(.enum, "true", ["allowed": [true]])) { $0.bool == true ? true : nil } ?? false
    }
    let parts = PageParts(
      sections: sections ?? [], hasSettings: named("settings"), rules: rules ?? [], hasOrder: named("order"),
      audiences: audiences ?? [])
    if parts.isEmpty, sections != nil || rules != nil || audiences != nil { add("sections", expected.demanded) }
    return parts.isEmpty ? nil : parts
  }

  /// The body's choice for parts that wait in schedules.
  ///
  /// - Parameter otherwise: The choice if the body names none.
  mutating func waiting(otherwise: WaitingChoice) -> WaitingChoice {
    let allowed: [WaitingChoice] = [.carry, .leave]
    let expected = Sentence(.enum, "\"carry\" or \"leave\"", ["allowed": .array(allowed.map { .string($0.rawValue) })])
    return optional("waiting", expected) { json in allowed.first { $0.rawValue == json.string } } ?? otherwise
  }

  /// Names in an array, each of which must be a text.
  mutating func ids(_ name: String, _ expected: Sentence, isRequired: Bool = false) -> [String]? {
    let array = isRequired ? required(name, expected, \.array) : optional(name, expected, \.array)
    for (index, element) in (array ?? []).enumerated() where element.string == nil {
      let place = JSONPointer([name]).appending(index)
      add(DocumentProblem(pointer: place, Sentence.text("a section's id").demanded))
    }
    return array?.compactMap(\.string)
  }

  /// Notes a problem at a place.
  mutating func add(_ problem: DocumentProblem) { problems.append(problem) }

  private mutating func add(_ name: String, _ sentence: Sentence) {
    problems.append(DocumentProblem(pointer: JSONPointer([name]), sentence))
  }

  /// Ends reading.
  ///
  /// - Throws: ``Problem`` 422 with everything that is wrong.
  mutating func finish() throws {
    let known = Array(Set(asked)).sorted()
    for name in object.names where !known.contains(name) {
      add(name, .unknownMember(known: known))
    }
    if !problems.isEmpty { throw Problem.invalid(problems) }
  }
}
