/// A recursive descent over the bytes of one document.
struct JSONParser {
  /// Where and why reading stopped; `tokens` lead there from the inside out.
  struct Stop: Error {
    var detail: String
    var offset: Int
    var tokens: [String] = []
  }

  let bytes: [UInt8]
  let depthMax: Int
  var position = 0
  private(set) var depth = 0

  mutating func document() throws(Stop) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw stop("a byte order mark; JSON text begins without one (RFC 8259 §8.1)")
    }
    skipSpace()
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw stop("\(found) after the end of the document") }
    return value
  }

  private mutating func value() throws(Stop) -> JSON {
    switch peek {
    case UInt8(ascii: "{"): return try nested { parser throws(Stop) in .object(try parser.object()) }
    case UInt8(ascii: "["): return try nested { parser throws(Stop) in .array(try parser.array()) }
    case UInt8(ascii: "\""): return .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): return .number(try number())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw stop("\(found) where a value is expected")
    }
  }

  private mutating func nested(_ read: (inout JSONParser) throws(Stop) -> JSON) throws(Stop) -> JSON {
    guard depth < depthMax else { throw stop("nested deeper than \(depthMax) levels") }
    depth += 1
    position += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func array() throws(Stop) -> [JSON] {
    var elements: [JSON] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      do { elements.append(try value()) } catch { throw error.below(String(elements.count)) }
      skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else { throw stop("\(found) where ',' or ']' is expected") }
      skipSpace()
      if peek == UInt8(ascii: "]") { throw stop("a comma before ']'; the last element has none after it") }
    }
  }

  private mutating func object() throws(Stop) -> JSONObject {
    var members: [JSONObject.Member] = []
    var isSorted = true
    var starts: [Int] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return JSONObject() }
    while true {
      guard peek == UInt8(ascii: "\"") else { throw stop("\(found) where a member name in quotes is expected") }
      starts.append(position)
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw stop("\(found) where ':' is expected") }
      skipSpace()
      if let last = members.last { isSorted = isSorted && JSONObject.precedes(last.name, name) }
      do { members.append(JSONObject.Member(name, try value())) } catch { throw error.below(name) }
      skipSpace()
      if take(UInt8(ascii: "}")) { break }
      guard take(UInt8(ascii: ",")) else { throw stop("\(found) where ',' or '}' is expected") }
      skipSpace()
      if peek == UInt8(ascii: "}") { throw stop("a comma before '}'; the last member has none after it") }
    }
    return isSorted ? JSONObject(sorted: members) : try sorted(members, starts: starts)
  }

  private func sorted(_ members: [JSONObject.Member], starts: [Int]) throws(Stop) -> JSONObject {
    let order = JSONObject.order(of: members)
    for (first, second) in zip(order, order.dropFirst()) where JSON.isSame(members[first].name, members[second].name) {
      throw Stop(detail: "the member \"\(members[second].name)\" appears twice", offset: starts[second])
    }
    return JSONObject(sorted: order.map { members[$0] })
  }

  private mutating func number() throws(Stop) -> JSONNumber {
    let start = position
    var parser = NumberParser()
    while let byte = peek, parser.take(byte) { position += 1 }
    switch parser.finish() {
    case .success(let number): return number
    case .failure(.malformed): throw stop("\(found) inside a number")
    case .failure(.tooManyDigits):
      throw stop(
        "a number of more than \(JSONNumber.significantDigitsMax) significant digits, the most that are kept exactly",
        at: start)
    case .failure(.exponentTooLarge):
      throw stop("a number beyond 10^±\(JSONNumber.exponentMax)", at: start)
    }
  }

  private mutating func literal(_ word: StaticString, _ value: JSON) throws(Stop) -> JSON {
    for expected in word.description.utf8 {
      guard take(expected) else { throw stop("\(found) where \"\(word)\" is expected") }
    }
    return value
  }
}

extension JSONParser {
  /// The next byte, `nil` at the end.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  func stop(_ detail: String, at offset: Int? = nil) -> Stop { Stop(detail: detail, offset: offset ?? position) }

  /// What stands at the position, in words.
  var found: String {
    guard let byte = peek else { return "the end of the document" }
    if byte > 0x20, byte < 0x7F { return "'\(Character(Unicode.Scalar(byte)))'" }
    return "the byte 0x\(String(byte, radix: 16, uppercase: true))"
  }
}

extension JSONParser.Stop {
  fileprivate func below(_ token: String) -> Self {
    var stop = self
    stop.tokens.append(token)
    return stop
  }
}
