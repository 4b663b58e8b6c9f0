import Foundation
import HTTPClient
import Peers
import Synchronization
import Testing

@testable import Backup

/// A bucket whose server does not do as it should.
@Suite struct BucketTests {
  private let folder = NSTemporaryDirectory() + "/hearth-bucket-\(UUID().uuidString)"

  private func store(_ endpoint: FakeEndpoint) throws -> ObjectStore {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let keys = folder + "/keys"
    try "aws_access_key_id = a\naws_secret_access_key = b\n".write(toFile: keys, atomically: true, encoding: .utf8)
    var settings = BackupSettings()
    (settings.endpoint, settings.credentialsFile) = ("http://127.0.0.1:\(endpoint.port)", keys)
    return try ObjectStore("homes/box", settings, timeout: .milliseconds(500))
  }

  private func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch { return "\(error)" }
  }

  @Test(arguments: [
    FakeEndpoint.Deed.waits, .drips(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8)), .drips([]),
  ])
  func `one that never answers, or a byte at a time, is given up in time`(deed: FakeEndpoint.Deed) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let endpoint = try FakeEndpoint { _ in deed }
    defer { endpoint.stop() }
    let store = try store(endpoint)
    let whys = [
      refusal { try store.put("series/x", [1], replaces: false) }, refusal { _ = try store.get("series/x") },
      refusal { _ = try store.list("series/") },
    ]
    for why in whys { #expect(why.hasPrefix("s3://homes/box: ") && why != "s3://homes/box: ", "\(why)") }
  }

  @Test func `one that is full says so`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let endpoint = try FakeEndpoint { _ in
      .answer("507 Insufficient Storage", [], "<Error><Code>QuotaExceeded</Code></Error>")
    }
    defer { endpoint.stop() }
    let store = try store(endpoint)
    let why = refusal { try store.put("series/x", [1], replaces: false) }
    #expect(why == "s3://homes/box: PUT series/x is answered with 507, QuotaExceeded")
  }

  @Test func `a piece that arrived though its answer was lost is no other's, and one that is is told`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let endpoint = try FakeEndpoint { head in
      head.hasPrefix("PUT") ? .answer("412 Precondition Failed") : .answer("200 OK", [], "mine")
    }
    defer { endpoint.stop() }
    let store = try store(endpoint)
    try store.put("series/x", Array("mine".utf8), replaces: false)
    do throws(TargetFailure) {
      try store.put("series/x", Array("other".utf8), replaces: false)
      Issue.record("it was taken")
    } catch { #expect(error.isTaken, "\(error)") }
  }
}
