import GRDB
import JSON
import Layout
import Testing

@testable import Storage

/// How much of SQLite's log an item takes that is put.
@Suite(.ofSQLite) struct LogPagesTests {
  /// The pages that go into the log with each of some changes, on average: a table grows by a page now and then.
  private static func pages(_ temporary: TemporaryStore, _ change: (Int) async throws -> Void) async throws -> Double {
    let count = 12
    let log = try temporary.connection()
    let checkpoint: @Sendable (GRDB.Database) throws -> Int = { db in
      try GRDB.Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)").map { $0[1] as Int } ?? 0
    }
    _ = try await log.writeWithoutTransaction(checkpoint)
    var pages = 0
    for number in 0..<count {
      try await change(number)
      // Before SQLite writes the log into the file by itself, and begins it again.
      pages += try await log.writeWithoutTransaction { db in
        try GRDB.Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)").map { $0[1] as Int } ?? 0
      }
      _ = try await log.writeWithoutTransaction(checkpoint)
    }
    return Double(pages) / Double(count)
  }

  private static func item(_ number: Int, _ count: Int, _ title: String) -> ItemDefinition {
    ItemDefinition(
      id: "i\(number * 7_919 % count)", kind: "navigation",
      content: [
        "title": .string("\(title) \(number)"), "image": .string("https://img.example.com/\(number)/\(title).png"),
        "text": .string("What has about as many bytes as an item of a feed that has a title, a picture and a link"),
      ])
  }

  /// The pages that an item takes in a section of so many items: published, and in the draft alone.
  private static func pages(of document: String, items count: Int) async throws -> (published: Double, draft: Double) {
    var pages = (published: 0.0, draft: 0.0)
    try await withStore(document) { temporary in
      let store = temporary.store
      let items = (0..<count).map { number in
        var item = item(number, count, "New")
        item.id = "i\(number)"
        return item
      }
      try await store.fill("middle", SectionContent(items: items))
      try await store.publish()
      pages.published = try await Self.pages(temporary) { number in
        try await store.publish("home", .content(section: "middle", .put(item(number, count, "Published"))))
      }
      pages.draft = try await Self.pages(temporary) { number in
        try await store.edit("home", "middle", .put(item(number, count, "Draft")), if: .none, by: editor)
      }
    }
    return pages
  }

  @Test(arguments: [5, 200, 10_000])
  func `an item takes few pages of the log, whatever the size of its section`(items: Int) async throws {
    let pages = try await Self.pages(of: Self.page(sections: 1), items: items)
    #expect(pages.published <= 20)
    #expect(pages.draft <= 10)
  }

  /// A page of so many sections.
  private static func page(sections count: Int) -> String {
    let ids = ["middle"] + (1..<count).map { "section\($0)" }
    let sections = ids.map { #"{"id": "\#($0)", "kind": "list", "items": [{"id": "a", "kind": "navigation"}]}"# }
    let indices = ids.enumerated().map { #""\#($1)": \#($0)"# }
    return """
      {"hearth": 1, "pages": {"home": {"title": "Home", "defaultLocale": "en", "locales": ["en"], "pollInterval": 60,
        "sections": [\(sections.joined(separator: ", "))],
        "sortRules": {"default": {"indices": {\(indices.joined(separator: ", "))}}}}}}
      """
  }

  @Test(arguments: [13, 200])
  func `it takes as few on a page of many sections`(sections: Int) async throws {
    for items in [5, 2_000] {
      let pages = try await Self.pages(of: Self.page(sections: sections), items: items)
      #expect(pages.published <= 20)
      #expect(pages.draft <= 10)
    }
  }

  @Test func `beside other sections it takes little more, whatever the size of its section`() async throws {
    let few = try await Self.pages(of: Pages.home, items: 5)
    let many = try await Self.pages(of: Pages.home, items: 2_000)
    #expect(many.published <= few.published + 4)
    #expect(many.draft <= 10)
  }
}
