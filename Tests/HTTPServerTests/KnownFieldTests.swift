import Testing

@testable import HTTPServer

@Suite struct KnownFieldTests {
  private static func fields(_ lines: String) throws -> [KnownField?] {
    var limits = Limits()
    limits.fieldsMax = 1_000
    let head = RequestHead(fieldsMax: limits.fieldsMax)
    let input = Array("GET / HTTP/1.0\r\n\(lines)\r\n".utf8)
    _ = try RequestParser(limits: limits).parse(input.span, into: head)
    return head.fields.map(\.known)
  }

  @Test(arguments: KnownField.allCases)
  func `a known field is found in any case, at any distance from the end`(_ field: KnownField) throws {
    // A value that each of them allows.
    let values: [KnownField: String] = [.host: "a", .contentLength: "0", .expect: ""]
    guard field != .transferEncoding else { return }
    let name = "\(field.name)"
    for written in [name, name.uppercased(), name.prefix(1).uppercased() + name.dropFirst()] {
      for behind in ["", "A: b\r\n", "A: " + String(repeating: "b", count: 40) + "\r\n"] {
        #expect(try Self.fields("\(written):\(values[field] ?? "")\r\n\(behind)").first == field)
      }
    }
  }

  @Test func `transfer codings are seen however short the head is`() {
    #expect(throws: RequestFailure.transferEncodingInOldVersion) { try Self.fields("Transfer-Encoding:\r\n") }
  }

  @Test(arguments: KnownField.allCases)
  func `a name that differs in one letter is another field`(_ field: KnownField) throws {
    let name = Array("\(field.name)".utf8)
    for index in name.indices {
      var other = name
      other[index] = name[index] == UInt8(ascii: "q") ? UInt8(ascii: "z") : UInt8(ascii: "q")
      #expect(try Self.fields("\(String(decoding: other, as: UTF8.self)): 1\r\n").first == .some(nil))
    }
  }

  @Test func `there are as many known fields as places for them`() {
    #expect(KnownField.allCases.count == 24)
  }
}
