import Compression
import JSON

/// Much content that is the same for everyone at any time, as the gzip'd text that it is written as.
public struct PackedContent: Sendable {
  /// The canonical texts of the items and, right behind it, of the slots, gzip'd.
  public let bytes: [UInt8]
  /// How many bytes the texts have.
  public let size: Int
  /// How many of them are the items'.
  public let itemsSize: Int
  /// What the rest of the page needs to know of the content.
  public let outline: ContentOutline
  private let reference: OpenContentReference

  /// Less than this is not worth it: assembling a section opens it.
  static let itemsMin = 16

  /// Packs content; `nil` if it is small, or has an audience or a schedule, which clients and flips need unpacked.
  init?(_ content: OpenContent) {
    let values = content.values
    guard values.items.count + values.slots.count >= Self.itemsMin else { return nil }
    var items: [UInt8] = []
    values.appendItems(to: &items)
    var slots: [UInt8] = []
    values.appendSlots(to: &slots)
    self.init(content, items: items, slots: slots)
  }

  /// Packs content whose texts are written already.
  init?(_ content: OpenContent, items: [UInt8], slots: [UInt8]) {
    let values = content.values
    guard values.items.count + values.slots.count >= Self.itemsMin, let outline = ContentOutline(values) else {
      return nil
    }
    self.init(
      bytes: Gzip.compress(items + slots, level: Self.level), size: items.count + slots.count,
      itemsSize: items.count, outline: outline, reference: OpenContentReference(content))
  }

  /// What was packed before.
  public init(bytes: [UInt8], size: Int, itemsSize: Int, outline: ContentOutline) {
    self.init(bytes: bytes, size: size, itemsSize: itemsSize, outline: outline, reference: OpenContentReference())
  }

  private init(
    bytes: [UInt8], size: Int, itemsSize: Int, outline: ContentOutline, reference: OpenContentReference
  ) {
    self.reference = reference
    self.bytes = bytes
    self.size = size
    self.itemsSize = itemsSize
    self.outline = outline
  }

  /// Quick to pack: it is done for each section that is read or changed.
  private static let level = 1

  /// The content as values, shared with other holders if there are any.
  var open: OpenContent { reference.content { unpacked } }

  /// Read as any content, but that it was checked before it was written.
  private var unpacked: SectionContent.Values {
    let content = SectionContent(
      json: .object(JSONObject(members)), sectionID: "", in: Self.context, ProblemCollector(trusts: true))
    return content?.values ?? SectionContent.Values()
  }

  private static let context = DefinitionContext().withoutLimits

  /// The members that have content, by name.
  var members: [(String, JSON)] {
    let (items, slots) = texts
    return [("items", items), ("slots", slots)].compactMap { name, text in
      (try? JSON.parse(text, depthMax: .max)).map { (name, $0) }
    }
  }

  /// The texts of the items' array and of the slots' object; empty if there are none.
  var texts: (items: [UInt8], slots: [UInt8]) {
    let text = Gzip.decompress(bytes, size: size)
    return (Array(text.prefix(itemsSize)), Array(text.dropFirst(itemsSize)))
  }
}

/// What the rest of a page needs to know of packed content.
public struct ContentOutline: Hashable, Sendable {
  /// How many items there are, children and slots not counted.
  public var items: Int
  /// The number of items at all depths, including those in slots.
  public var allItems: Int
  /// The levels of children below the items.
  public var levels: Int
  /// The names of the slots that are filled, ascending.
  public var slots: [String]
  /// The names of the items' kinds in the order in which they come first.
  public var kinds: [String]

  /// An outline.
  public init(items: Int, allItems: Int, levels: Int, slots: [String], kinds: [String]) {
    self.items = items
    self.allItems = allItems
    self.levels = levels
    self.slots = slots
    self.kinds = kinds
  }

  /// - Returns: `nil` when some item has an audience or a schedule.
  init?(_ values: SectionContent.Values) {
    self.init(items: values.items.count, allItems: 0, levels: 0, slots: values.slots.keys.sorted(), kinds: [])
    var known = Set<String>()
    for item in values.items + slots.compactMap({ values.slots[$0] }) {
      guard take(item, depth: 0, &known) else { return nil }
    }
  }

  private mutating func take(_ item: ItemDefinition, depth: Int, _ known: inout Set<String>) -> Bool {
    guard item.audience == nil, item.schedule == nil else { return false }
    allItems += 1
    levels = max(levels, depth)
    if known.insert(item.kind).inserted { kinds.append(item.kind) }
    return item.children.allSatisfy { take($0, depth: depth + 1, &known) }
  }
}
