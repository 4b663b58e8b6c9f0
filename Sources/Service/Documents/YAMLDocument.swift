public import JSON
import Yams

/// A YAML text read as JSON: what kinds, settings, demos, exports and imports are written in.
///
/// Plain scalars are read as YAML 1.2's JSON schema has it: `null`, `true`, `false` and numbers are what they look like,
/// and everything else is text, `yes` and `NO` too.
public struct YAMLDocument {
  /// The document.
  public let json: JSON
  private let root: Node?

  /// Why a text cannot be read.
  public struct Invalid: Error, Hashable, Sendable {
    /// The line, from 1, when it is known.
    public var line: Int?
    /// What is wrong, and what would be right.
    public var detail: String
  }

  /// The most nodes of a document, aliases resolved: a short text can stand for billions.
  public static let nodesMax = 2_000_000

  /// Reads a text.
  ///
  /// - Throws: ``Invalid`` for what is not YAML, or has no JSON to go with it.
  public init(_ text: String) throws(Invalid) {
    let root: Node?
    do { root = try Yams.compose(yaml: text) } catch let error as YamlError { throw Invalid(error) } catch {
      throw Invalid(line: nil, detail: "\(error)")
    }
    var reader = NodeReader()
    json = try root.map { node throws(Invalid) in try reader.json(node, depth: 0) } ?? .null
    self.root = root
  }

  /// The line, from 1, on which a place of the document begins; that of the nearest place above when it is not there.
  public func line(of pointer: JSONPointer) -> Int? {
    guard var node = root else { return nil }
    var line = node.mark?.line
    for token in pointer.tokens {
      guard let next = node.child(token) else { break }
      node = next.value
      line = next.line ?? line
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

/// Turns nodes into JSON.
private struct NodeReader {
  private var count = 0

  mutating func json(_ node: Node, depth: Int) throws(YAMLDocument.Invalid) -> JSON {
    count += 1
    guard count <= YAMLDocument.nodesMax, depth <= JSON.depthMax else {
      throw YAMLDocument.Invalid(line: node.mark?.line, detail: "the document is too large or nested too deep")
    }
    switch node {
    case .scalar(let scalar): return try value(of: scalar)
    case .sequence(let sequence):
      var elements: [JSON] = []
      for element in sequence { elements.append(try json(element, depth: depth + 1)) }
      return .array(elements)
    case .mapping(let mapping):
      var members: [(String, JSON)] = []
      for (key, value) in mapping {
        guard case .scalar(let name) = key else {
          throw YAMLDocument.Invalid(line: key.mark?.line, detail: "a member's name must be text")
        }
        members.append((name.string, try json(value, depth: depth + 1)))
      }
      return .object(JSONObject(members))
    case .alias:
      throw YAMLDocument.Invalid(line: node.mark?.line, detail: "an alias without its anchor")
    }
  }

  private func value(of scalar: Node.Scalar) throws(YAMLDocument.Invalid) -> JSON {
    guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
    switch scalar.string {
    case "", "~", "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return JSONNumber(text: scalar.string).map { .number($0) } ?? .string(scalar.string)
    }
  }
}

extension Node {
  fileprivate func child(_ token: String) -> (value: Node, line: Int?)? {
    switch self {
    case .mapping(let mapping):
      for (key, value) in mapping where key.scalar?.string == token { return (value, key.mark?.line) }
      return nil
    case .sequence(let sequence):
      guard let index = Int(token), sequence.indices.contains(index) else { return nil }
      return (sequence[index], sequence[index].mark?.line)
    default: return nil
    }
  }
}

extension YAMLDocument.Invalid {
  init(_ error: YamlError) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      self.init(line: mark.line, detail: problem)
    default: self.init(line: nil, detail: "\(error)")
    }
  }
}
