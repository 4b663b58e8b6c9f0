import Crypto
import Foundation
import HomePayload
import Synchronization
import Testing

@testable import Polling

/// What a client with pinned keys takes, keeps and says, beyond the cases of Tests/ClientCases/signatures.json.
@Suite struct SignaturesTests {
  private static let key = Curve25519.Signing.PrivateKey()
  private static let pinned = Data(key.publicKey.rawRepresentation).base64EncodedString()
  private static let id = String(Digest.hexadecimal(Digest.sha256(Array(key.publicKey.rawRepresentation))).prefix(16))

  /// An answer signed for a day from now on.
  private static func signed(_ bytes: [UInt8], _ revision: String) throws -> TransportAnswer {
    let created = Int64(Date().timeIntervalSince1970)
    let signature = PageSignature(.page, created: created, expires: created + 86_400, keyID: id)
    let digest = PageSignature.digest(Digest.sha256(bytes))
    let made = Array(try key.signature(for: signature.base(digest, revision: revision)))
    let fields = PageSignature.fields([.init(signature, bytes: made)])
    return TransportAnswer(
      status: 200,
      fields: [
        "Hearth-Revision": revision, "Unencoded-Digest": digest, "Signature-Input": fields.input,
        "Signature": fields.signature,
      ], body: bytes)
  }

  private static func client(
    _ answers: [TransportAnswer], _ mode: SignaturePolicy.Mode? = .require, storage: PageStorage? = nil,
    holding page: Page? = nil, asked: Requested = Requested()
  ) throws -> PageClient {
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.signatures = try mode.map { try SignaturePolicy($0, keys: [pinned]) }
    settings.timing.pauseMin = 0
    let left = Mutex(answers)
    return PageClient(
      settings, storage: storage, holding: page,
      transport: { request in
        asked.requests.withLock { $0.append(request) }
        let answer = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let answer else { throw ClientError.unreachable("no network") }
        return answer
      })
  }

  @Test func `keys that cannot be pinned are refused, each with what is wrong`() throws {
    let wrong: [([String], String)] = [
      ([], "There are 0 keys"), (Array(repeating: Self.pinned, count: 5), "There are 5 keys"),
      ([Self.pinned, Self.pinned], "is there twice"), (["c2hvcnQ="], "base64 of 32 bytes"),
      (["%"], "base64 of 32 bytes"),
    ]
    for (keys, message) in wrong {
      let error = #expect(throws: SignaturePolicy.InvalidKey.self) { try SignaturePolicy(.require, keys: keys) }
      #expect(error?.description.contains(message) == true)
    }
    #expect(try SignaturePolicy(.report, keys: [Self.pinned]).keyIDs == [Self.id])
    let never = try SignaturePolicy(.require, keys: [Self.pinned]) { _, _, _ in false }
    #expect(never.keyIDs == [Self.id])
  }

  @Test func `the signature and the highest edition are kept with the page, and a later start goes by both`()
    async throws
  {
    let record = Mutex(Data?.none)
    let storage = PageStorage(load: { record.withLock(\.self) }, save: { data in record.withLock { $0 = data } })
    let first = Sample.first.canonicalBytes
    let unsigned = TransportAnswer(status: 200, fields: ["Hearth-Revision": "1.7"], body: first)
    // An earlier app kept the page without a signature.
    let earlier = try Self.client([unsigned], nil, storage: storage)
    _ = try await earlier.poll()
    await earlier.enterBackground()
    let upgraded = try Self.client([try Self.signed(first, "1.9")], storage: storage)
    await upgraded.load()
    #expect(await upgraded.state.standing == .noData)
    #expect(await upgraded.storageFailure?.contains("it is not signed") == true)
    _ = try await upgraded.poll()
    #expect(await upgraded.state.verification == .verified(by: Self.id))
    await upgraded.enterBackground()
    #expect(await upgraded.storageFailure == nil)
    // The file is good on its own; what was replayed since is older than what the key signed.
    let stored = try #require(record.withLock { $0.flatMap(StoredPage.init(record:)) })
    #expect(stored.highest == [Self.id: PageRevision("1.9")])
    let older = try Self.signed(first, "1.8")
    let later = try Self.client([older, older], storage: storage)
    await later.load()
    #expect(await later.state.standing == .cached)
    #expect(await later.verification == .verified(by: Self.id))
    await #expect(throws: ClientError.dropped(PageRevision(generation: 1, number: 8))) { try await later.poll() }
    // Whoever changes the page in the file and makes its hashes anew has no signature for it.
    var forged = stored
    forged.bytes = Sample.second.canonicalBytes
    record.withLock { $0 = forged.record }
    let deceived = try Self.client([], storage: storage)
    await deceived.load()
    #expect(await deceived.state.standing == .noData)
    #expect(await deceived.storageFailure?.contains("other content") == true)
    let reporting = try Self.client([], .report, storage: storage)
    await reporting.load()
    #expect(await reporting.state.page == Sample.second)
    #expect(await reporting.verification == .failed(.otherContent))
  }

  @Test func `each change of who signed is a state, and the same again is none`() async throws {
    let first = Sample.first.canonicalBytes
    let unsigned = TransportAnswer(
      status: 200, fields: ["Hearth-Revision": "1.7", "Cache-Control": "max-age=0"], body: first)
    let signed = try Self.signed(first, "1.7")
    let client = try Self.client([unsigned, unsigned, signed], .report)
    await client.refreshAlways()
    var states = client.states.makeAsyncIterator()
    #expect(await states.next()?.verification == nil)
    let reported = await states.next()
    #expect(reported?.verification == .failed(.unsigned))
    #expect(reported?.standing == .upToDate)
    let verified = await states.next()
    #expect(verified?.verification == .verified(by: Self.id))
    #expect(verified?.update == nil)
  }

  @Test func `a page that came with the app is shown, and asked for whole where signatures are required`() async throws
  {
    let asked = Requested()
    let client = try Self.client(
      [try Self.signed(Sample.first.canonicalBytes, "1.7")], holding: Sample.first, asked: asked)
    #expect(await client.state.standing == .cached)
    #expect(try await client.poll() == nil)
    #expect(await client.verification == .verified(by: Self.id))
    _ = try? await client.poll()
    #expect(asked.all.map { $0["If-None-Match"] } == [nil, Sample.first.tag])
  }

  @Test func `of a page with more than the library knows, whole pages are asked for`() async throws {
    let text = String(decoding: Sample.first.canonicalBytes, as: UTF8.self)
    let bare = text.replacing(",\"version\":\"\(Sample.first.version)\"", with: "").dropLast() + ",\"later\":1}"
    let version = Page.version(of: Array(bare.utf8))
    let newer = Array(bare.replacing("{\"page\":\"home\"", with: "{\"page\":\"home\",\"version\":\"\(version)\"").utf8)
    let asked = Requested()
    let client = try Self.client(
      [try Self.signed(newer, "1.7"), try Self.signed(Sample.second.canonicalBytes, "1.8")], asked: asked)
    #expect(try await client.poll()?.page.version == version)
    #expect(try await client.poll()?.page == Sample.second)
    #expect(asked.all.map { $0["If-None-Match"] } == [nil, "W/\"\(version)\""])
    #expect(asked.all.map { $0["A-IM"] } == [nil, nil])
  }
}

/// What was asked.
private final class Requested: Sendable {
  let requests = Mutex<[TransportRequest]>([])
  var all: [TransportRequest] { requests.withLock(\.self) }
}

extension PageClient {
  /// Lets no time pass between polls.
  fileprivate func refreshAlways() {
    let time = Mutex(TimeInterval(0))
    now = {
      time.withLock { time in
        time += 1_000
        return time
      }
    }
  }
}
