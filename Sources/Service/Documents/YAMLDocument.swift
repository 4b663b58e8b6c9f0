public import JSON
import Yams

/// A YAML text read as JSON: what kinds, settings, demos, exports and imports are written in.
///
/// Scalars are read by the core schema of YAML 1.2: `yes` and `NO` are text. A value without an equivalent in JSON is
/// refused by name.
public struct YAMLDocument {
  /// The document.
  public let json: JSON
  private let root: YAMLNode?

  /// Why a text cannot be read.
  public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1, when it is known.
    public var line: Int?
    /// The problem and what would be right, in words.
    public var detail: String

    /// The line, and what is wrong there.
    public var description: String { (line.map { "line \($0): " } ?? "") + detail }
  }

  /// The most nodes of a document, aliases resolved: a short text can stand for billions.
  public static let nodesMax = 2_000_000

  /// Reads the bytes of a text.
  ///
  /// - Throws: ``Invalid`` for what is not YAML in UTF-8, or has no JSON to go with it.
  public init(_ bytes: [UInt8]) throws(Invalid) {
    // A mark before the text says that it is UTF-8 (YAML 1.2 §5.2); libyaml would take it for a column.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var composer = YAMLComposer(bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
    root = try composer.document()
    json = root?.json ?? .null
  }

  /// Reads a text.
  ///
  /// - Throws: ``Invalid`` for what is not YAML, or has no JSON to go with it.
  public init(_ text: String) throws(Invalid) { try self.init(Array(text.utf8)) }

  /// The line, from 1, on which a place of the document begins; for a missing place, its nearest parent's.
  public func line(of pointer: JSONPointer) -> Int? {
    guard var node = root else { return nil }
    var line = node.line
    for token in pointer.tokens {
      guard let next = node.child(token) else { break }
      node = next.node
      line = next.line
    }
    return line
  }

  /// Writes a JSON value as YAML that reads back as the same value: members sorted, two spaces a level.
  public static func text(of json: JSON) -> String {
    // The emitter fails for want of memory only.
    (try? Yams.serialize(node: node(of: json), indent: 2, width: -1, allowUnicode: true)) ?? ""
  }

  private static func node(of json: JSON) -> Node {
    switch json {
    case .null: Node.scalar(Node.Scalar("null", Tag(.null), .plain))
    case .bool(let value): Node.scalar(Node.Scalar(value ? "true" : "false", Tag(.bool), .plain))
    case .number(let number): Node.scalar(Node.Scalar(number.text, Tag(.float), .plain))
    case .string(let text): Node.scalar(Node.Scalar(text, Tag(.str), isPlain(text) ? .plain : .doubleQuoted))
    case .array(let elements):
      Node.sequence(Node.Sequence(elements.map(node(of:)), Tag(.seq), elements.isEmpty ? .flow : .block))
    case .object(let object):
      Node.mapping(
        Node.Mapping(
          object.map { (node(of: .string($0.name)), node(of: $0.value)) }, Tag(.map), object.isEmpty ? .flow : .block))
    }
  }

  /// Whether a text is a word that no reader takes for something else.
  private static func isPlain(_ text: String) -> Bool {
    let reserved: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"]
    guard let first = text.utf8.first, (0x61...0x7A).contains(first | 0x20), text.utf8.count <= 64,
      !reserved.contains(text.lowercased())
    else { return false }
    return text.utf8.allSatisfy {
      (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || ".-_".utf8.contains($0)
    }
  }
}
