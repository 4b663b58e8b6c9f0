import HTTPServer
import Testing

@Suite struct ConditionTests {
  struct TagCase: Sendable, CustomTestStringConvertible {
    let list: String
    let tag: String
    let weakly: Bool
    let strongly: Bool
    let rule: String
    var testDescription: String { "\(tag) in \(list): \(rule)" }
  }

  static let tags: [TagCase] = [
    TagCase(list: #""a""#, tag: #""a""#, weakly: true, strongly: true, rule: "RFC 9110 §8.8.3.2: the same"),
    TagCase(list: #"W/"a""#, tag: #""a""#, weakly: true, strongly: false, rule: "RFC 9110 §8.8.3.2: one is weak"),
    TagCase(list: #""a""#, tag: #"W/"a""#, weakly: true, strongly: false, rule: "RFC 9110 §8.8.3.2: one is weak"),
    TagCase(list: #"W/"a""#, tag: #"W/"a""#, weakly: true, strongly: false, rule: "RFC 9110 §8.8.3.2: both are weak"),
    TagCase(list: #"w/"a""#, tag: #""a""#, weakly: false, strongly: false, rule: "RFC 9110 §8.8.3: W has case"),
    TagCase(list: #""A""#, tag: #""a""#, weakly: false, strongly: false, rule: "RFC 9110 §8.8.3: tags have case"),
    TagCase(list: #""b", "a""#, tag: #""a""#, weakly: true, strongly: true, rule: "RFC 9110 §13.1.1: a list"),
    TagCase(list: #"W/"b","a""#, tag: #""a""#, weakly: true, strongly: true, rule: "RFC 9110 §13.1.1: without blanks"),
    TagCase(list: #", ,"a" ,"#, tag: #""a""#, weakly: true, strongly: true, rule: "RFC 9110 §5.6.1: empty members"),
    TagCase(list: #""a,b""#, tag: #""a,b""#, weakly: true, strongly: true, rule: "RFC 9110 §8.8.3: a comma in a tag"),
    TagCase(
      list: #""x,"a"""#, tag: #""a""#, weakly: false, strongly: false, rule: "RFC 9110 §8.8.3: no quotes in a tag"),
    TagCase(list: #""b,a""#, tag: #""a""#, weakly: false, strongly: false, rule: "RFC 9110 §8.8.3: part of a tag"),
    TagCase(list: #""""#, tag: #""""#, weakly: true, strongly: true, rule: "RFC 9110 §8.8.3: an empty tag"),
    TagCase(list: "*", tag: #"W/"a""#, weakly: true, strongly: true, rule: "RFC 9110 §13.1.1: any"),
    TagCase(list: #""*""#, tag: #""a""#, weakly: false, strongly: false, rule: "RFC 9110 §13.1.1: a quoted asterisk"),
    TagCase(list: "a", tag: #""a""#, weakly: false, strongly: false, rule: "RFC 9110 §8.8.3: a tag has quotes"),
    TagCase(list: #""a"#, tag: #""a""#, weakly: false, strongly: false, rule: "RFC 9110 §8.8.3: a tag ends"),
    TagCase(list: "", tag: #""a""#, weakly: false, strongly: false, rule: "RFC 9110 §13.1.1: an empty list"),
  ]

  @Test(arguments: tags)
  func `entity tags are compared as their field says`(_ line: TagCase) {
    #expect(EntityTags.list(line.list.utf8.span, contains: line.tag.utf8.span, weakly: true) == line.weakly)
    #expect(EntityTags.list(line.list.utf8.span, contains: line.tag.utf8.span, weakly: false) == line.strongly)
  }

  struct OrderCase: Sendable, CustomTestStringConvertible {
    let method: String
    let fields: [String]
    let status: Int
    let rule: String
    var testDescription: String { "\(method) \(fields) -> \(status): \(rule)" }
  }

  /// Of a resource whose tag is `"a"`.
  static let order: [OrderCase] = [
    OrderCase(method: "GET", fields: [], status: 200, rule: "no conditions"),
    OrderCase(method: "GET", fields: [#"If-Match: "a""#], status: 200, rule: "RFC 9110 §13.1.1"),
    OrderCase(method: "GET", fields: [#"If-Match: W/"a""#], status: 412, rule: "RFC 9110 §13.1.1: strongly"),
    OrderCase(method: "GET", fields: ["If-Match: *"], status: 200, rule: "RFC 9110 §13.1.1"),
    OrderCase(
      method: "GET", fields: [#"If-Match: "b""#, #"If-None-Match: "a""#], status: 412, rule: "RFC 9110 §13.2.2: step 1"),
    OrderCase(
      method: "GET", fields: [#"If-None-Match: "a""#, #"If-Match: "a""#], status: 304, rule: "RFC 9110 §13.2.2: step 3"),
    OrderCase(method: "HEAD", fields: [#"If-None-Match: W/"a""#], status: 304, rule: "RFC 9110 §13.2.2: step 3"),
    OrderCase(method: "PUT", fields: [#"If-None-Match: "a""#], status: 412, rule: "RFC 9110 §13.2.2: step 3"),
    OrderCase(method: "PUT", fields: ["If-None-Match: *"], status: 412, rule: "RFC 9110 §13.1.2: it exists"),
    OrderCase(method: "GET", fields: [#"If-None-Match: "b""#], status: 200, rule: "RFC 9110 §13.1.2"),
    OrderCase(
      method: "GET", fields: [#"If-None-Match: "b""#, #"If-None-Match: "a""#], status: 304,
      rule: "RFC 9110 §5.3: several fields are one list"),
    OrderCase(
      method: "GET", fields: [#"If-None-Match: "b""#, "If-Modified-Since: Sat, 21 Nov 2099 00:00:00 GMT"], status: 200,
      rule: "RFC 9110 §13.1.3: ignored beside If-None-Match"),
    OrderCase(
      method: "GET", fields: ["If-Modified-Since: Sat, 21 Nov 2099 00:00:00 GMT"], status: 200,
      rule: "RFC 9110 §13.1.3: ignored without a modification date"),
  ]

  @Test(arguments: order)
  func `conditions are evaluated in their order`(_ line: OrderCase) async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      let fields = line.fields.map { $0 + "\r\n" }.joined()
      client.send("\(line.method) /tagged HTTP/1.1\r\nHost: a\r\n\(fields)\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
      let response = try #require(try client.readResponse(toHead: line.method == "HEAD"))
      #expect(response.status == line.status)
      #expect(response["ETag"] == #""a""#)
      // What would be its content is not there, and does not hide the next response.
      #expect((response["Content-Length"] == nil) == (line.status == 304))
      #expect(try client.readResponse()?.text == "GET a /next ")
    }
  }

  @Test(arguments: [
    ("", "identity"), ("gzip", "gzip"), ("GZIP", "gzip"), ("x-gzip", "gzip"), ("br, gzip;q=0.5", "gzip"),
    ("gzip;q=0", "identity"), ("gzip;q=0.000", "identity"), ("br", "identity"), ("*", "gzip"), ("*;q=0", "nil"),
    ("identity;q=0", "gzip"), ("identity;q=0, deflate", "gzip"), ("identity;q=0, gzip;q=0", "nil"),
    ("identity;q=0, gzip", "gzip"), ("*;q=0, gzip", "gzip"), ("*;q=0, identity", "identity"),
    ("gzip;q=0.5, identity", "identity"), ("gzip, identity;q=0.5", "gzip"), ("gzip;q=1.001", "identity"),
    ("gzip ; q=0.3", "gzip"), ("gzip;Q=0", "identity"), (",,gzip,", "gzip"),
  ])
  func `the coding is what the client prefers (RFC 9110 §12.5.3)`(_ accepted: String, _ coding: String) async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      client.send("GET /coding HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(accepted)\r\n\r\n")
      #expect(try client.readResponse()?.text == coding)
    }
  }
}
