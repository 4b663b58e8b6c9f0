import JSON

/// Turns schema documents into nodes, each place once, and collects every problem on the way.
struct SchemaCompiler {
  let document: JSON
  private(set) var nodes: [SchemaNode] = []
  private(set) var problems: [InvalidSchema.Problem] = []
  private var places: [JSONPointer: Int] = [:]

  init(document: JSON) { self.document = document }

  /// The nodes of the schemas at some places of a file, and where among them those are.
  ///
  /// - Throws: ``InvalidSchema`` with every problem found.
  static func compiled(
    _ document: JSON, at pointers: [JSONPointer]
  ) throws(InvalidSchema) -> (nodes: [SchemaNode], roots: [Int]) {
    var compiler = SchemaCompiler(document: document)
    let roots = pointers.map { compiler.compile($0) }
    compiler.checkForEndlessReferences()
    guard compiler.problems.isEmpty else { throw InvalidSchema(problems: compiler.problems) }
    return (compiler.nodes, roots)
  }

  /// The node of the schema at a place of the file.
  mutating func compile(_ pointer: JSONPointer) -> Int {
    if let known = places[pointer] { return known }
    let place = nodes.count
    places[pointer] = place
    nodes.append(SchemaNode(pointer: pointer))
    switch pointer.value(in: document) {
    case .bool(let verdict)?: nodes[place].verdict = verdict
    case .object(let object)?: nodes[place] = node(object, at: pointer)
    case let other?: refuse(pointer, "", "a schema is an object or a boolean, not \(other.typeDescription)")
    case nil: refuse(pointer, "", "there is no schema at #\(pointer)")
    }
    return place
  }

  mutating func refuse(_ pointer: JSONPointer, _ keyword: String, _ detail: String) {
    problems.append(InvalidSchema.Problem(pointer: pointer, keyword: keyword, detail: detail))
  }

  private mutating func node(_ object: JSONObject, at pointer: JSONPointer) -> SchemaNode {
    var node = SchemaNode(pointer: pointer)
    for member in object {
      guard let keyword = Keyword(rawValue: member.name) else {
        refuse(
          pointer.appending(member.name), member.name,
          "the keyword '\(member.name)' is not among those that kinds use: "
            + Keyword.allCases.map(\.rawValue).joined(separator: ", "))
        continue
      }
      var reader = KeywordReader(compiler: self, keyword: keyword, value: member.value, pointer: pointer)
      reader.read(into: &node)
      self = reader.compiler
    }
    return node
  }

  /// Refuses schemas that lead back to themselves without going into the value.
  mutating func checkForEndlessReferences() {
    var settled = Set<Int>()
    for start in nodes.indices where !settled.contains(start) {
      var path: [Int] = []
      visit(start, path: &path, settled: &settled)
    }
  }

  private mutating func visit(_ place: Int, path: inout [Int], settled: inout Set<Int>) {
    if path.contains(place) {
      refuse(nodes[place].pointer, "$ref", "the schema refers to itself without end")
      return
    }
    guard !settled.contains(place) else { return }
    path.append(place)
    for next in nodes[place].inPlace { visit(next, path: &path, settled: &settled) }
    path.removeLast()
    settled.insert(place)
  }
}
