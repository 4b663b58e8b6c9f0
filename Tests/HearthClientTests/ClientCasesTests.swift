import Foundation
import HomePayload
import JSON
import Synchronization
import Testing

@testable import Polling

/// The cases of Tests/ClientCases, as Tests/TypeScriptClient/cases.test.mjs runs them.
@Suite struct ClientCasesTests {
  @Test(arguments: try ClientCase.all()) func `a client holds, asks next and reports what the case says`(
    aCase: ClientCase
  ) async throws {
    let cut = try aCase.cutEverywhere ? ClientCase.document(aCase.firstBody).count : 0
    for chance in [0.0, 1.0] { try await CaseRun(aCase, chance: chance, cut: cut > 0 ? cut - 1 : nil).go() }
    for cut in 0..<cut { try await CaseRun(aCase, chance: 0, cut: cut).go() }
  }

  @Test func `the documents are what the server makes of them`() throws {
    let beyond = try ClientCase.document("beyond")
    #expect(try Page(bytes: beyond).canonicalBytes == beyond)
    for (old, new) in [("first", "second"), ("second", "third"), ("newer", "newer-next")] {
      let pages = try [old, new].map { try Page(bytes: ClientCase.document($0)) }
      let changes = try ChangeSet(bytes: ClientCase.document("\(old)-to-\(new)"))
      #expect(try pages[0].applying(changes) == pages[1])
      guard old != "newer" else { continue }
      #expect(ChangeSet.changes(from: pages[0], to: pages[1]).canonicalBytes == changes.canonicalBytes)
    }
  }
}

/// One case: what a client holds, and turns of its loop.
struct ClientCase: Sendable, CustomTestStringConvertible {
  let file: String
  let json: JSON

  var testDescription: String { "\(file): \(json["name"]?.string ?? "")" }
  var turns: [JSON] { json["turns"]?.array ?? [] }
  var cutEverywhere: Bool { json["cutEverywhere"]?.bool ?? false }
  var firstBody: String { turns.first?["exchanges"]?.array?.first?["answer"]?["body"]?.string ?? "" }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("ClientCases")

  static func all() throws -> [ClientCase] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
    return try files.sorted().flatMap { file in
      let cases = try JSON.parse([UInt8](Data(contentsOf: folder.appendingPathComponent(file))))
      return (cases.array ?? []).map { ClientCase(file: file, json: $0) }
    }
  }

  /// Whose signatures the client wants.
  var signatures: SignaturePolicy? {
    get throws {
      guard let wanted = json["signatures"] else { return nil }
      return try SignaturePolicy(
        wanted["mode"]?.string == "require" ? .require : .report,
        keys: (wanted["keys"]?.array ?? []).compactMap(\.string))
    }
  }

  /// What a client kept before the case begins.
  var storage: PageStorage? {
    get throws {
      guard let kept = json["kept"], let page = kept["page"]?.string else { return nil }
      let stored = StoredPage(
        address: "https://home.example.com/v1/pages/home",
        revision: kept["revision"]?.string.flatMap(PageRevision.init),
        since: Date(timeIntervalSince1970: 0), bytes: try Self.document(page),
        signed: kept["signed"]?.object.map { SignedFields(json: .object($0)) },
        highest: (kept["highest"]?.object ?? JSONObject()).reduce(into: [:]) {
          $0[$1.name] = $1.value.string.flatMap(PageRevision.init)
        })
      return PageStorage(load: { stored.record }, save: { _ in })
    }
  }

  static func document(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("documents/\(name).json")))
  }

  /// The entity tag of a page, or of the page that a change set leads to.
  static func tag(_ name: String) throws -> String {
    let json = try JSON.parse(try document(name))
    return "W/\"\((json["to"] ?? json["version"])?.string ?? "")\""
  }
}

/// A client whose transport answers as a case says, on a clock that stands still but for what the case says.
private actor CaseRun {
  private let aCase: ClientCase
  private let chance: Double
  private let cut: Int?
  private var exchanges: [JSON] = []
  private let time = Time()

  init(_ aCase: ClientCase, chance: Double, cut: Int?) {
    self.aCase = aCase
    self.chance = chance
    self.cut = cut
  }

  func go() async throws {
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.wait = TimeInterval(aCase.json["wait"]?.int ?? 0)
    settings.signatures = try aCase.signatures
    let page = try aCase.json["holds"]?.string.map { try Page(bytes: ClientCase.document($0)) }
    let client = PageClient(
      settings, storage: try aCase.storage, holding: page,
      of: aCase.json["revision"]?.string.flatMap(PageRevision.init),
      transport: { request in try await self.answer(request) })
    await client.use(now: { [time] in time.now }, chance: { [chance] in chance })
    for turn in aCase.turns {
      exchanges = turn["exchanges"]?.array ?? []
      await client.load()
      let before = await client.page
      time.advance(by: max(0, await client.due - time.now))
      await client.pollInTurn()
      #expect(exchanges.isEmpty, "fewer requests than the case has")
      try await check(client, before, turn)
      for act in turn["then"]?.array ?? [] { await Self.does(act, client) }
    }
  }

  /// What the app does after a turn.
  private static func does(_ act: JSON, _ client: PageClient) async {
    func given(_ name: String) -> [String: String]? {
      act[name]?.object.map { told in Dictionary(uniqueKeysWithValues: told.map { ($0.name, $0.value.string ?? "") }) }
    }
    switch act {
    case "reset": await client.reset()
    case "hold": await client.hold()
    case "activate": await client.activate()
    default: break
    }
    if let told = given("tell") {
      await client.change { settings in
        settings.locale = told["locale"]
        settings.attributes = told.filter { $0.key != "locale" }
      }
    }
    if let overrides = given("override") { await client.change { $0.overrides = overrides } }
  }

  private func check(_ client: PageClient, _ before: Page?, _ turn: JSON) async throws {
    let page = try turn["holds"]?.string.map { try Page(bytes: ClientCase.document($0)) }
    #expect(await client.page == page)
    if let revision = turn["revision"] { #expect(await client.revision?.description == revision.string) }
    if let name = turn["changes"]?.string {
      let changes = try ChangeSet(bytes: ClientCase.document(name))
      #expect(await client.update(from: before)?.changes == changes)
    }
    let state = await client.state
    #expect(state.failure?.name == turn["reports"]?.string)
    if let name = turn["state"]?.string { #expect(state.standing.name == name) }
    if let because = turn["because"]?.string {
      if case .unverified(let failure)? = state.failure {
        #expect(failure.name == because)
      } else {
        Issue.record("\(String(describing: state.failure)) instead of \(because)")
      }
    }
    if let name = turn["verification"]?.string { #expect(state.verification?.name == name) }
    if let code = turn["code"]?.string, case .refused(let refusal)? = state.failure { #expect(refusal.code == code) }
    if let pause = turn["pause"]?.array, let seconds = pause[chance == 0 ? 0 : 1].number?.double {
      #expect(abs(await client.due - time.now - seconds) < 0.000_001)
    }
  }

  private func answer(_ request: TransportRequest) throws -> TransportAnswer {
    let exchange = try #require(exchanges.first, "more requests than the case has")
    exchanges.removeFirst()
    #expect(request.url.absoluteString.prefix { $0 != "?" } == "https://home.example.com/v1/pages/home")
    #expect(try asked(request) == exchange["asks"])
    let accepted = #"sig1=("unencoded-digest" "hearth-revision");created;expires;keyid;alg="ed25519""#
    #expect(request["Accept-Signature"] == aCase.json["signatures"].map { _ in accepted })
    let answer = try #require(exchange["answer"])
    guard answer["fails"] == nil else { throw URLError(.networkConnectionLost) }
    time.advance(by: TimeInterval(answer["after"]?.int ?? 0))
    var body = answer["text"]?.string.map { Array($0.utf8) } ?? []
    var fields = ["Cache-Control": "public, max-age=30"]
    if let name = answer["body"]?.string {
      body = try ClientCase.document(name)
      fields["ETag"] = try ClientCase.tag(name)
    }
    if let edit = answer["replace"]?.array?.compactMap(\.string) {
      body = Array(String(decoding: body, as: UTF8.self).replacingOccurrences(of: edit[0], with: edit[1]).utf8)
    }
    if let cut, answer["isWhole"] == nil { body = Array(body.prefix(cut)) }
    if let tag = answer["tag"]?.string { fields["ETag"] = try ClientCase.tag(tag) }
    fields["Hearth-Revision"] = answer["revision"]?.string
    let status = answer["status"]?.int ?? 0
    if status == 226 { fields["IM"] = "hearth-changes" }
    for field in answer["fields"]?.object ?? JSONObject() { fields[field.name] = field.value.string }
    return TransportAnswer(status: status, fields: fields, body: body)
  }

  private func asked(_ request: TransportRequest) throws -> JSON {
    var asks = JSONObject()
    let tag = request["If-None-Match"]
    #expect(request["A-IM"] == tag.map { _ in "hearth-changes" })
    if let tag {
      let names = ["first", "second", "third", "empty", "newer", "newer-next"]
      asks["changesOf"] = try names.first { try ClientCase.tag($0) == tag }.map { .string($0) }
    }
    if let preference = request["Prefer"] {
      asks["wait"] = try JSON.parse(String(preference.dropFirst("wait=".count)))
    }
    if request["Cache-Control"] == "no-cache" { asks["pastCaches"] = true }
    asks["query"] = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.percentEncodedQuery.map {
      .string($0)
    }
    return .object(asks)
  }
}

/// A clock that goes on when it is told to.
private final class Time: Sendable {
  private let instant = Mutex(TimeInterval(1_000))

  var now: TimeInterval { instant.withLock { $0 } }
  func advance(by seconds: TimeInterval) { instant.withLock { $0 += seconds } }
}

extension PageClient {
  fileprivate func use(
    now: @escaping @Sendable () -> TimeInterval, chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.chance = chance
    date = { Date(timeIntervalSince1970: 1_000_000_000 + now() - 1_000) }
  }
}

extension ClientError {
  /// What went wrong, by the name that the cases have for it.
  fileprivate var name: String {
    switch self {
    case .dropped: "dropped"
    case .otherHistory: "otherHistory"
    case .unreachable: "unreachable"
    case .refused: "refused"
    case .unreadable: "unreadable"
    case .unverified: "unverified"
    }
  }
}

extension PageVerification {
  /// The key, or why there is none, by the name that the cases have for it.
  fileprivate var name: String {
    switch self {
    case .verified(let id): id
    case .failed(let failure): failure.name
    }
  }
}

extension SignatureFailure {
  fileprivate var name: String {
    switch self {
    case .unsigned: "unsigned"
    case .unreadable: "unreadable"
    case .unknownKey: "unknownKey"
    case .wrongSignature: "wrongSignature"
    case .otherContent: "otherContent"
    case .notYet: "notYet"
    case .expired: "expired"
    }
  }
}

extension PageState.Standing {
  /// The name that the cases have for it.
  fileprivate var name: String {
    switch self {
    case .noData: "noData"
    case .cached: "cached"
    case .upToDate: "upToDate"
    case .stale: "stale"
    }
  }
}
