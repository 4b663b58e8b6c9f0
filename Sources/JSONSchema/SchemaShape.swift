public import JSON

/// What the valid values of a schema look like to whoever reads them: the part of the schema that a type can say.
///
/// Values are those that cross the wire: a place marked `x-localized` has one value there, and no map.
public struct SchemaShape: Sendable {
  /// What a value is.
  public enum Form: Sendable {
    /// Any JSON, and why no type says more.
    case any(reason: String)
    /// `true` or `false`.
    case boolean
    /// A string.
    case text
    /// A whole number.
    case integer(Limits)
    /// A number.
    case number(Limits)
    /// One of some strings, in the schema's order.
    case words([String])
    /// An array, and the shape of its elements.
    case list(of: Int)
    /// An object whose names are data, and the shape of its values.
    case map(of: Int)
    /// An object, its members in the order of their names' bytes.
    case object([Member])
    /// One of several shapes that a reader can tell apart.
    case choice([Alternative])
    /// What another shape is; only whether it may be `null` is said here.
    case same(as: Int)
  }

  /// Which numbers are valid.
  public struct Limits: Hashable, Sendable {
    /// The least, `nil` without one.
    public var lower: JSONNumber?
    /// The greatest, `nil` without one.
    public var upper: JSONNumber?
    /// What they are multiples of.
    public var step: JSONNumber?
  }

  /// A member that the schema names.
  public struct Member: Sendable {
    /// Its name.
    public var name: String
    /// The position of its shape in the list of all.
    public var shape: Int
    /// Whether it is always there.
    public var isRequired: Bool
    /// What the schema says of it there, not of its type.
    public var annotation: SchemaAnnotation
  }

  /// One of several shapes, and how to know it.
  public struct Alternative: Sendable {
    /// The types of JSON that its values have: `object`, `string`, `number`.
    public var types: Set<String>
    /// The member that only this alternative has with one of these words.
    public var mark: Mark?
    /// The position of its shape in the list of all.
    public var shape: Int
  }

  /// A member by which objects are told apart.
  public struct Mark: Hashable, Sendable {
    /// Its name.
    public var member: String
    /// What it holds.
    public var words: [String]
  }

  /// What a value is.
  public internal(set) var form: Form
  /// Whether `null` may stand for the value.
  public internal(set) var isNullable = false
  /// Its name in `$defs`, where the schema stands there.
  public internal(set) var definition: String?
  /// What the schema says for people.
  public internal(set) var annotation = SchemaAnnotation()
  /// The format of a string: `uri`.
  public internal(set) var format: String?
  /// What the schema asks for beside, and no type says.
  public internal(set) var note: String?
}

/// What a schema says for people.
public struct SchemaAnnotation: Hashable, Sendable {
  /// `title`
  public var title: String?
  /// `description`
  public var description: String?
  /// `default`
  public var fallback: JSON?

  /// Whether it says nothing.
  public var isEmpty: Bool { title == nil && description == nil && fallback == nil }
}

/// The shapes of several schemas of one file, each once: schemas that recur lead back to a shape by its position.
public struct SchemaShapes: Sendable {
  /// All shapes.
  public let all: [SchemaShape]
  /// For each schema asked for the position of its shape.
  public let roots: [Int]

  /// The shapes of schemas that describe objects.
  ///
  /// - Throws: ``InvalidSchema`` with every problem found.
  public init(ofObjectsIn document: JSON, at pointers: [JSONPointer]) throws(InvalidSchema) {
    let (nodes, places) = try SchemaCompiler.compiled(document, at: pointers)
    guard let first = places.first else {
      (all, roots) = ([], [])
      return
    }
    var finder = ShapeFinder(schema: Schema(nodes, root: first), document: document)
    roots = places.map { finder.shape(of: [$0], isObject: true) }
    finder.breakEndlessLists()
    all = finder.shapes
  }
}
