import JSON
import Layout
import Storage

/// What is live, as a node keeps it on its disk to begin with: definitions, and the variants that were ready.
struct Snapshot {
  /// A page, not yet looked into.
  struct Page {
    let id: String
    let number: EditionNumber
    let identity: String
    let json: JSON
    /// The bytes that it refers to.
    let pieces: ArraySlice<UInt8>
  }

  let pages: [Page]
  /// The kinds that they were made with.
  let kinds: JSON
  /// What their links were made with.
  let linkKey: LinkKey

  /// What tells the two from others (``Kinds/identity``).
  var kindsIdentity: String { Kinds.identity(Fingerprint.of(kinds.canonicalBytes), linkKey) }
}

extension Snapshot {
  /// The pages of a file; `nil` when it is not of the form that is written here.
  init?(_ contents: SnapshotFile.Contents) {
    guard let pages = Self.pages(of: contents), let (kinds, linkKey) = Self.kinds(of: contents) else { return nil }
    self.init(pages: pages, kinds: kinds, linkKey: linkKey)
  }

  /// The kinds that a document has, and the key; `nil` when it has none.
  static func kinds(of contents: SnapshotFile.Contents) -> (kinds: JSON, linkKey: LinkKey)? {
    guard let kinds = contents.document["kinds"], let key = contents.document["linkKey"]?.string else { return nil }
    return (kinds, LinkKey(key))
  }

  /// The pages that a document lists; `nil` when it is not of the form that is written here.
  static func pages(of contents: SnapshotFile.Contents) -> [Page]? {
    var left = contents.pieces
    var pages: [Page] = []
    for json in contents.document["pages"]?.array ?? [] {
      guard let id = json["id"]?.string, let generation = json["generation"]?.int,
        let revision = json["revision"]?.int, let identity = json["identity"]?.string,
        let size = json["bytes"]?.int, (0...left.count).contains(size)
      else { return nil }
      let number = EditionNumber(generation: generation, revision: revision)
      pages.append(Page(id: id, number: number, identity: identity, json: json, pieces: left.prefix(size)))
      left = left.dropFirst(size)
    }
    return pages
  }

  /// Some editions as a document and its pieces.
  ///
  /// - Parameters:
  ///   - editions: Each with the fingerprints of the sections to name without content, since the reader has them.
  ///   - kinds: The kinds that they were made with; `nil` where the reader has them.
  ///   - variantsMax: The most variants of each page.
  static func written(
    _ editions: [(edition: Edition, known: Set<String>)], _ kinds: Kinds?, variantsMax: Int
  ) -> (document: JSON, pieces: [[UInt8]]) {
    var pieces: [[UInt8]] = []
    let pages = editions.map { edition, known -> JSON in
      var writer = PageWriter()
      let page = writer.page(edition, variantsMax: variantsMax, without: known)
      pieces += writer.pieces
      return page
    }
    var document: JSONObject = ["pages": .array(pages)]
    if let kinds { (document["kinds"], document["linkKey"]) = (kinds.document, .string(kinds.linkKey.text)) }
    return (.object(document), pieces)
  }
}

/// Writes a page, and the bytes of it apart.
struct PageWriter {
  private(set) var pieces: [[UInt8]] = []

  /// - Parameter known: The fingerprints of sections to name without content, since the reader has them.
  mutating func page(_ edition: Edition, variantsMax: Int, without known: Set<String>) -> JSON {
    let plan = edition.presentPlan
    let definition = plan.definition
    let sections = zip(definition.sections, plan.fingerprints).map { section, fingerprint in
      known.contains(fingerprint)
        ? ["fingerprint": .string(fingerprint)] : self.section(section, fingerprint: fingerprint)
    }
    let ready = edition.readyVariants.filter { $0.key.resource == .page }
    let variants = ready.sorted { $0.lastUse > $1.lastUse }.prefix(variantsMax).compactMap { variant($0) }
    var json: JSONObject = [
      "id": .string(edition.page), "generation": .count(edition.number.generation),
      "revision": .count(edition.revision), "identity": .string(edition.identity), "settings": definition.settings.json,
      "sortRules": .object(JSONObject(definition.sortRules.map { ($0.name, $0.json) })),
      "audiences": .object(JSONObject(definition.audiences.mapValues(\.json))), "sections": .array(sections),
      "variants": .array(variants), "bytes": .count(pieces.reduce(0) { $0 + $1.count }),
    ]
    if !definition.withheld.isEmpty { json["withheld"] = .array(definition.withheld.map(\.json)) }
    if !definition.confirmed.isEmpty {
      json["confirmed"] = .object(JSONObject(definition.confirmed.mapValues { .count(Int($0.secondsSinceEpoch)) }))
    }
    return .object(json)
  }

  private mutating func section(_ section: SectionDefinition, fingerprint: String) -> JSON {
    guard let packed = section.content.packedForm else {
      return ["fingerprint": .string(fingerprint), "section": section.json]
    }
    pieces.append(packed.bytes)
    let outline = packed.outline
    return [
      "fingerprint": .string(fingerprint),
      "section": SectionDefinition(id: section.id, settings: section.settings).json,
      "content": [
        "bytes": .count(packed.bytes.count), "size": .count(packed.size), "itemsSize": .count(packed.itemsSize),
        "items": .count(outline.items), "allItems": .count(outline.allItems), "levels": .count(outline.levels),
        "slots": .names(outline.slots), "kinds": .names(outline.kinds),
      ],
    ]
  }

  private mutating func variant(_ variant: Variant) -> JSON? {
    guard let body = variant.body else { return nil }
    pieces.append(body.gzip)
    var json: JSONObject = [
      "outcome": .string(variant.key.outcome.key), "client": variant.client.json, "version": .string(variant.version),
      "size": .count(body.identitySize), "bytes": .count(body.gzip.count),
      "from": .count(Int(variant.from.secondsSinceEpoch)),
    ]
    if let until = variant.until { json["until"] = .count(Int(until.secondsSinceEpoch)) }
    return .object(json)
  }
}

extension Snapshot.Page {
  /// The page as it was live.
  ///
  /// - Returns: `nil` when it is not of the form that is written here.
  func edition(kinds: Kinds, in context: DefinitionContext, at now: Instant, budget: ByteBudget) -> Edition? {
    var reader = PieceReader(left: pieces)
    let context = context.withoutLimits
    guard let settings = json["settings"]?.object, let rules = json["sortRules"], let list = json["sections"]?.array
    else { return nil }
    var audiences: [String: Predicate] = [:]
    for member in json["audiences"]?.object ?? JSONObject() {
      guard let predicate = try? Predicate(json: member.value, in: context) else { return nil }
      audiences[member.name] = predicate
    }
    var object = settings
    object["sortRules"] = rules
    guard var definition = try? PageDefinition(json: .object(object), id: id, audiences: audiences, in: context) else {
      return nil
    }
    for entry in json["withheld"]?.array ?? [] {
      guard let withholding = try? Withholding(json: entry, in: context) else { return nil }
      definition.withheld.append(withholding)
    }
    for member in json["confirmed"]?.object ?? JSONObject() {
      guard let seconds = member.value.int else { return nil }
      definition.confirmed[member.name] = Instant(secondsSinceEpoch: Int64(seconds))
    }
    var fingerprints: [String] = []
    for entry in list {
      guard let fingerprint = entry["fingerprint"]?.string, let section = reader.section(entry, in: context) else {
        return nil
      }
      fingerprints.append(fingerprint)
      definition.sections.append(section)
    }
    let plan = PagePlan(definition, kinds: kinds, fingerprints: fingerprints)
    let edition = Edition(plan, number, identity: identity, madeAt: now, budget: budget, after: nil)
    for entry in json["variants"]?.array ?? [] {
      guard let variant = reader.variant(entry, of: plan, revision: number.revision, edition.parts.bodies, budget)
      else {
        return nil
      }
      if variant.holds(at: now) { edition.insert(variant) }
    }
    return edition
  }
}

/// Reads a page's sections and variants, in the order in which they were written.
private struct PieceReader {
  var left: ArraySlice<UInt8>

  private mutating func piece(_ entry: JSON) -> [UInt8]? {
    guard let size = entry["bytes"]?.int, (0...left.count).contains(size) else { return nil }
    defer { left = left.dropFirst(size) }
    return Array(left.prefix(size))
  }

  mutating func section(_ entry: JSON, in context: DefinitionContext) -> SectionDefinition? {
    guard let json = entry["section"], var section = try? SectionDefinition(json: json, in: context) else { return nil }
    guard let content = entry["content"] else { return section }
    guard let bytes = piece(content), let size = content["size"]?.int, let itemsSize = content["itemsSize"]?.int,
      let items = content["items"]?.int, let allItems = content["allItems"]?.int, let levels = content["levels"]?.int,
      let slots = content["slots"]?.array, let kinds = content["kinds"]?.array
    else { return nil }
    let outline = ContentOutline(
      items: items, allItems: allItems, levels: levels, slots: slots.compactMap(\.string),
      kinds: kinds.compactMap(\.string))
    section.content = SectionContent(
      PackedContent(bytes: bytes, size: size, itemsSize: itemsSize, outline: outline))
    return section
  }

  mutating func variant(
    _ entry: JSON, of plan: PagePlan, revision: Int, _ bodies: SharedBodies, _ budget: ByteBudget
  ) -> Variant? {
    guard let outcome = entry["outcome"]?.string.flatMap(Outcome.init(key:)), outcome.fits(plan),
      let client = entry["client"].flatMap(ClientAttributes.init(json:)), let version = entry["version"]?.string,
      let size = entry["size"]?.int, let from = entry["from"]?.int, let gzip = piece(entry)
    else { return nil }
    return Variant(
      key: VariantKey(resource: .page, outcome: outcome), client: client, revision: revision, version: version,
      body: bodies.value(of: version) { CodedBody(gzip: gzip, identitySize: size, budget: budget) },
      from: Instant(secondsSinceEpoch: Int64(from)),
      until: (entry["until"]?.int).map { Instant(secondsSinceEpoch: Int64($0)) }, budget: budget)
  }
}
