import Foundation
import HTTPServer
import HomePayload
import Layout
import Storage
import Testing

@testable import Serving
@testable import Service

/// What signatures are sent when keys, clocks and editions change. `scripts/test-signatures` verifies them.
@Suite struct SigningTests {
  private static let asking = ["Accept-Signature": PageSignature.accepted]

  private static func withSigningServer(
    clock: TestClock = TestClock(), settings change: (inout ServerSettings) -> Void = { _ in },
    _ body: (RunningServer, SigningKeyFolder) async throws -> Void
  ) async throws {
    let keys = SigningKeyFolder(path: try RunningServer.makeFolder() + "/keys")
    _ = try keys.create(at: clock.now)
    defer { try? FileManager.default.removeItem(atPath: keys.path) }
    try await withServer(
      clock: clock,
      settings: {
        $0.signing.keysFolder = keys.path
        change(&$0)
      }
    ) { try await body($0, keys) }
  }

  /// The signatures of an answer, as far as they are written right.
  private static func signatures(_ reply: Reply) -> [PageSignature] {
    PageSignature.read(input: reply["Signature-Input"] ?? "", signature: reply["Signature"] ?? "").map(\.signature)
  }

  @Test func `signatures are renewed at half of their life, and made anew where the clock is set back`() async throws {
    let clock = TestClock()
    try await Self.withSigningServer(clock: clock) { server, _ in
      let first = try #require(Self.signatures(try await server.get("/v1/home", Self.asking)).first)
      #expect(first.content == .page)
      #expect(first.expires - first.created == 86_400)
      // A publish in the midst, and then the time for renewal: what is signed is of the newer edition.
      _ = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", #"{"items":[]}"#)
      var shapes = 0
      /// Those of another shape each time: a loop keeps what counts by its own clock, which is not this one.
      func newest() async throws -> PageSignature? {
        shapes += 1
        return Self.signatures(try await server.get("/v1/home?n=\(shapes)", Self.asking)).first
      }
      clock.advance(by: 50_000)
      try await waitUntil { try await newest().map { $0.created >= first.created + 43_200 } ?? false }
      clock.advance(by: -90_000)
      try await waitUntil { try await newest().map { $0.created <= clock.now.secondsSinceEpoch } ?? false }
    }
  }

  @Test func `keys that are reloaded sign at once, and none that was retired`() async throws {
    try await Self.withSigningServer { server, keys in
      let old = try #require(try keys.entries.first)
      let new = try keys.create(at: .now.adding(seconds: 1))
      #expect(throws: SigningKeyFailure.self) { try keys.create(at: .now) }
      await server.server.reloadSigningKeys()
      var reply = try await server.get("/v1/home", Self.asking)
      #expect(Self.signatures(reply).map(\.keyID) == [new.id, old.id])
      try keys.retire(old.id, at: .now)
      await server.server.reloadSigningKeys()
      reply = try await server.get("/v1/home", Self.asking)
      #expect(Self.signatures(reply).map(\.keyID) == [new.id])
      let unchanged = try await server.get(
        "/v1/home", Self.asking.merging(["If-None-Match": reply["ETag"] ?? ""]) { $1 })
      #expect(unchanged.status == 304)
      #expect(Self.signatures(unchanged).map(\.content) == [.notModified])
      // Without any key there is nothing to sign with, and a server goes on.
      try keys.retire(new.id, at: .now)
      await server.server.reloadSigningKeys()
      reply = try await server.get("/v1/home", Self.asking)
      #expect(reply.status == 200 && reply["Signature"] == nil && reply["Unencoded-Digest"] == nil)
    }
  }

  @Test func `a key whose file is gone signs on, since nobody retired it`() async throws {
    try await Self.withSigningServer { server, keys in
      let key = try #require(try keys.entries.first)
      let file = "\(keys.path)/\(key.id).key"
      let text = try #require(FileManager.default.contents(atPath: file))
      try FileManager.default.removeItem(atPath: file)
      await server.server.reloadSigningKeys()
      #expect(Self.signatures(try await server.get("/v1/home", Self.asking)).map(\.keyID) == [key.id])
      // Nor does another one take its place by the mistake.
      let new = try keys.create(at: .now.adding(seconds: 1))
      await server.server.reloadSigningKeys()
      #expect(Self.signatures(try await server.get("/v1/home", Self.asking)).map(\.keyID) == [key.id])
      let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
      #expect(FileManager.default.createFile(atPath: file, contents: text, attributes: attributes))
      await server.server.reloadSigningKeys()
      #expect(Self.signatures(try await server.get("/v1/home", Self.asking)).map(\.keyID) == [new.id, key.id])
    }
  }

  @Test func `what is given up for want of room is signed when it is made again`() async throws {
    try await Self.withSigningServer(settings: { $0.variantBytesMax = 1 }) { server, _ in
      for bucket in 0..<20 {
        let reply = try await server.get("/v1/home?bucket=\(bucket)", Self.asking)
        #expect(Self.signatures(reply).count == 1)
      }
    }
  }

  @Test func `signatures that come late do not take the place of newer ones`() throws {
    let folder = SigningKeyFolder(path: try RunningServer.makeFolder() + "/keys")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    _ = try folder.create(at: .now)
    var settings = SigningSettings()
    settings.keysFolder = folder.path
    let signing = try PageSigning(settings, clock: { .now })
    let body = CodedBody(Array("{}".utf8), budget: ByteBudget(bytesMax: 1_000_000))
    let before = body.budget.bytes
    let revision = EditionNumber(generation: 1, revision: 1)
    let keys = PageSigning.Keys(serial: 2, keys: try settings.read())
    let newer = try #require(
      signing.signatures(of: body, tag: WeakTag("1"), revision: revision, instead: nil, by: keys))
    #expect(body.budget.bytes >= before + newer.bytesKept)
    // By the keys that count now, which are older: those by the next ones stay.
    #expect(signing.signatures(of: body, tag: WeakTag("1"), revision: revision, instead: newer) == nil)
    let now = Instant.now.nanoseconds
    #expect(newer.count(serial: 1, at: now) && newer.count(serial: 2, at: now) && !newer.count(serial: 3, at: now))
    #expect(!newer.count(serial: 2, at: now + 86_400_000_000_000))
    #expect(!newer.count(serial: 2, at: now - 2_000_000_000))
  }

  @Test func `a folder or a file that others can change or read is refused`() throws {
    let folder = SigningKeyFolder(path: try RunningServer.makeFolder() + "/keys")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    #expect(throws: SigningKeyFailure.self) { try folder.entries }
    let key = try folder.create(at: .now)
    let file = "\(folder.path)/\(key.id).key"
    for (path, mode, right) in [(folder.path, 0o722, 0o700), (file, 0o604, 0o600), (file, 0o640, 0o600)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(throws: SigningKeyFailure.self) { try folder.entries }
      try FileManager.default.setAttributes([.posixPermissions: right], ofItemAtPath: path)
      #expect(try folder.entries.map(\.id) == [key.id])
    }
    // Another key under this one's name, and a link.
    let other = try folder.create(at: .now)
    let contents = try String(contentsOfFile: file, encoding: .utf8)
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: file, withDestinationPath: "\(folder.path)/\(other.id).key")
    #expect(throws: SigningKeyFailure.self) { try folder.entries }
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: "\(folder.path)/\(other.id).key", toPath: file)
    #expect(throws: SigningKeyFailure.self) { try folder.entries }
    try contents.write(toFile: file, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(try folder.entries.map(\.id) == [key.id])
  }
}
