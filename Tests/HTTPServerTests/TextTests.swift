import Testing

@testable import HTTPServer

@Suite struct TextTests {
  @Test(arguments: [
    ("/", [""]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("//a", ["", "a"]), ("/a%2Fb", ["a/b"]), ("/%41", ["A"]),
    ("/%2541", ["%41"]), ("/a+b", ["a+b"]), ("/a/../b", ["b"]), ("/a/./b", ["a", "b"]), ("/../../a", ["a"]),
    ("/a/..", [""]), ("/a/.", ["a", ""]), ("/%2e%2E/a", ["a"]), ("/a/...", ["a", "..."]), ("/%00", ["\0"]),
  ])
  func `a path is split before it is decoded, once (RFC 3986 §2.4, §5.2.4)`(_ path: String, _ segments: [String]) {
    #expect(path.utf8.span.pathSegments()?.map { String(decoding: $0, as: UTF8.self) } == segments)
  }

  @Test(arguments: ["", "a", "*", "/%", "/%4", "/%zz", "/%4g", "/a/%-1"])
  func `a path that cannot be decoded has no segments`(_ path: String) {
    #expect(path.utf8.span.pathSegments() == nil)
  }

  @Test(arguments: [
    ("", []), ("a=b", ["a=b"]), ("a", ["a="]), ("a=", ["a="]), ("=b", ["=b"]), ("a=b=c", ["a=b=c"]),
    ("&&a=b&", ["a=b"]), ("a=1&a=2", ["a=1", "a=2"]), ("a%26=b%3D", ["a%26=b%3D"]),
  ])
  func `a query is pairs`(_ query: String, _ pairs: [String]) {
    var found: [String] = []
    query.utf8.span.forEachQueryPair { name, value in found.append("\(name.string)=\(value.string)") }
    #expect(found == pairs)
  }

  @Test(
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
      (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (1_767_225_599, "Wed, 31 Dec 2025 23:59:59 GMT"),
      (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (.min, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ] as [(Int64, String)])
  func `a date is an IMF-fixdate (RFC 9110 §5.6.7)`(_ seconds: Int64, _ text: String) {
    let bytes = HTTPDate(seconds: seconds).bytes
    #expect(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) == text)
  }

  @Test(
    arguments: [
      (nil, 30), (0, 0), (1, 1), (1_000_000_000, 1), (1_000_000_001, 2), (29_000_000_001, 30), (90_000_000_000, 30),
      (-1, 0), (-999_999_999, 0), (-1_000_000_000, 30), (-3_600_000_000_000, 30), (.max, 30),
    ] as [(Int64?, Int64)])
  func `max-age ends with the second of the next flip, and is the interval again when what was due is late`(
    _ flipIn: Int64?, _ age: Int64
  ) {
    let now: Int64 = flipIn == .max ? 0 : 1_800_000_000_000_000_000
    #expect(Freshness(maxAge: 30, flip: flipIn.map { now + $0 }).maxAge(at: now) == age)
  }

  @Test func `a control character in a field cannot start another`() {
    let field = Outgoing.line(ResponseField("Location", "/a\r\nSet-Cookie: b\0\u{7F}"))
    #expect(String(decoding: field, as: UTF8.self) == "Location: /a  Set-Cookie: b  \r\n")
  }

  @Test func `responses that share a head have tag, length and max-age of their own, wherever they stand`() {
    let head = ReadyHead(
      200, fields: [ResponseField("ETag", ReadyHead.openTag), ResponseField("Vary", "A")],
      caching: CacheDirectives(before: "public, ", after: ", x"))
    let outgoing = Outgoing(capacity: 16)
    outgoing.setTime(0)
    let cases: [(String, Int64, String, ConnectionOption, String)] = [
      ("00112233445566aa", 5, "abc", .unsaid, ""),
      ("ffeeddccbbaa9988", 600, "twelve bytes", .close, "Connection: close\r\n"),
    ]
    var expected = ""
    for (version, age, body, option, line) in cases {
      let response = ReadyResponse(
        head, tag: WeakTag(version), body: Array(body.utf8), freshness: Freshness(maxAge: age))
      outgoing.append(response, now: 0, connection: option, headOnly: false)
      expected +=
        "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nCache-Control: public, max-age=\(age), x\r\n"
      expected += "ETag: W/\"\(version)\"\r\nVary: A\r\nContent-Length: \(body.utf8.count)\r\n\(line)\r\n\(body)"
    }
    #expect(unsafe String(decoding: outgoing.bytes, as: UTF8.self) == expected)
  }
}
