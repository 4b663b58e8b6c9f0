/// A JSON Pointer (RFC 6901): `/items/3/content/title`.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The reference tokens, unescaped.
  public private(set) var tokens: [String]

  /// A pointer of unescaped reference tokens; none of them points to the whole document.
  public init(_ tokens: [String] = []) { self.tokens = tokens }

  /// A pointer as RFC 6901 §5 writes it, `nil` when it is none.
  public init?(text: String) {
    // Code point by code point: to Swift a slash before a combining mark is another character.
    let scalars = text.unicodeScalars
    guard scalars.isEmpty || scalars.first == "/" else { return nil }
    var tokens: [String] = []
    for escaped in scalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let token = Self.unescape(escaped) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  /// The pointer to a member or element below.
  public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

  /// The pointer to an element below.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The pointer to what another pointer leads to from here.
  public func appending(_ pointer: JSONPointer) -> JSONPointer { JSONPointer(tokens + pointer.tokens) }

  /// What it points to in a document.
  public func value(in document: JSON) -> JSON? {
    var value = document
    for token in tokens {
      switch value {
      case .object(let object):
        guard let member = object[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Self.arrayIndex(token), index < elements.count else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// The pointer as RFC 6901 §5 writes it.
  public var description: String { tokens.map { "/" + Self.escape($0) }.joined() }

  /// RFC 6901 §4: digits without a leading zero.
  private static func arrayIndex(_ token: String) -> Int? {
    guard token == "0" || (!token.hasPrefix("0") && token.utf8.allSatisfy { (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(token)
  }

  private static func escape(_ token: String) -> String {
    var escaped = ""
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func unescape(_ escaped: Substring.UnicodeScalarView) -> String? {
    var token = String.UnicodeScalarView()
    var scalars = escaped.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "~" else {
        token.append(scalar)
        continue
      }
      switch scalars.next() {
      case "0": token.append("~")
      case "1": token.append("/")
      default: return nil
      }
    }
    return String(token)
  }
}

extension JSONPointer {
  /// Whether two pointers lead to the same place: names are told apart by their code points.
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.tokens.elementsEqual(right.tokens, by: JSON.isSame)
  }

  /// Hashes the tokens by their code points.
  public func hash(into hasher: inout Hasher) {
    for token in tokens { hasher.combine(ExactString(token)) }
  }
}
