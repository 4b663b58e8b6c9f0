/// One group of a page, with an id of its own.
public struct Section: Hashable, Sendable {
  /// The section's id, unique in its page.
  public var id: String
  /// The name of the section kind, which binds the component that draws it (S3.3).
  public var kind: String
  /// The operator's number that sections ascend by.
  public var index: Int
  /// What stands above the items.
  public var header: Item?
  /// How the items are laid out and sized.
  public var layout: SectionLayout
  /// Lists that its items are of, by name: tabs above them choose which one shows. Two at least, or none.
  public var lists: [NamedList]
  /// The items in the order to draw them; empty in a section that has slots only.
  public var items: [Item]
  /// The named single items, such as a wallet card's `smallWelfare`.
  public var slots: [String: Item]
  /// What stands below the items.
  public var footer: Item?
  /// The section's place in its page, from 0: only its own answer tells it (S1.3).
  public var position: Int?
  /// How the items come; with the page when absent.
  public var load: Load?
  /// Where the app gets what is its user's of the section; what stands here is what to show instead.
  public var source: Source?
  /// The seconds after which the section may be asked for by itself, when that is another number than the page's.
  public var pollInterval: Int?
  /// What of its items does not stand in the page.
  public var more: More?

  /// A section.
  public init(
    id: String, kind: String, index: Int, header: Item? = nil, layout: SectionLayout,
    lists: [NamedList] = [], items: [Item] = [], slots: [String: Item] = [:], footer: Item? = nil
  ) {
    self.id = id
    self.kind = kind
    self.index = index
    self.header = header
    self.layout = layout
    self.lists = lists
    self.items = items
    self.slots = slots
    self.footer = footer
  }
}

extension Section: DescribedElement {
  static var blank: Section { Section(id: "", kind: "", index: 0, layout: .blank) }

  static func describe(_ member: inout some MemberWalk<Section>) {
    member("id", \.id, .apart)
    member("kind", \.kind)
    member("index", \.index)
    member("position", \.position)
    member("load", \.load)
    member("source", \.source)
    member("pollInterval", \.pollInterval)
    member("header", \.header)
    member("layout", \.layout)
    member("lists", \.lists)
    member("items", \.items, .apart)
    member("more", \.more)
    member("slots", \.slots)
    member("footer", \.footer)
  }

  var nested: [Item] {
    get { items }
    set { items = newValue }
  }
  static var elementName: StaticString { "section" }
  static var nestedName: StaticString { "items" }

  /// The canonical bytes, as they stand in the page.
  public var canonicalBytes: [UInt8] { wireBytes }

  /// Whether two sections are written the same.
  public static func == (left: Section, right: Section) -> Bool { left.isSame(as: right) }
}
