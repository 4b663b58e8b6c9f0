import Foundation
import JSON
import Layout
import Peers
import Testing

@testable import Storage

/// Pictures in the database: kept once, within limits, for as long as something refers to them.
@Suite struct AssetTests {
  /// A picture of its own, by its size.
  private static func picture(_ width: UInt8, limits: AssetLimits = AssetLimits()) throws -> NewAsset {
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    return try NewAsset(head + Array("IHDR".utf8) + [0, 0, 0, width, 0, 0, 0, 1, 8, 6, 0, 0, 0], within: limits)
  }

  @Test func `the same bytes are kept once, and come back as they were`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let asset = try Self.picture(9)
      let first = try await store.keep(asset, within: AssetLimits(), by: editor)
      let second = try await store.keep(asset, within: AssetLimits(), by: editor)
      #expect(first.isNew && !second.isNew && first.asset == second.asset)
      #expect((first.asset.width, first.asset.height, first.asset.size) == (9, 1, asset.bytes.count))
      #expect(try await store.assetBytes(asset.name) == asset.bytes)
      #expect(try await store.assetSizes() == [asset.name: asset.bytes.count])
      #expect(try await store.audit(limit: 10).count { $0.action == "asset.put" } == 1)
    }
  }

  @Test func `no more pictures, bytes and pixels are kept than may be`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      var limits = AssetLimits()
      limits.countMax = 2
      for width in [1, 2] as [UInt8] {
        _ = try await store.keep(try Self.picture(width), within: limits, by: editor)
      }
      let third = try Self.picture(3)
      await #expect(throws: AssetRefusal.full(bytes: 2 * third.bytes.count, count: 2, limits)) {
        try await store.keep(third, within: limits, by: editor)
      }
      // What is there already is no more.
      #expect(try await !store.keep(try Self.picture(2), within: limits, by: editor).isNew)
      limits.countMax = 9
      limits.totalBytesMax = 3 * third.bytes.count - 1
      await #expect(throws: AssetRefusal.self) { try await store.keep(third, within: limits, by: editor) }
      limits.bytesMax = third.bytes.count - 1
      #expect(throws: AssetRefusal.tooLarge(bytes: third.bytes.count, most: limits.bytesMax)) {
        try Self.picture(3, limits: limits)
      }
      limits = AssetLimits()
      limits.pixelsMax = 2
      #expect(throws: AssetRefusal.tooManyPixels(pixels: 3, most: 2)) { try Self.picture(3, limits: limits) }
    }
  }

  @Test func `what neither a draft nor a kept revision refers to goes after the days, and nothing else`() async throws {
    try await withStore { temporary in
      let (store, clock) = (temporary.store, temporary.clock)
      var names: [AssetName] = []
      for width in 1...3 as ClosedRange<UInt8> {
        names.append(try await store.keep(try Self.picture(width), within: AssetLimits(), by: editor).asset.name)
      }
      func page(_ name: AssetName) throws -> LayoutDocument {
        let text = """
          {"hearth": 1, "pages": {"home": {"title": "Home", "defaultLocale": "en", "locales": ["en"], "sections": [
            {"id": "a", "kind": "k", "items": [{"id": "i", "kind": "b", "content": {"image": {"url": "\(name.url)"}}}]}
          ]}}}
          """
        return try LayoutDocument(json: try JSON.parse(Array(text.utf8)), in: Pages.context)
      }
      // The first is published, the second drafted, the third of no use.
      _ = try await store.import(try page(names[0]), by: editor)
      _ = try await store.publish("home", .draft, message: nil, if: .none, by: editor) { _ in ((), .array([])) }
      _ = try await store.import(try page(names[1]), by: editor)
      #expect(try await store.assets(ofDraft: "home") == [names[1]])
      #expect(try await store.assetsOfLivePages(known: [:]).values.reduce([]) { $0.union($1) } == [names[0]])
      let day: Int64 = 86_400
      clock.advance(by: 20 * day)
      #expect(try await store.removeUnusedAssets(unusedSince: clock.now.adding(seconds: -30 * day)) == [])
      clock.advance(by: 11 * day)
      #expect(try await store.removeUnusedAssets(unusedSince: clock.now.adding(seconds: -30 * day)) == [names[2]])
      #expect(Set(try await store.assetSizes().keys) == [names[0], names[1]])
      #expect(try await store.assetBytes(names[2]) == nil)
    }
  }

  /// A page whose one item has a picture, or none.
  private static func page(_ name: AssetName?) throws -> LayoutDocument {
    let text = """
      {"hearth": 1, "pages": {"home": {"title": "Home", "defaultLocale": "en", "locales": ["en"], "sections": [
        {"id": "a", "kind": "k", "items": [{"id": "i", "kind": "b", "content": {"image": {"url": "\(name?.url ?? "none")"}}}]}
      ]}}}
      """
    return try LayoutDocument(json: try JSON.parse(Array(text.utf8)), in: Pages.context)
  }

  @Test func `a picture is removed once nothing refers to it, and its uses are named before`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let name = try await store.keep(try Self.picture(1), within: AssetLimits(), by: editor).asset.name
      func uses() async -> [AssetUse] {
        do { try await store.removeAsset(name, fromHistory: false, by: editor) } catch let error as AssetInUse {
          return error.uses
        } catch { Issue.record(error) }
        return []
      }
      func publish() async throws {
        _ = try await store.publish("home", .draft, message: nil, if: .none, by: editor) { _ in ((), .array([])) }
      }
      let draft = AssetUse(place: .draft, page: "home", section: "a")
      _ = try await store.import(try Self.page(nil), by: editor)
      try await publish()
      _ = try await store.import(try Self.page(name), by: editor)
      #expect(await uses() == [draft])
      _ = try await store.schedulePublish(
        "home", .draft, at: temporary.clock.now.adding(seconds: 90), zone: "UTC", message: nil, if: .none, by: editor
      ) { _ in }
      #expect(await uses() == [draft, AssetUse(place: .scheduled, page: "home", section: "a")])
      try await store.cancelScheduledPublish("home", 1, by: editor)
      try await publish()
      let live = AssetUse(place: .live, page: "home", section: "a", revision: 2)
      #expect(await uses() == [live, draft])
      _ = try await store.import(try Self.page(nil), by: editor)
      #expect(await uses() == [live])
      await #expect(throws: AssetInUse.self) {
        try await store.removeAsset(name, fromHistory: true, by: editor)
      }
      try await publish()
      #expect(await uses() == [AssetUse(place: .revision, page: "home", section: "a", revision: 2)])
      try await store.removeAsset(name, fromHistory: true, by: editor)
      #expect(try await store.assetSizes().isEmpty)
      #expect(try await store.audit(limit: 1).map { [$0.action, $0.detail] } == [["asset.delete", "\(name)"]])
      await #expect(throws: StoreError.self) { try await store.removeAsset(name, fromHistory: true, by: editor) }
    }
  }

  @Test func `what refers to a picture is found in the last part of what is kept`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      var names: [AssetName] = []
      for width in 1...2 as ClosedRange<UInt8> {
        names.append(try await store.keep(try Self.picture(width), within: AssetLimits(), by: editor).asset.name)
      }
      func uses(of name: AssetName) async -> [AssetUse] {
        do { try await store.removeAsset(name, fromHistory: false, by: editor) } catch let error as AssetInUse {
          return error.uses
        } catch { Issue.record(error) }
        return []
      }
      _ = try await store.import(try Self.page(names[0]), by: editor)
      try await store.publish()
      _ = try await store.import(try Self.page(nil), by: editor)
      try await store.publish()
      // Before the one in question in the order of the keys, each some parts; the newest revision by its number, not its text.
      let count = 2 * MentioningTable.rowsMax + 1
      let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
      try temporary.execute(
        "\(numbers) INSERT INTO section_documents (fingerprint, document) SELECT '!' || i, '{}' FROM n")
      try temporary.execute(
        """
        INSERT INTO revision_numbers (page, last) VALUES ('home', \(count + 2))
        ON CONFLICT (page) DO UPDATE SET last = excluded.last
        """)
      try temporary.execute(
        """
        \(numbers) INSERT INTO revisions
          (page, number, kind, author, made_at, fingerprint, settings, sort_rules, audiences, problems)
        SELECT 'home', i + 2, 'publish', 'a', 0, 'f', CASE i WHEN \(count) THEN '\(names[1].url)' ELSE '{}' END, '{}', '{}', '[]'
        FROM n
        """)
      #expect(await uses(of: names[0]) == [AssetUse(place: .revision, page: "home", section: "a", revision: 1)])
      #expect(await uses(of: names[1]) == [AssetUse(place: .revision, page: "home", revision: count + 2)])
      temporary.clock.advance(by: 100)
      #expect(try await store.removeUnusedAssets(unusedSince: temporary.clock.now) == [])
      try temporary.execute("DELETE FROM \(TestEngine.isPostgreSQL ? "revisions" : "kept_revisions") WHERE number > 2")
      #expect(try await store.removeUnusedAssets(unusedSince: temporary.clock.now) == [names[1]])
    }
  }

  @Test func `what comes to refer to a picture while it is looked for is found before it is removed`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let name = try await store.keep(try Self.picture(1), within: AssetLimits(), by: editor).asset.name
      func schedule() async throws {
        _ = try await store.schedulePublish(
          "home", .draft, at: temporary.clock.now.adding(seconds: 90), zone: "UTC", message: nil, if: .none, by: editor
        ) { _ in }
      }
      func uses(since moment: Moment, known: Set<String> = []) async throws -> [AssetUse] {
        try await store.read { db in Mention.uses(try moment.mentionsSince(of: name, known: known, db)) }
      }
      let draft = AssetUse(place: .draft, page: "home", section: "a")
      _ = try await store.import(try Self.page(name), by: editor)
      try await store.publish()
      let fingerprint = try #require(
        try temporary.value("SELECT fingerprint FROM section_documents WHERE document LIKE '%\(name)%'", String.self))
      _ = try await store.import(try Self.page(nil), by: editor)
      try await store.publish()
      var moment = try await store.read(Moment.init)
      #expect(try await uses(since: moment) == [])
      // Of a revision that was there it was said; of those that came, and have nothing of it, there is nothing to say.
      _ = try await store.import(try Self.page(nil), by: editor)
      try await store.publish()
      #expect(try await uses(since: moment, known: [fingerprint]) == [])
      _ = try await store.import(try Self.page(name), by: editor)
      #expect(try await uses(since: moment) == [draft])
      try await schedule()
      #expect(
        try await uses(since: moment, known: [fingerprint]) == [
          draft, AssetUse(place: .scheduled, page: "home", section: "a"),
        ])
      moment = try await store.read(Moment.init)
      try await store.publish("home", .revision(1, resetsDraft: false))
      #expect(
        try await uses(since: moment, known: [fingerprint]) == [
          AssetUse(place: .live, page: "home", section: "a", revision: 4)
        ])
    }
  }

  @Test func `one source has its share of the room, by count and by bytes, and others have the rest`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let feed = Actor(name: "feed")
      func keep(_ width: UInt8, _ limits: AssetLimits, _ actor: Actor, isOfSource: Bool = true) async throws {
        _ = try await store.keep(try Self.picture(width), within: limits, isOfSource: isOfSource, by: actor)
      }
      var limits = AssetLimits()
      (limits.countMax, limits.sourcePercentMax) = (8, 25)
      try await keep(1, limits, feed)
      try await keep(2, limits, feed)
      let bytes = try Self.picture(1).bytes.count
      await #expect(throws: AssetRefusal.shareFull(bytes: 2 * bytes, count: 2, limits)) {
        try await keep(3, limits, feed)
      }
      // What is there is no more of it; another source and an operator have room.
      try await keep(2, limits, feed)
      try await keep(3, limits, Actor(name: "other feed"))
      try await keep(4, limits, editor, isOfSource: false)
      try await keep(5, limits, Actor(name: "feed"), isOfSource: false)
      (limits.countMax, limits.totalBytesMax) = (20, 12 * bytes)
      await #expect(throws: AssetRefusal.shareFull(bytes: 3 * bytes, count: 3, limits)) {
        try await keep(6, limits, feed)
      }
      try await keep(6, limits, Actor(name: "other feed"))
    }
  }

  @Test func `a document brings its pictures along`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let asset = try Self.picture(7)
      var document = LayoutDocument(audiences: [:], pages: [])
      document.assets[asset.name] = asset.bytes
      let read = try LayoutDocument(json: document.json, in: Pages.context)
      #expect(read.assets == document.assets)
      #expect(try await store.import(read, dryRun: true, by: editor).addedAssets == [asset.name])
      #expect(try await store.assetSizes().isEmpty)
      _ = try await store.import(read, by: editor)
      #expect(try await store.assetBytes(asset.name) == asset.bytes)
      var wrong = document.json.object ?? JSONObject()
      wrong["assets"] = [asset.name.description: .string("AAAA")]
      #expect(throws: InvalidDocument.self) { try LayoutDocument(json: .object(wrong), in: Pages.context) }
    }
  }
}
