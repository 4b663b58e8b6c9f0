public import JSON

/// A screen served as a whole, ready to show: sections in the order to draw them.
public struct Page: Hashable, Sendable {
  /// The page's id: `home`.
  public var id: String
  /// The hash of everything else in the page, the opaque part of its entity tag: 16 hexadecimal digits.
  public var version: String
  /// The BCP 47 tag of the locale that content and sizes were resolved for.
  public var locale: String
  /// The direction that the locale is read in; left to right when absent.
  public var direction: Direction?
  /// The name of the sort rule that gave the order.
  public var sortRule: String
  /// What the screen is called, for its users.
  public var title: String?
  /// Space around all sections, in points.
  public var inset: SectionLayout.Inset?
  /// What is drawn behind the sections.
  public var background: SectionLayout.Background?
  /// What stands in the bar above the sections.
  public var bar: Bar?
  /// The sections, in the order to draw them.
  public var sections: [Section]
  /// What to show instead when there are no sections (S4.5).
  public var emptyState: Item?

  /// A page.
  public init(
    id: String, version: String = "", locale: String, sortRule: String, sections: [Section], emptyState: Item? = nil
  ) {
    self.id = id
    self.version = version
    self.locale = locale
    self.sortRule = sortRule
    self.sections = sections
    self.emptyState = emptyState
  }
}

extension Page {
  /// A direction of reading that mirrors a screen: leading is at the right.
  public enum Direction: String, Hashable, Sendable {
    /// Arabic, Hebrew and others.
    case rightToLeft
  }
}

extension Page.Direction: WireValue {}

/// The bar of a screen, with items at its two ends; the page's title is between them.
public struct Bar: Hashable, Sendable {
  /// At the leading end, the outermost first.
  public var leading: [Item]
  /// At the trailing end, the outermost last.
  public var trailing: [Item]

  /// A bar.
  public init(leading: [Item] = [], trailing: [Item] = []) {
    self.leading = leading
    self.trailing = trailing
  }
}

extension Bar: Described {
  static var blank: Bar { Bar() }

  static func describe(_ member: inout some MemberWalk<Bar>) {
    member("leading", \.leading)
    member("trailing", \.trailing)
  }

  /// Whether two bars are written the same.
  public static func == (left: Bar, right: Bar) -> Bool { left.isSame(as: right) }
}

extension Page: Described {
  static var blank: Page { Page(id: "", locale: "", sortRule: "", sections: []) }

  static func describe(_ member: inout some MemberWalk<Page>) {
    member("page", \.id, .apart)
    member("version", \.knownVersion, .apart)
    member("locale", \.locale)
    member("direction", \.direction)
    member("sortRule", \.sortRule)
    member("title", \.title)
    member("inset", \.inset)
    member("background", \.background)
    member("bar", \.bar)
    member("sections", \.sections, [.apart, .filled])
    member("emptyState", \.emptyState)
  }

  /// The version, once it was computed: from the bytes without it.
  private var knownVersion: String? {
    get { version.isEmpty ? nil : version }
    set { version = newValue ?? "" }
  }

  func check() throws(PayloadError) {
    if version.isEmpty { throw PayloadError("/version", "is required") }
  }
}

extension Page {
  /// A page of its JSON on the wire.
  ///
  /// - Throws: ``PayloadError`` for what no server of this contract sends.
  public init(json: JSON) throws(PayloadError) { self = try Page.required(json) }

  /// A page of its bytes on the wire.
  ///
  /// - Throws: ``PayloadError`` for what is not strict JSON, or no page.
  public init(bytes: [UInt8]) throws(PayloadError) { try self.init(json: JSON.reading(bytes)) }

  /// The canonical bytes: what a poll answers.
  public var canonicalBytes: [UInt8] { wireBytes }

  /// The canonical bytes before the first section and after the last, for sections that are encoded already: between
  /// two of them stands a comma.
  ///
  /// - Parameter version: `nil` for the bytes that the version is computed from.
  public func frame(version: String?) -> (head: [UInt8], tail: [UInt8]) {
    var bare = self
    bare.version = version ?? ""
    bare.sections = []
    let bytes = bare.wireBytes
    let tailCount = 2 + (emptyState.map { ",\"emptyState\":".utf8.count + $0.wireBytes.count } ?? 0)
    return (Array(bytes.dropLast(tailCount)), Array(bytes.suffix(tailCount)))
  }
}
