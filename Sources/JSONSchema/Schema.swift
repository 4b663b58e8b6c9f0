public import JSON

/// A compiled JSON Schema: the part of draft 2020-12 that kinds are written in.
///
/// Keywords outside ``Keyword`` are refused when the schema is compiled, so that none is ignored in silence.
public struct Schema: Sendable {
  let nodes: [CompiledNode]
  let root: Int
  let localePlaces: LocalePlaces
  /// Whether some place is marked `x-localized`.
  public let isLocalized: Bool

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - document: The file that the schema stands in; a `$ref` of `#/…` points into it.
  ///   - pointer: Where in the file the schema stands.
  /// - Throws: ``InvalidSchema`` with every problem found.
  public init(in document: JSON, at pointer: JSONPointer = JSONPointer()) throws(InvalidSchema) {
    let (nodes, roots) = try SchemaCompiler.compiled(document, at: [pointer])
    self.init(nodes, root: roots[0])
  }

  /// A schema among nodes that were compiled without a problem.
  init(_ nodes: [SchemaNode], root: Int) {
    self.nodes = nodes.map(CompiledNode.init)
    self.localePlaces = LocalePlaces(nodes, root: root)
    self.isLocalized = nodes.contains(where: \.isLocalized)
    self.root = root
  }

  /// Everything that is wrong with a value; nothing when it is valid.
  public func problems(in value: JSON) -> [SchemaProblem] {
    // Nearly every value is valid, and to find that out is cheap.
    if accepts(value) { return [] }
    var validator = Validator(schema: self, collects: true)
    validator.validate(value, by: root, at: JSONPointer())
    return validator.problems
  }

  /// Whether a value is valid.
  public func accepts(_ value: JSON) -> Bool {
    Validator(schema: self, collects: false).accepts(value, by: root)
  }
}

/// What is wrong with a value, and where.
public struct SchemaProblem: Hashable, Sendable {
  /// The place in the value.
  public var pointer: JSONPointer
  /// The keyword that the value fails.
  public var keyword: String
  /// The place of the keyword's schema in its file.
  public var schemaPointer: JSONPointer
  /// What is wrong, and what would be right.
  public var detail: String
  /// What the detail names: `least`, `most`, `bound`, `divisor` and what there is as `count`, `value` or `type`; `allowed`,
  /// `known`, `pattern`, `format`, `name`.
  public var values: JSONObject
}

/// A schema that cannot be compiled.
public struct InvalidSchema: Error, Hashable, Sendable, CustomStringConvertible {
  /// One thing that is wrong with a schema.
  public struct Problem: Hashable, Sendable {
    /// The place in the file.
    public var pointer: JSONPointer
    /// The keyword.
    public var keyword: String
    /// What is wrong, and what would be right.
    public var detail: String
  }

  /// Everything that is wrong, at least one.
  public var problems: [Problem]

  /// Everything that is wrong, in one line.
  public var description: String { problems.map { "\($0.pointer) \($0.detail)" }.joined(separator: "; ") }
}
