import Foundation
import JSON
import Layout
import Storage
import Testing

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
