/// A table that migrations have made, as everything knows it that goes over tables.
struct StoredTable: Sendable {
  let name: String
  /// Columns whose values together are there once, in the order that an index has them.
  let key: [String]
  /// The column that holds bytes: PostgreSQL answers them as text.
  let bytes: String?
  /// Whether the database numbers the rows. Statements number those of the others.
  let isNumbered: Bool

  private init(_ name: String, _ key: String..., bytes: String? = nil, isNumbered: Bool = false) {
    (self.name, self.key, self.bytes, self.isNumbered) = (name, key, bytes, isNumbered)
  }

  static let pages = StoredTable("pages", "id")
  static let sections = StoredTable("sections", "page", "id")
  static let items = StoredTable("items", "page", "section", "slot", "id")
  static let sectionPieces = StoredTable("section_pieces", "id")
  static let sectionDocuments = StoredTable("section_documents", "fingerprint")
  static let revisions = StoredTable("revisions", "page", "number")
  static let revisionSections = StoredTable("revision_sections", "page", "number", "position")
  static let scheduledPublishes = StoredTable("scheduled_publishes", "id", isNumbered: true)

  /// What belongs to one database alone, and is not copied to another. SQLite has no need of the first two.
  static let ofOneDatabase = ["changes", "nodes", "webhook_sender", "source_asker"]

  /// All others, none before one that it refers to.
  static let all = [
    StoredTable("audit", "id"), pages, sections, items, StoredTable("item_places", "page", "section", "item"),
    StoredTable("sort_rules", "page", "name"), StoredTable("sort_rule_indices", "page", "rule", "section"),
    StoredTable("audiences", "name"), sectionPieces, sectionDocuments,
    StoredTable("revision_numbers", "page"), revisions, revisionSections,
    StoredTable("history", "id"), scheduledPublishes, StoredTable("scheduled_sections", "scheduled", "section"),
    StoredTable("pushed", "page", "section", "item"),
    StoredTable("known_versions", "id", isNumbered: true), StoredTable("tokens", "selector"),
    StoredTable("idempotency_keys", "token", "key"), StoredTable("withheld", "family", "kind"),
    StoredTable("assets", "id", bytes: "bytes", isNumbered: true), StoredTable("kinds", "id"),
    StoredTable("previews", "id", isNumbered: true),
    StoredTable("webhooks", "id", isNumbered: true), StoredTable("webhook_deliveries", "id", isNumbered: true),
  ]
}
