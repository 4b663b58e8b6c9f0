/// A screen served as a whole, ready to show: sections in the order to draw them.
public struct Page: Hashable, Sendable {
  /// The page's id: `home`.
  public var id: String
  /// The hash of everything else in the page, the opaque part of its entity tag: 16 hexadecimal digits.
  public var version: String
  /// The BCP 47 tag of the locale that content and sizes were resolved for.
  public var locale: String
  /// The name of the sort rule that gave the order.
  public var sortRule: String
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
