import Foundation
import HTTPServer
import Peers
import Testing

/// Programs that others wrote, as they are installed, over real sockets.
@Suite struct PeerTests {
  private func curl(_ server: Server, _ path: String, _ arguments: [String] = [], input: String? = nil) throws -> String
  {
    let url = "http://127.0.0.1:\(server.port)\(path)"
    let (text, status) = try Peer.run("curl", ["-sS", "--max-time", "20"] + arguments + [url], input: input)
    #expect(status == 0, "curl \(arguments) ended with \(status)")
    return text
  }

  @Test func `curl is answered in all its ways`() async throws {
    try await withServer { server, _ in
      let host = "127.0.0.1:\(server.port)"
      #expect(try curl(server, "/x") == "GET \(host) /x ")
      #expect(try curl(server, "/x", ["--http1.0"]) == "GET \(host) /x ")
      #expect(try curl(server, "/x", ["-d", "abc"]) == "POST \(host) /x abc")
      #expect(try curl(server, "/x", ["-d", "abc", "-H", "Expect: 100-continue"]) == "POST \(host) /x abc")
      #expect(try curl(server, "/x", ["-T", "-"], input: "abc") == "PUT \(host) /x abc", "chunked")
      #expect(try curl(server, "/x", ["-X", "OPTIONS", "--request-target", "*"]) == "OPTIONS \(host) * ")
      #expect(try curl(server, "/ready", ["-I"]).hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(try curl(server, "/tagged", ["-H", #"If-None-Match: "a""#, "-w", "%{http_code}"]) == "304")
      let large = try curl(server, "/large", ["-o", "/dev/null", "-w", "%{size_download}"])
      #expect(large == "\(Observed.large.count)")
    }
  }

  @Test func `curl keeps its connection for one answer after the other`() async throws {
    try await withServer { server, _ in
      let url = "http://127.0.0.1:\(server.port)"
      let more = ["/ready", "/tagged", "/x", "/large"].flatMap { ["-o", "/dev/null", url + $0] }
      let text = try curl(server, "/y", more + ["-o", "/dev/null", "-w", "%{num_connects} "])
      #expect(text == "1 0 0 0 0 ")
    }
  }

  @Test func `python's http.client goes through a connection of many kinds of requests`() async throws {
    let script = """
      import http.client, sys
      c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
      def ask(*a, **k):
          c.request(*a, **k)
          r = c.getresponse()
          return r.status, r.read(), r.will_close
      first = None
      for turn in range(20):
          assert ask("GET", "/x") == (200, b"GET 127.0.0.1:%d /x " % c.port, False)
          first = first or c.sock
          assert ask("HEAD", "/ready") == (200, b"", False)
          assert ask("POST", "/x", b"abc")[1].endswith(b"/x abc")
          assert ask("PUT", "/x", iter([b"ab", b"c"]), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})[1].endswith(b"/x abc")
          assert ask("GET", "/tagged", headers={"If-None-Match": '"a"'}) == (304, b"", False)
          assert ask("PUT", "/tagged", b"", headers={"If-Match": '"b"'}) == (412, b"failed", False)
          assert c.sock is first
      assert ask("GET", "/x", headers={"Connection": "close"})[2]
      print("done")
      """
    try await withServer { server, _ in
      let (text, status) = try Peer.run("python3", ["-c", script, "\(server.port)"])
      #expect(status == 0)
      #expect(text == "done\n")
    }
  }

  private func front(_ front: Front, _ path: String, _ arguments: [String] = []) throws -> String {
    let url = "https://127.0.0.1:\(front.port)\(path)"
    return try Peer.run("curl", ["-sSk", "--max-time", "20"] + arguments + [url]).text
  }

  @Test(arguments: [
    [:],
    [
      "gzip off;": "gzip on; gzip_types text/plain; gzip_proxied any; gzip_min_length 1;",
      "proxy_set_header Accept-Encoding $coding;": "proxy_set_header Accept-Encoding \"\";",
    ],
  ])
  func `nginx stands before it, with its own gzip or without`(_ changes: [String: String]) async throws {
    try await withServer { server, _ in
      let nginx = try Front(before: [server.port], changes)
      #expect(try front(nginx, "/x?y=1") == "GET 127.0.0.1 /x?y=1 ")
      #expect(try front(nginx, "/coding", ["--compressed"]) == (changes.isEmpty ? "gzip" : "identity"))
      #expect(try front(nginx, "/coding", ["-H", "Accept-Encoding: br, gzip;q=0"]) == "identity")
      #expect(
        try front(nginx, "/tagged", ["--compressed", "-H", #"If-None-Match: "a""#, "-w", "%{http_code}"]) == "304")
      #expect(try front(nginx, "/ready", ["-I"]).contains(" 200"))
      #expect(try front(nginx, "/x", ["--http1.1", "-d", "abc", "-o", "/dev/null", "-w", "%{http_code}"]) == "413")
      #expect(try front(nginx, "/large", ["-o", "/dev/null", "-w", "%{size_download}"]) == "\(Observed.large.count)")
      for turn in 0..<30 { #expect(try front(nginx, "/\(turn)") == "GET 127.0.0.1 /\(turn) ") }
      // One a worker at most, kept from request to request.
      #expect(server.connectionCount <= ProcessInfo.processInfo.activeProcessorCount)
    }
  }

  @Test func `nginx serves what it knows while the server is away`() async throws {
    try await withServer { server, _ in
      let nginx = try Front(before: [server.port])
      #expect(try front(nginx, "/known") == "GET 127.0.0.1 /known ")
      await server.drain(grace: .zero)
      #expect(try front(nginx, "/known") == "GET 127.0.0.1 /known ")
      #expect(try front(nginx, "/unknown", ["-o", "/dev/null", "-w", "%{http_code}"]) == "502")
    }
  }
}
