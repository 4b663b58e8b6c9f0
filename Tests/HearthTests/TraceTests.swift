import Foundation
import HTTPServer
import JSON
import Peers
import Testing

/// What the program tells a collector of what it does.
@Suite struct TraceTests {
  /// A span as OTLP has it in JSON.
  private struct Span {
    let trace: String
    let id: String
    let parent: String?
    let name: String
    let attributes: [String: String]

    init(_ json: JSON) {
      trace = json["traceId"]?.string ?? ""
      id = json["spanId"]?.string ?? ""
      parent = json["parentSpanId"]?.string
      name = json["name"]?.string ?? ""
      let pairs = (json["attributes"]?.array ?? []).map { attribute in
        let value = attribute["value"]?["stringValue"] ?? attribute["value"]?["intValue"]
        return (attribute["key"]?.string ?? "", value?.string ?? "")
      }
      attributes = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
  }

  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let caller = "00f067aa0ba902b7"
  private static let parent = "00-\(trace)-\(caller)-01"

  private func settings(port: some BinaryInteger, _ others: [String: String] = [:]) -> [String: String] {
    ["HEARTH_TRACES_TO": "http://127.0.0.1:\(port)/v1/traces", "HEARTH_OUTGOING_ADDRESSES_ALLOWED": "127.0.0.1"]
      .merging(others) { $1 }
  }

  private func spans(_ receiver: Receiver) throws -> [Span] {
    try receiver.received.flatMap { request in
      let spans = try JSON.parse(request.body)["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]
      return (spans?.array ?? []).map(Span.init)
    }
  }

  @Test(arguments: ["sqlite", "postgresql"])
  func `a publish is one trace from the caller to the statements, and tells nothing of what was written`(
    engine: String
  ) async throws {
    let receiver = try Receiver()
    let workshop = try Workshop()
    let postgreSQL = try engine == "postgresql" ? PostgreSQLServer.running() : nil
    let database = try postgreSQL?.makeDatabase()
    if let postgreSQL, let database { workshop.database = postgreSQL.place(database) }
    defer { if let postgreSQL, let database { postgreSQL.drop(database) } }
    let token = try workshop.loadDemo()
    let server = try workshop.serve(environment: settings(port: receiver.port, ["HEARTH_TRACES_PERCENT": "0"]))
    let path = "/admin/v1/pages/home/publish"
    // Of these the caller, or the share, says that nothing is recorded.
    for fields in [[:], ["traceparent": Self.parent.dropLast(2) + "00"], ["traceparent": "nonsense"]] {
      let read = try await ask(server.admin, "/admin/v1/pages", token: token, fields: fields)
      #expect(read.status == 200)
    }
    let answer = try await ask(
      server.admin, path, method: "POST", token: token, body: #"{"message": "not for others"}"#,
      fields: ["traceparent": Self.parent, "Prefer": "wait=1"])
    #expect(answer.status == 200, "\(answer.text)")
    let refused = try await ask(
      server.admin, "/admin/v1/pages/home?token=\(token)", token: "wrong", fields: ["traceparent": Self.parent])
    #expect(refused.status == 401)
    #expect(server.end() == 0)

    let spans = try spans(receiver)
    #expect(Set(spans.map(\.trace)) == [Self.trace])
    let roots = spans.filter { $0.parent == Self.caller }
    #expect(roots.map(\.name) == ["POST /admin/v1/pages/{page}/publish", "GET /admin/v1/pages/{page}"])
    let root = try #require(roots.first)
    #expect(root.attributes["http.route"] == "/admin/v1/pages/{page}/publish")
    #expect(root.attributes["http.request.method"] == "POST")
    #expect(root.attributes["http.response.status_code"] == "200")
    #expect(root.attributes["hearth.page"] == "home")
    #expect(root.attributes["hearth.request"] == answer.fields["x-request-id"])
    #expect(roots.last?.attributes["http.response.status_code"] == "401")
    let publish = try #require(spans.first { $0.name == "publish" })
    #expect(publish.parent == root.id)
    #expect(publish.attributes["hearth.page"] == "home")
    #expect(publish.attributes["hearth.edition"] == answer.fields["hearth-revision"])
    let parts = spans.filter { $0.parent == publish.id }.map(\.name)
    // As they end: an edition is assembled of what a transaction reads.
    #expect(parts == ["assemble", "read transaction", "write transaction", "make live"])
    #expect(spans.first { $0.name == "wait for nodes" }?.parent == root.id)
    // Each span is a part of another one.
    let ids = Set(spans.map(\.id)).union([Self.caller])
    for span in spans { #expect(ids.contains(span.parent ?? ""), "\(span.name)") }
    let write = try #require(spans.first { $0.name == "write transaction" && $0.parent == publish.id })
    let statement = try #require(spans.first { $0.name == "INSERT revisions" })
    #expect(statement.parent == write.id)
    #expect(statement.attributes["db.system.name"] == engine)
    #expect(statement.attributes["db.query.text"]?.hasPrefix("INSERT INTO revisions (") == true)
    let sent = receiver.received.map { String(decoding: $0.body, as: UTF8.self) }.joined()
    let secret = try #require(token.split(separator: "_").last)
    for word in ["not for others", token, String(secret), "wrong"] { #expect(!sent.contains(word), "\(word)") }
    await receiver.stop()
  }

  @Test func `else one begins with each request, a poll is none, and the last span leaves at the end`() async throws {
    let receiver = try Receiver()
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let server = try workshop.serve(environment: settings(port: receiver.port))
    #expect(try await ask(server.polls, "/v1/home", fields: ["traceparent": Self.parent]).status == 200)
    #expect(try await ask(server.admin, "/status", fields: ["traceparent": Self.parent]).status == 200)
    #expect(try await ask(server.admin, "/admin/v1/pages", token: token).status == 200)
    #expect(try await ask(server.admin, "/admin/v1/nothing", token: token).status == 404)
    #expect(server.end() == 0)
    let roots = try spans(receiver).filter { $0.parent == nil }
    #expect(roots.map(\.name) == ["GET /admin/v1/pages", "GET"])
    #expect(Set(roots.map(\.trace)).count == 2)
    #expect(try spans(receiver).allSatisfy { $0.trace != Self.trace })
    await receiver.stop()
  }

  @Test(.timeLimit(.minutes(2)))
  func `a collector that hangs slows no request and no end; what it does not take is counted`() async throws {
    let silent = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let server = try workshop.serve(
      environment: settings(port: silent.port, ["HEARTH_TRACES_WAITING_MAX": "10", "HEARTH_OUTGOING_TIMEOUT": "60"]))
    for _ in 0..<20 {
      #expect(try await ask(server.admin, "/admin/v1/pages", token: token).status == 200)
    }
    #expect(try await server.metric(#"hearth_trace_spans_total{fate="dropped"}"#) ?? 0 > 0)
    #expect(try await server.metric(#"hearth_trace_spans_total{fate="sent"}"#) == 0)
    #expect(server.end() == 0)
    #expect(server.rest?.contains("the last spans of traces were not taken") == true)
    withExtendedLifetime(silent) {}
  }

  @Test func `where traces are off nothing is recorded, and an address that may not be sent to ends the start`()
    async throws
  {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let server = try workshop.serve()
    #expect(
      try await ask(server.admin, "/admin/v1/pages", fields: ["traceparent": Self.parent]).status == 401)
    for fate in ["sent", "dropped"] {
      #expect(try await server.metric(#"hearth_trace_spans_total{fate="\#(fate)"}"#) == 0)
    }
    #expect(server.end() == 0)
    let refused = try workshop.run(
      workshop.serving, environment: ["HEARTH_TRACES_TO": "http://127.0.0.1:4318/v1/traces"])
    #expect(refused.status == 78)
    #expect(refused.error.contains("outgoing.addressesAllowed does not list it"), "\(refused.error)")
    let wrong = try workshop.run(workshop.serving, environment: ["HEARTH_TRACES_TO": "collector:4318"])
    #expect(wrong.status == 78)
    #expect(wrong.error.contains("HEARTH_TRACES_TO must be an address such as"), "\(wrong.error)")
  }
}
