/// Raw requests, and what RFC 9110 and RFC 9112 make of them.
enum RequestTable {
  static let all =
    requestLines + hosts + fields + lengths + transferCodings + chunks + connections + expectations + limits

  private static func get(_ head: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(head)\r\n" }
  private static func post(_ head: String, _ body: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: a\r\n\(head)\r\n\(body)"
  }
  private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"
  private static func line(_ line: String) -> String { line + "\r\nHost: a\r\n\r\n" + next }

  static let requestLines: [RequestCase] = [
    RequestCase(line("GET / HTTP/1.1"), [200, 200], .stays, "RFC 9112 §3: a request line"),
    RequestCase(line("\r\nGET / HTTP/1.1"), [200, 200], .stays, "RFC 9112 §2.2: an empty line before it is ignored"),
    RequestCase(line("\r\n\r\n\r\nGET / HTTP/1.1"), [200, 200], .stays, "RFC 9112 §2.2: at least one"),
    RequestCase("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", [400], .ends, "RFC 9112 §2.2: a bare LF is no empty line"),
    RequestCase(line("OPTIONS * HTTP/1.1"), [200, 200], .stays, "RFC 9112 §3.2.4: asterisk form"),
    RequestCase(line("GET * HTTP/1.1"), [400], .ends, "RFC 9112 §3.2.4: for OPTIONS only"),
    RequestCase(line("OPTIONS ** HTTP/1.1"), [400], .ends, "RFC 9112 §3.2.4: one asterisk"),
    RequestCase(line("GET http://b.example/x?y HTTP/1.1"), [200, 200], .stays, "RFC 9112 §3.2.2: absolute form"),
    RequestCase(line("GET HTTP://b.example:80 HTTP/1.1"), [200, 200], .stays, "RFC 9110 §4.2.3: schemes have no case"),
    RequestCase(line("GET http:///x HTTP/1.1"), [400], .ends, "RFC 9110 §4.2.1: an empty host"),
    RequestCase(line("GET http://u@b.example/ HTTP/1.1"), [400], .ends, "RFC 9110 §4.2.4: userinfo"),
    RequestCase(line("GET ftp://b.example/ HTTP/1.1"), [400], .ends, "RFC 9110 §7.1: a scheme that is not served"),
    RequestCase(line("GET b.example:80 HTTP/1.1"), [400], .ends, "RFC 9112 §3.2.3: authority form is CONNECT's"),
    RequestCase(line("CONNECT b.example:80 HTTP/1.1"), [501], .ends, "RFC 9110 §9.3.6: no tunnels here"),
    RequestCase(line("CONNECT / HTTP/1.1"), [501], .ends, "RFC 9110 §9.3.6: no tunnels here"),
    RequestCase(line("BREW / HTTP/1.1"), [200, 200], .stays, "RFC 9110 §9.1: any token is a method to the core"),
    RequestCase(line("get / HTTP/1.1"), [200, 200], .stays, "RFC 9110 §9.1: methods have case"),
    RequestCase(line("G@T / HTTP/1.1"), [400], .ends, "RFC 9110 §9.1: a method is a token"),
    RequestCase(line(" GET / HTTP/1.1"), [400], .ends, "RFC 9112 §3: no space before the method"),
    RequestCase(line("GET  / HTTP/1.1"), [400], .ends, "RFC 9112 §3: single spaces"),
    RequestCase(line("GET /  HTTP/1.1"), [400], .ends, "RFC 9112 §3: single spaces"),
    RequestCase(line("GET / HTTP/1.1 "), [400], .ends, "RFC 9112 §3: nothing after the version"),
    RequestCase(line("GET\t/ HTTP/1.1"), [400], .ends, "RFC 9112 §3: a tab is no space"),
    RequestCase(line("GET / x HTTP/1.1"), [400], .ends, "RFC 9112 §3.2: no space in the target"),
    RequestCase(line("GET HTTP/1.1"), [400], .ends, "RFC 9112 §3.2: a target there must be"),
    RequestCase(line("GET"), [400], .ends, "RFC 9112 §3: a method alone"),
    RequestCase("GET\r\n\r\n", [400], .ends, "RFC 9112 §3: a method alone"),
    RequestCase("GET /\r\n\r\n", [400], .ends, "RFC 9112 §2.3: HTTP/0.9 is not spoken"),
    RequestCase(line("GET x HTTP/1.1"), [400], .ends, "RFC 9112 §3.2: a path starts with a slash"),
    RequestCase(line("GET /# HTTP/1.1"), [400], .ends, "RFC 9112 §3.2: fragments are not sent"),
    RequestCase(line("GET /\u{1} HTTP/1.1"), [400], .ends, "RFC 3986 §2: control characters"),
    RequestCase(line("GET /\u{7F} HTTP/1.1"), [400], .ends, "RFC 3986 §2: control characters"),
    RequestCase(line("GET /é HTTP/1.1"), [400], .ends, "RFC 3986 §2: beyond ASCII"),
    RequestCase(line("GET /%zz HTTP/1.1"), [200, 200], .stays, "RFC 3986 §2.1: decoding is the handler's"),
    RequestCase(line("GET /a|b?c={d} HTTP/1.1"), [200, 200], .stays, "what browsers send as it is"),
    RequestCase(line("GET //a HTTP/1.1"), [200, 200], .stays, "RFC 9112 §3.2.1: two slashes are a path"),
    RequestCase(line("GET /? HTTP/1.1"), [200, 200], .stays, "RFC 3986 §3.4: an empty query"),
    RequestCase(line("GET / HTTP/1.2"), [200, 200], .stays, "RFC 9110 §2.5: a higher minor version is 1.1 to us"),
    RequestCase(line("GET / HTTP/2.0"), [505], .ends, "RFC 9110 §15.6.6: other majors"),
    RequestCase(line("GET / HTTP/0.9"), [505], .ends, "RFC 9110 §15.6.6: other majors"),
    RequestCase("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [505], .ends, "RFC 9113 §3.4: the preface of HTTP/2"),
    RequestCase(line("GET / http/1.1"), [400], .ends, "RFC 9112 §2.3: the version has case"),
    RequestCase(line("GET / HTTP/1"), [400], .ends, "RFC 9112 §2.3: digit, dot, digit"),
    RequestCase(line("GET / HTTP/1.10"), [400], .ends, "RFC 9112 §2.3: digit, dot, digit"),
    RequestCase(line("GET / HTTP/11.1"), [400], .ends, "RFC 9112 §2.3: digit, dot, digit"),
    RequestCase(line("GET / HTTP/01.1"), [400], .ends, "RFC 9112 §2.3: digit, dot, digit"),
    RequestCase(line("GET / HTTP/1.1x"), [400], .ends, "RFC 9112 §2.3: digit, dot, digit"),
    RequestCase(line("GET / HTTP/ 1.1"), [400], .ends, "RFC 9112 §2.3: no space in the version"),
    RequestCase(line("GET /\t HTTP/1.1"), [400], .ends, "RFC 9112 §3.2: no blank in the target"),
    RequestCase(line("GET \\a HTTP/1.1"), [400], .ends, "RFC 9112 §3.2: a path starts with a slash"),
    RequestCase(line("GET ?a HTTP/1.1"), [400], .ends, "RFC 9112 §3.2.1: a query alone is no target"),
    RequestCase(line("GET http:/a HTTP/1.1"), [400], .ends, "RFC 9112 §3.2.2: a scheme without an authority"),
    RequestCase(line("GET http://a:b/ HTTP/1.1"), [400], .ends, "RFC 9112 §3.2.2: a port is digits"),
    RequestCase(line("GET http://[::1]:8080/ HTTP/1.1"), [200, 200], .stays, "RFC 9112 §3.2.2: an IPv6 literal"),
    RequestCase(line("OPTIONS /x HTTP/1.1"), [200, 200], .stays, "RFC 9110 §9.3.7: OPTIONS of a resource"),
    RequestCase(line("TRACE / HTTP/1.1"), [200, 200], .stays, "RFC 9110 §9.3.8: what TRACE does is the handler's"),
    RequestCase("   \r\n\r\n", [400], .ends, "RFC 9112 §3: blanks are no request line"),
    RequestCase(line(String(repeating: "A", count: 64) + " / HTTP/1.1"), [200, 200], .stays, "the limit of a method"),
    RequestCase(
      line(String(repeating: "A", count: 65) + " / HTTP/1.1"), [501], .ends, "RFC 9112 §3: no method is so long"),
    RequestCase(String(repeating: "A", count: 9_000), [501], .ends, "RFC 9112 §3: without its end"),
    RequestCase(line("GET / HTTPS/1.1"), [400], .ends, "RFC 9112 §2.3: the name is HTTP"),
    RequestCase(line("GET / HTTP/1,1"), [400], .ends, "RFC 9112 §2.3: digit, dot, digit"),
    RequestCase("GET / HTTP/1.1\nHost: a\n\n", [400], .ends, "RFC 9112 §2.2: bare LF"),
    RequestCase("GET / HTTP/1.1\rHost: a\r\n\r\n", [400], .ends, "RFC 9112 §2.2: bare CR"),
    RequestCase(bytes: [0x16, 3, 1, 2, 0, 1], [400], .ends, "a TLS greeting has no line to wait for"),
    RequestCase(bytes: [0], [400], .ends, "noise"),
    RequestCase(bytes: [0xFF, 0xFE], [400], .ends, "noise"),
  ]

  static let hosts: [RequestCase] =
    [
      RequestCase("GET / HTTP/1.1\r\n\r\n" + next, [400], .ends, "RFC 9112 §3.2: Host is missing"),
      RequestCase("GET http://a/ HTTP/1.1\r\n\r\n" + next, [400], .ends, "RFC 9112 §3.2: with an absolute target too"),
      RequestCase(get("Host: a\r\n") + next, [400], .ends, "RFC 9112 §3.2: Host twice"),
      RequestCase(get("hOST: b\r\n") + next, [400], .ends, "RFC 9112 §3.2: Host twice"),
      RequestCase("GET / HTTP/1.0\r\n\r\n", [200], .ends, "RFC 9112 §3.2: HTTP/1.0 needs none"),
      RequestCase("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", [400], .ends, "RFC 9112 §3.2: but not two"),
      RequestCase("GET / HTTP/1.1\r\nHost:\r\n\r\n" + next, [400], .ends, "RFC 9110 §4.2.1: an empty host"),
      RequestCase("GET / HTTP/1.1\r\nHost: \t \r\n\r\n" + next, [400], .ends, "RFC 9110 §4.2.1: an empty host"),
    ]
    + [
      "a b", "a/b", "a@b", "a?b", "a#b", "a,b", "a:b", "a:1:2", "a:123456", "a:65536", "[::1", "::1", "[]", "[g::]",
      "[::1]x", ":80", "é", "a%zz", "a%4", "%", "a%41%", "[::::::]", "[:::]", "[:]", "[::1:]", "[:1::]", "[12345::1]",
      "[1::2::3]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[::1:2:3:4:5:6:7:8]", "[::1.2.3]", "[::1.2.3.256]",
      "[::1.2.3.04]", "[::1.2.3.4:5]", "[1:2:3:4:5:6:7:1.2.3.4]", "[1.2.3.4]", "[fe80::1%25eth0]", "[v.a]", "[v1.]",
      "[v1a]", "[vg.a]", "[v1.a%41]", "a:+1", "a:\(String(repeating: "9", count: 40))",
    ].map {
      RequestCase("GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n" + next, [400], .ends, "RFC 9110 §7.2: not a host: \($0)")
    }
    + [
      "a", "a.example", "A.Example:8080", "a:", "127.0.0.1:80", "[::1]", "[::1]:80", "[::ffff:1.2.3.4]", "a_b", "%41",
      "a%4a.b%2D", "a:000080", "a:0000000000000000000000000000000000443", "a:65535", "[::]", "[1::]",
      "[1:2:3:4:5:6:7::]",
      "[::2:3:4:5:6:7:8]", "[2001:DB8::ff00:42:8329]:8080", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:1.2.3.4]", "[v1.a:b]",
      "[vF.~!$]:1", "a!$&'()*+;=~",
    ].map {
      RequestCase("GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n" + next, [200, 200], .stays, "RFC 9110 §7.2: a host: \($0)")
    }

  static let fields: [RequestCase] = [
    RequestCase(get("A:b\r\nC: d \r\nE:\t f\t\r\nG:\r\n") + next, [200, 200], .stays, "RFC 9112 §5: optional blanks"),
    RequestCase(get("A: \u{80}\u{FF}\r\n") + next, [200, 200], .stays, "RFC 9110 §5.5: obs-text"),
    RequestCase(get("!#$%&'*+-.^_`|~1a: b\r\n") + next, [200, 200], .stays, "RFC 9110 §5.6.2: a token"),
    RequestCase(
      get("Upgrade: websocket\r\nConnection: Upgrade\r\n") + next, [200, 200], .stays, "RFC 9110 §7.8: ignored"),
    RequestCase(get("Range: bytes=0-0\r\n") + next, [200, 200], .stays, "RFC 9110 §14.2: may be ignored"),
    RequestCase(get("TE: trailers\r\n") + next, [200, 200], .stays, "RFC 9110 §10.1.4: nothing to send in trailers"),
    RequestCase(get("X-A\u{B}: b\r\n") + next, [400], .ends, "RFC 9110 §5.1: a name is a token"),
    RequestCase(get("A[B: b\r\n") + next, [400], .ends, "RFC 9110 §5.1: a name is a token"),
    RequestCase(get("A : b\r\n") + next, [400], .ends, "RFC 9112 §5.1: no space before the colon"),
    RequestCase(get("A\t: b\r\n") + next, [400], .ends, "RFC 9112 §5.1: no space before the colon"),
    RequestCase(get(" A: b\r\n") + next, [400], .ends, "RFC 9112 §5.2: folding"),
    RequestCase(get("A: b\r\n c\r\n") + next, [400], .ends, "RFC 9112 §5.2: folding"),
    RequestCase(get("A: b\r\n\tc\r\n") + next, [400], .ends, "RFC 9112 §5.2: folding"),
    RequestCase(
      "GET / HTTP/1.1\r\n Host: a\r\n\r\n" + next, [400], .ends, "RFC 9112 §2.2: a blank after the request line"),
    RequestCase(get(": b\r\n") + next, [400], .ends, "RFC 9110 §5.1: a name has a letter"),
    RequestCase(get("A\r\n") + next, [400], .ends, "RFC 9112 §5: a colon"),
    RequestCase(get("A b: c\r\n") + next, [400], .ends, "RFC 9110 §5.1: a name is a token"),
    RequestCase(get("A(: c\r\n") + next, [400], .ends, "RFC 9110 §5.1: a name is a token"),
    RequestCase(get("Ä: c\r\n") + next, [400], .ends, "RFC 9110 §5.1: a name is a token"),
    RequestCase(get("A: b\nC: d\r\n") + next, [400], .ends, "RFC 9112 §2.2: bare LF"),
    RequestCase(get("A: b\rC: d\r\n") + next, [400], .ends, "RFC 9112 §2.2: bare CR"),
    RequestCase(get("A: b\r\r\n") + next, [400], .ends, "RFC 9112 §2.2: bare CR"),
    RequestCase(get("A: b\u{0}\r\n") + next, [400], .ends, "RFC 9110 §5.5: NUL"),
    RequestCase(get("A: b\u{1}\r\n") + next, [400], .ends, "RFC 9110 §5.5: a control character"),
    RequestCase(get("A: b\u{7F}\r\n") + next, [400], .ends, "RFC 9110 §5.5: a control character"),
    RequestCase("GET / HTTP/1.1\r\nHost: a\r\n\n" + next, [400], .ends, "RFC 9112 §2.2: bare LF ends no head"),
    RequestCase("GET / HTTP/1.1\r\nHost: a\r\n\r" + next, [400], .ends, "RFC 9112 §2.2: bare CR ends no head"),
  ]

  static let lengths: [RequestCase] =
    [
      RequestCase(post("Content-Length: 3\r\n", "abc") + next, [200, 200], .stays, "RFC 9112 §6.3: a length"),
      RequestCase(post("Content-Length: 003\r\n", "abc") + next, [200, 200], .stays, "RFC 9110 §8.6: leading zeros"),
      RequestCase(
        post("Content-Length: \t3 \r\n", "abc") + next, [200, 200], .stays, "RFC 9110 §5.5: blanks around it"),
      RequestCase(post("Content_Length: 3\r\n") + next, [200, 200], .stays, "RFC 9110 §5.1: another name"),
      RequestCase(post("Content-Length: 0\r\n") + next, [200, 200], .stays, "RFC 9110 §8.6: zero"),
      RequestCase(post("") + next, [200, 200], .stays, "RFC 9112 §6.3: neither length nor coding is no body"),
      RequestCase(
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + next, [200, 200], .stays,
        "RFC 9110 §9.3.1: a GET's body is framed alike"),
      RequestCase(
        post("Content-Length: 1000\r\n", String(repeating: "x", count: 1_000)) + next, [200, 200], .stays,
        "the limit of a body"),
      RequestCase(post("Content-Length: 1001\r\n", "x") + next, [413], .ends, "RFC 9110 §15.5.14: too large, unread"),
    ]
    + [
      "", "+3", "-3", "-0", "1_0", "0o3", "3 3", "3,3", "3, 3", "0x3", "3.0", "3a", "a", "\"3\"",
      "99999999999999999999",
      "9223372036854775808", "٣",
    ].map {
      RequestCase(post("Content-Length: \($0)\r\n", "abc") + next, [400], .ends, "RFC 9112 §6.3: not a length: \($0)")
    } + [
      RequestCase(
        post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc") + next, [400], .ends, "RFC 9112 §6.3: twice"),
      RequestCase(
        post("Content-Length: 3\r\ncontent-length: 4\r\n", "abc") + next, [400], .ends, "RFC 9112 §6.3: twice"),
      RequestCase(
        post("Content-Length : 3\r\n", "abc") + next, [400], .ends, "RFC 9112 §5.1: no space before the colon"),
      RequestCase(
        post("Content-Length: 3\r\nContent-Encoding: gzip\r\n", "abc") + next, [415], .ends,
        "RFC 9110 §8.4: bodies come as they are"),
      RequestCase(
        post("Content-Length: 3\r\nContent-Encoding: identity\r\n", "abc") + next, [200, 200], .stays,
        "RFC 9110 §8.4.1: identity is none"),
      RequestCase(post("Content-Encoding: gzip\r\n") + next, [200, 200], .stays, "RFC 9110 §8.4: no body, no coding"),
    ]

  static let transferCodings: [RequestCase] =
    [
      RequestCase(
        post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n") + next, [200, 200], .stays, "RFC 9112 §7.1"),
      RequestCase(
        post("transfer-encoding: CHUNKED\r\n", "0\r\n\r\n") + next, [200, 200], .stays, "RFC 9112 §7: no case"),
      RequestCase(
        post("Transfer-Encoding: , chunked ,\r\n", "0\r\n\r\n") + next, [200, 200], .stays,
        "RFC 9110 §5.6.1: empty members"),
      RequestCase(post("Transfer_Encoding: chunked\r\n") + next, [200, 200], .stays, "RFC 9110 §5.1: another name"),
      RequestCase(
        post("Transfer-Encoding:\tchunked\t\r\n", "0\r\n\r\n") + next, [200, 200], .stays,
        "RFC 9110 §5.5: blanks around it"),
      RequestCase(
        post("Content-Length: 5\r\nTransfer-Encoding: xchunked\r\n", "hello") + next, [400], .ends,
        "RFC 9112 §6.1: both"),
      RequestCase(
        post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n") + next, [400], .ends,
        "RFC 9112 §6.1: both"),
      RequestCase(
        post("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", "0\r\n\r\n") + next, [400], .ends,
        "RFC 9112 §6.1: both"),
      RequestCase(
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400], .ends, "RFC 9112 §6.1: in HTTP/1.0"),
      RequestCase(
        post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n") + next, [501], .ends, "RFC 9112 §6.1: unknown"),
      RequestCase(
        post("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n") + next, [501], .ends,
        "RFC 9112 §6.1: unknown"),
    ]
    + [
      "", "gzip", "identity", "chunked, gzip", "chunked, identity", "chunked, chunked", "chunked;q=1", "xchunked",
      "chunked x", "\"chunked\"", "chunked\u{B}", "\u{B}chunked", "\u{C}chunked",
      "chunked\u{0}", "nonsense", ";chunked",
    ].map {
      RequestCase(
        post("Transfer-Encoding: \($0)\r\n", "0\r\n\r\n") + next, [400], .ends,
        "RFC 9112 §6.3: chunked is not last: \($0)")
    } + [
      RequestCase(
        post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n") + next, [400], .ends,
        "RFC 9112 §6.3: chunked is not last"),
      RequestCase(
        post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n") + next, [400], .ends,
        "RFC 9112 §6.1: chunked twice"),
      RequestCase(
        post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n") + next, [400], .ends,
        "RFC 9112 §5.1: no space before the colon"),
      RequestCase(
        post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n") + next, [400], .ends, "RFC 9112 §5.2: folding"),
    ]

  private static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n", body) + next }

  static let chunks: [RequestCase] =
    [
      "a\r\n0123456789\r\n0\r\n\r\n", "A;n=v\r\n0123456789\r\n00\r\n\r\n", "1 ;n\r\nx\r\n0\r\n\r\n",
      "1;n=\"v;w\"\r\nx\r\n0;last\r\n\r\n", "1 ;\tn = v ;m=\"\\\"\\\\ é\"; o\r\nx\r\n0\r\n\r\n",
      "0001\r\nx\r\n0\r\nTrailer: v\r\nOther:\r\n\r\n",
    ].map { RequestCase(chunked($0), [200, 200], .stays, "RFC 9112 §7.1: \($0.debugDescription)") }
    + [
      "1\nx\r\n0\r\n\r\n", "1\r\nx\n0\r\n\r\n", "1\r\nx\r\n0\n\r\n", "1\r\nx\r\n0\r\n\n", "1;a\nx\r\n0\r\n\r\n",
      "1;a\rb\r\nx\r\n0\r\n\r\n", "1;\r\nx\r\n0\r\n\r\n",
      "1;;a\r\nx\r\n0\r\n\r\n", "1;a[=b\r\nx\r\n0\r\n\r\n", "1;a=\r\nx\r\n0\r\n\r\n", "1;a=b=c\r\nx\r\n0\r\n\r\n",
      "1;a=\"b\r\nx\r\n0\r\n\r\n", "1;a=\"b\"c\r\nx\r\n0\r\n\r\n", "1;a b\r\nx\r\n0\r\n\r\n", "1;a \r\nx\r\n0\r\n\r\n",
      "1;=b\r\nx\r\n0\r\n\r\n", "1;a=\"\\\n\"\r\nx\r\n0\r\n\r\n", "1;é\r\nx\r\n0\r\n\r\n", "1;a\u{0}\r\nx\r\n0\r\n\r\n",
      "\r\n", "g\r\n", "-1\r\n", "+1\r\n", "FFFFFFFFFFFFFFFF\r\nx", "10000000000000001\r\nx", "0x1\r\nx\r\n",
      " 1\r\nx\r\n", "1 \r\nx\r\n0\r\n\r\n", "1 1\r\n", "1_0\r\n", ";a\r\n", "1\r\nxy\r\n", "1\r\nx0\r\n\r\n",
      "0\r\nBad Trailer: v\r\n\r\n", "0\r\n folded: v\r\n\r\n", "0\r\nA: v\nB: w\r\n\r\n", "0\r\nA\r\n\r\n",
      "0\r\n: v\r\n\r\n",
      "0\r\nA: \u{0}\r\n\r\n", "0\r\nA: v\rB\r\n\r\n",
    ].map { RequestCase(chunked($0), [400], .ends, "RFC 9112 §7.1: not chunked: \($0.debugDescription)") }
    + ["3e9\r\nx", "7fffffffffffffff\r\nx", "3e8;a\r\n" + String(repeating: "x", count: 1_000) + "\r\n1\r\n"].map {
      RequestCase(chunked($0), [413], .ends, "RFC 9112 §7.1: a size beyond the limit: \($0.debugDescription)")
    } + [
      RequestCase(
        chunked("1;" + String(repeating: "a", count: 300) + "\r\nx\r\n0\r\n\r\n"), [431], .ends,
        "RFC 9112 §7.1.1: long extensions"),
      RequestCase(
        chunked("0\r\nA: " + String(repeating: "a", count: 300) + "\r\n\r\n"), [431], .ends,
        "RFC 9112 §7.1.2: long trailers"),
      RequestCase(
        chunked(String(repeating: "0", count: 300) + "1\r\nx\r\n0\r\n\r\n"), [431], .ends, "RFC 9112 §7.1: a long size"),
      RequestCase(
        chunked(String(repeating: "1\r\nx\r\n", count: 900) + "0\r\n\r\n"), [200, 200], .stays,
        "RFC 9112 §7.1: many small chunks are no overhead"),
      RequestCase(
        chunked(String(repeating: "1;a\r\nx\r\n", count: 300) + "0\r\n\r\n"), [431], .ends,
        "RFC 9112 §7.1.1: many short extensions"),
    ]

  static let connections: [RequestCase] = [
    RequestCase(get("Connection: close\r\n") + next, [200], .ends, "RFC 9112 §9.6: close"),
    RequestCase(get("Connection: x, CLOSE\r\n") + next, [200], .ends, "RFC 9110 §7.6.1: no case, in a list"),
    RequestCase(
      get("Connection: x\r\nConnection: close\r\n") + next, [200], .ends, "RFC 9110 §7.6.1: in several fields"),
    RequestCase(get("Connection: keep-alive, close\r\n") + next, [200], .ends, "RFC 9112 §9.3: close outweighs"),
    RequestCase(get("Connection: keep-alive\r\n") + next, [200, 200], .stays, "RFC 9112 §9.3: 1.1 persists anyway"),
    RequestCase(get("Connection: closed\r\n") + next, [200, 200], .stays, "RFC 9110 §7.6.1: another option"),
    RequestCase("GET / HTTP/1.0\r\n\r\n" + next, [200], .ends, "RFC 9112 §9.3: 1.0 ends"),
    RequestCase(
      "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n" + next, [200, 200], .stays, "RFC 9112 §9.3: unless asked"),
    RequestCase(next + next + next, [200, 200, 200], .stays, "RFC 9112 §9.3.2: pipelined"),
    RequestCase(
      post("Content-Length: 3\r\n", "abc") + post("Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\r\n") + next,
      [200, 200, 200], .stays, "RFC 9112 §9.3.2: pipelined bodies"),
    RequestCase(next + "BAD\r\n\r\n" + next, [200, 400], .ends, "RFC 9112 §11.2: nothing after what cannot be framed"),
  ]

  static let expectations: [RequestCase] = [
    RequestCase(
      post("Expect: 100-continue\r\nContent-Length: 1001\r\n"), [413], .ends,
      "RFC 9110 §10.1.1: refused before the body"),
    RequestCase(
      get("Expect: 100-continue\r\n") + next, [200, 200], .stays, "RFC 9110 §10.1.1: no body, nothing to continue"),
    RequestCase(get("Expect: 200-maybe\r\n") + next, [417], .ends, "RFC 9110 §10.1.1: another expectation"),
    RequestCase(get("Expect: 100-continue, x\r\n") + next, [417], .ends, "RFC 9110 §10.1.1: another expectation"),
    RequestCase(
      "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", [200], .ends,
      "RFC 9110 §10.1.1: ignored in 1.0"),
  ]

  static let limits: [RequestCase] = [
    RequestCase(
      line("GET /" + String(repeating: "a", count: 8_000 - 14) + " HTTP/1.1"), [200, 200], .stays,
      "RFC 9112 §3: 8,000 octets"),
    RequestCase(
      line("GET /" + String(repeating: "a", count: 8_192 - 14) + " HTTP/1.1"), [200, 200], .stays,
      "the limit of a request line"),
    RequestCase(
      line("GET /" + String(repeating: "a", count: 8_193 - 14) + " HTTP/1.1"), [414], .ends, "RFC 9110 §15.5.15"),
    RequestCase("GET /" + String(repeating: "a", count: 9_000), [414], .ends, "RFC 9110 §15.5.15: without its end"),
    RequestCase(
      get("A: " + String(repeating: "a", count: 16_384 - 32) + "\r\n") + next, [200, 200], .stays, "the limit of a head"
    ),
    RequestCase(
      get("A: " + String(repeating: "a", count: 16_385 - 32) + "\r\n") + next, [431], .ends,
      "RFC 6585 §5: one octet more"),
    RequestCase(get("A: " + String(repeating: "a", count: 20_000)), [431], .ends, "RFC 6585 §5: without its end"),
    RequestCase(get(String(repeating: "a: b\r\n", count: 99)) + next, [200, 200], .stays, "the limit of fields"),
    RequestCase(get(String(repeating: "a: b\r\n", count: 100)) + next, [431], .ends, "RFC 6585 §5: one field more"),
  ]
}
