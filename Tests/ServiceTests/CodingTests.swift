import Foundation
import JSON
import Layout
import Testing

@testable import Service

/// One negotiation (RFC 9110 §12.5.3) for every kind of answer, by the codings that it has.
@Suite struct CodingTests {
  /// What `Accept-Encoding` says, and what comes of it where there are `br`, gzip and identity, gzip and identity, and
  /// identity alone: the coding, or 406.
  private static let cases: [(accepted: String, all: String, alone: String)] = [
    ("", "identity", "identity"), ("identity", "identity", "identity"), ("gzip", "gzip", "identity"),
    ("br", "br", "identity"), ("gzip, br", "br", "identity"), ("zstd", "identity", "identity"),
    ("gzip;q=0", "identity", "identity"), ("br;q=0, gzip;q=0", "identity", "identity"),
    ("*", "br", "identity"), ("*;q=0", "406", "406"), ("*;q=0, br", "br", "406"), ("*;q=0, gzip", "gzip", "406"),
    ("*;q=0, identity", "identity", "identity"), ("br, identity;q=0", "br", "406"),
    ("identity;q=0", "gzip", "406"), ("identity;q=0, br;q=0", "gzip", "406"),
    // br is not listed, and what everybody reads is forbidden.
    ("gzip;q=0, identity;q=0", "406", "406"), ("gzip;q=0, identity;q=0, *;q=0.1", "br", "406"),
    ("br;q=0.5, identity;q=0.6", "identity", "identity"), ("br;q=0.5, gzip;q=0.6", "gzip", "identity"),
    // What `*` weighs, identity does that is not named.
    ("br;q=0.2, gzip;q=0.3, *;q=0.9", "identity", "identity"), ("br;q=0.2, gzip;q=0.9, *;q=0.3", "gzip", "identity"),
    ("br;q=0, gzip;q=0.1, *;q=0.2", "identity", "identity"), ("identity;q=0, *;q=0.5, gzip;q=0.4", "br", "406"),
  ]

  /// An answer of some kind, and how many codings it has.
  private struct Kind {
    var name: String
    var url: String
    var fields: [String: String] = [:]
    var isCoded = true
  }

  @Test func `every kind of answer comes in the coding of its own that the client prefers, or says which it has`()
    async throws
  {
    try await withServer([Demo.long]) { server in
      let publicURL = "http://127.0.0.1:\(server.server.publicPort)"
      let adminURL = "http://127.0.0.1:\(server.server.adminPort)"
      let bearer = ["Authorization": "Bearer \(server.admin)"]
      let picture =
        [UInt8]([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Array("IHDR".utf8)
        + [0, 0, 1, 0, 0, 0, 0, 9, 8, 6, 0, 0, 0] + [UInt8](repeating: 7, count: 2_000)
      let brought = try await server.adminBytes("POST", "/assets", picture, ["Content-Type": "image/png"])
      let asset = try #require(brought.json["url"]?.string)
      let link = try await server.admin("POST", "/pages/home/previews", "{}").json["url"]?.string ?? ""
      let kinds = [
        Kind(name: "page", url: publicURL + "/v1/home"),
        Kind(name: "section", url: publicURL + "/v1/pages/home/sections/top"),
        Kind(name: "rule", url: publicURL + "/v1/pages/home/sort-rule"),
        Kind(name: "pages", url: publicURL + "/v1/pages"),
        Kind(name: "preview", url: publicURL + link),
        Kind(name: "asset", url: publicURL + asset, isCoded: false),
        Kind(name: "asset beside the console", url: adminURL + asset, isCoded: false),
        Kind(name: "console bundle", url: adminURL + "/console/bundle.js"),
        Kind(name: "console", url: adminURL + "/console/"),
        Kind(name: "admin GET", url: adminURL + "/admin/v1/pages/home/draft", fields: bearer),
        Kind(name: "OpenAPI", url: adminURL + "/admin/v1/openapi.json", fields: bearer),
        Kind(name: "metrics", url: adminURL + "/metrics"),
      ]
      for kind in kinds {
        for (accepted, all, alone) in Self.cases {
          let fields = kind.fields.merging(["Accept-Encoding": accepted]) { $1 }
          let options = accepted.isEmpty ? ["-H", "Accept-Encoding;"] : []
          func ask() throws -> CurlReply {
            try CurlReply(kind.url, accepted.isEmpty ? kind.fields : fields, options: options)
          }
          let wanted = kind.isCoded ? all : alone
          var reply = try ask()
          // br of what polls get is made in the background.
          if wanted == "br", reply["Content-Encoding"] != "br" {
            try await waitUntil {
              reply = try ask()
              return reply["Content-Encoding"] == "br"
            }
          }
          let got = reply.status == 200 ? reply["Content-Encoding"] ?? "identity" : "\(reply.status)"
          #expect(got == wanted, "\(kind.name): \(accepted)")
          guard wanted == "406" else { continue }
          let problem = try JSON.parse(reply.body)
          #expect(problem["code"]?.string == "not-acceptable")
          let detail = problem["detail"]?.string ?? ""
          #expect(detail.contains("br") == kind.isCoded, "\(kind.name): \(detail)")
        }
      }
    }
  }

  @Test func `short answers and errors are not coded, unless nothing else is taken`() async throws {
    try await withServer { server in
      let url = "http://127.0.0.1:\(server.server.adminPort)/admin/v1/pages/home/previews"
      let bearer = ["Authorization": "Bearer \(server.admin)"]
      for (accepted, coding) in [("br, gzip", nil), ("br, identity;q=0", "br"), ("identity;q=0", "gzip")] {
        let reply = try CurlReply(url, bearer.merging(["Accept-Encoding": accepted]) { $1 })
        #expect(reply.status == 200)
        #expect(reply["Content-Encoding"] == coding, "\(accepted)")
      }
      for path in ["/v1/pages/nowhere", "/v1/pages/home/sections/nowhere", "/v1/assets/x"] {
        for accepted in ["*;q=0", "br, identity;q=0", "gzip"] {
          let reply = try CurlReply(
            "http://127.0.0.1:\(server.server.publicPort)\(path)", ["Accept-Encoding": accepted])
          #expect(reply.status == 404, "\(path) \(accepted)")
          #expect(reply["Content-Encoding"] == nil)
          #expect((try? JSON.parse(reply.body)) != nil)
        }
      }
    }
  }
}
