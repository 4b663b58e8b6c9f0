public import JSON

/// How a section's items are laid out and sized, in points (S1.6, S3.1). Absent members are left to the client.
public struct SectionLayout: Hashable, Sendable {
  /// The way the items are arranged.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// One item below another.
    case list
    /// Rows of columns, see `rows`.
    case grid
    /// A row, or several, that scrolls sideways, with a cell for each item.
    case shelf
    /// The whole list in one cell, paged (S1.7).
    case carousel
    /// The whole list in one cell, running (S1.7).
    case ticker
    /// Columns filled each at its own pace (S3.2).
    case waterfall
    /// Rows that expand and collapse (S5).
    case outline
    /// One item after the other, each as wide as it needs, in lines that wrap.
    case flow
    /// Floats at the bottom of the screen (S1.8).
    case pinned
  }

  /// Where the items of a flow's line stand when the line has room left.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    /// At the leading edge.
    case leading
    /// In the middle.
    case center
    /// At the trailing edge.
    case trailing
    /// From edge to edge, but for the last line, which stands at the leading edge.
    case justified
  }

  /// Where what scrolls sideways comes to rest.
  public enum Paging: String, Hashable, Sendable, CaseIterable {
    /// Anywhere.
    case anywhere = "none"
    /// At a column of a shelf, or a leaf of a carousel.
    case item
    /// At the first of as many as are seen whole.
    case group
    /// With one in the middle.
    case centered
  }

  /// How much of what stands before and after is seen where something that scrolls sideways rests, in points.
  public struct Peek: Hashable, Sendable {
    /// Of the one before, in reading direction; the section's inset stands there when absent.
    public var leading: JSONNumber?
    /// Of the one after, in reading direction; the section's inset stands there when absent.
    public var trailing: JSONNumber?

    /// A peek.
    public init(leading: JSONNumber? = nil, trailing: JSONNumber? = nil) {
      self.leading = leading
      self.trailing = trailing
    }
  }

  /// A line between two rows, in the middle of the space between them where it fits there.
  public struct Separator: Hashable, Sendable {
    /// Its colour.
    public var color: Color
    /// How thick it is, in points.
    public var width: JSONNumber
    /// What is free before it, in points; 0 when absent.
    public var leading: JSONNumber?
    /// What is free after it, in points; 0 when absent.
    public var trailing: JSONNumber?

    /// A separator.
    public init(color: Color, width: JSONNumber, leading: JSONNumber? = nil, trailing: JSONNumber? = nil) {
      (self.color, self.width, self.leading, self.trailing) = (color, width, leading, trailing)
    }
  }

  /// As many columns as fit.
  public struct Columns: Hashable, Sendable {
    /// The width of a column at least, in points, above 0.
    public var minimum: JSONNumber

    /// Columns.
    public init(minimum: JSONNumber) { self.minimum = minimum }
  }

  /// Space around the section, in points.
  public struct Inset: Hashable, Sendable {
    /// Space above.
    public var top: JSONNumber
    /// Space before, in reading direction.
    public var leading: JSONNumber
    /// Space below.
    public var bottom: JSONNumber
    /// Space after, in reading direction.
    public var trailing: JSONNumber

    /// An inset.
    public init(top: JSONNumber, leading: JSONNumber, bottom: JSONNumber, trailing: JSONNumber) {
      self.top = top
      self.leading = leading
      self.bottom = bottom
      self.trailing = trailing
    }
  }

  /// The least or greatest width or height.
  public enum Bound: Hashable, Sendable {
    /// A number of points.
    case points(JSONNumber)
    /// A fraction of the container within its insets, above 0 and at most 1; only of a width.
    case fraction(JSONNumber)
    /// A fraction of the screen's width or height, above 0 and at most 1.
    case screenFraction(JSONNumber)
  }

  /// An item's width.
  public indirect enum Width: Hashable, Sendable {
    /// As wide as the container within its insets.
    case container
    /// As wide as a column of its row.
    case column
    /// A number of points.
    case points(JSONNumber)
    /// A fraction of the container within its insets, above 0 and at most 1.
    case fraction(JSONNumber)
    /// A fraction of the screen's width, above 0 and at most 1.
    case screenFraction(JSONNumber)
    /// As wide as the text needs, no less than a minimum and no more than a maximum, in points.
    case content(minimum: JSONNumber?, maximum: JSONNumber?)
    /// One of the four before, no less than a minimum and then no more than a maximum, the
    /// item's own inset included.
    case bounded(Width, minimum: Bound?, maximum: Bound?)
  }

  /// An item's height.
  public indirect enum Height: Hashable, Sendable {
    /// A number of points.
    case points(JSONNumber)
    /// Width divided by height.
    case aspect(JSONNumber)
    /// A fraction of the screen's height, above 0 and at most 1.
    case screenFraction(JSONNumber)
    /// As high as the content needs, and no less than a minimum in points.
    case content(minimum: JSONNumber)
    /// As high as the content needs with so many lines of text, 1 to 20, and no less than a minimum in points.
    case lines(Int, minimum: JSONNumber)
    /// One of these, no less than a minimum and then no more than a maximum; it holds for an item's own aspect, too.
    case bounded(Height, minimum: Bound?, maximum: Bound?)
  }

  /// An item's size.
  public struct ItemSize: Hashable, Sendable {
    /// The width.
    public var width: Width
    /// The height.
    public var height: Height

    /// A size.
    public init(width: Width, height: Height) {
      self.width = width
      self.height = height
    }
  }

  /// The radius of corners, in points.
  public enum CornerRadius: Hashable, Sendable {
    /// Of all four.
    case all(JSONNumber)
    /// Of each for itself.
    case each(Corners)
  }

  /// The radius of each corner, in points.
  public struct Corners: Hashable, Sendable {
    /// Above, before in reading direction.
    public var topLeading: JSONNumber
    /// Above, after in reading direction.
    public var topTrailing: JSONNumber
    /// Below, before in reading direction.
    public var bottomLeading: JSONNumber
    /// Below, after in reading direction.
    public var bottomTrailing: JSONNumber

    /// Corners.
    public init(
      topLeading: JSONNumber = 0, topTrailing: JSONNumber = 0, bottomLeading: JSONNumber = 0,
      bottomTrailing: JSONNumber = 0
    ) {
      self.topLeading = topLeading
      self.topTrailing = topTrailing
      self.bottomLeading = bottomLeading
      self.bottomTrailing = bottomTrailing
    }
  }

  /// A colour, `#RRGGBB` or `#RRGGBBAA`.
  public enum Color: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The same in light and dark.
    case always(String)
    /// One for each.
    case themed(light: String, dark: String)
    /// One for each, and others where somebody wants more contrast.
    case contrasted(light: String, dark: String, highContrast: Pair)

    /// A colour for light and one for dark.
    public struct Pair: Hashable, Sendable {
      /// In light.
      public var light: String
      /// In dark.
      public var dark: String

      /// A pair.
      public init(light: String, dark: String) { (self.light, self.dark) = (light, dark) }
    }

    /// A colour that is the same in light and dark.
    public init(stringLiteral color: String) { self = .always(color) }

    /// The colour for a screen that is dark, or is not, and for somebody who wants more contrast, or does not.
    public func color(isDark: Bool, isHighContrast: Bool = false) -> String {
      switch self {
      case .always(let color): color
      case .themed(let light, let dark): isDark ? dark : light
      case .contrasted(let light, let dark, let strong):
        isHighContrast ? (isDark ? strong.dark : strong.light) : (isDark ? dark : light)
      }
    }
  }

  /// The way the items are arranged.
  public var style: Style
  /// Columns of each row in turn; the last number repeats.
  public var rows: [Int]?
  /// How many rows a shelf has, and a leaf of a carousel with `rows`; one when absent.
  public var rowCount: Int?
  /// As many columns as fit, in the place of `rows`.
  public var columns: Columns?
  /// Where the items of a flow's line stand; leading when absent.
  public var alignment: Alignment?
  /// How much of its neighbours is seen where a shelf or carousel rests.
  public var peek: Peek?
  /// Where a shelf or carousel rests; anywhere, and at a leaf, when absent.
  public var paging: Paging?
  /// Space around the section.
  public var inset: Inset?
  /// Space between items of a row, in points.
  public var itemSpacing: JSONNumber?
  /// Space between rows, in points.
  public var lineSpacing: JSONNumber?
  /// What is drawn between rows.
  public var separator: Separator?
  /// A pattern of cells that repeats in a grid or shelf, each time of the size of an item.
  public var group: Group?
  /// The size of an item.
  public var itemSize: ItemSize?
  /// The size of the header; as wide as the container within its insets and as high as its content when absent.
  public var headerSize: ItemSize?
  /// The size of the footer, as the header's.
  public var footerSize: ItemSize?
  /// The names of slots in the order that they stand in; the others follow by their names.
  public var slotOrder: [String]
  /// The sizes of slots by their names; slots without one share a cell of the size of an item.
  public var slotSizes: [String: ItemSize]
  /// Whether the header stays at the top while its section scrolls below it; it scrolls along when absent.
  public var stickyHeader: Bool?
  /// Whether all of the section stays at the top while those below it scroll; it scrolls along when absent.
  public var sticky: Bool?
  /// What is drawn behind the items.
  public var background: Background?
  /// Where the background is drawn; within the insets, between header and footer, when absent.
  public var backgroundFrame: BackgroundFrame?

  /// A layout.
  public init(
    style: Style, rows: [Int]? = nil, rowCount: Int? = nil, columns: Columns? = nil, alignment: Alignment? = nil,
    peek: Peek? = nil, paging: Paging? = nil, inset: Inset? = nil, itemSpacing: JSONNumber? = nil,
    lineSpacing: JSONNumber? = nil, separator: Separator? = nil, group: Group? = nil, itemSize: ItemSize? = nil,
    headerSize: ItemSize? = nil, footerSize: ItemSize? = nil, slotOrder: [String] = [],
    slotSizes: [String: ItemSize] = [:], stickyHeader: Bool? = nil, sticky: Bool? = nil,
    background: Background? = nil, backgroundFrame: BackgroundFrame? = nil
  ) {
    self.style = style
    self.rows = rows
    self.rowCount = rowCount
    self.columns = columns
    self.alignment = alignment
    self.peek = peek
    self.paging = paging
    self.inset = inset
    self.itemSpacing = itemSpacing
    self.lineSpacing = lineSpacing
    self.separator = separator
    self.group = group
    self.itemSize = itemSize
    self.headerSize = headerSize
    self.footerSize = footerSize
    self.slotOrder = slotOrder
    self.slotSizes = slotSizes
    self.stickyHeader = stickyHeader
    self.sticky = sticky
    self.background = background
    self.backgroundFrame = backgroundFrame
  }
}

extension SectionLayout: Described {
  static var blank: SectionLayout { SectionLayout(style: .list) }

  static func describe(_ member: inout some MemberWalk<SectionLayout>) {
    member("style", \.style)
    member("rows", \.rows)
    member("rowCount", \.rowCount)
    member("columns", \.columns)
    member("alignment", \.alignment)
    member("peek", \.peek)
    member("paging", \.paging)
    member("inset", \.inset)
    member("itemSpacing", \.itemSpacing)
    member("lineSpacing", \.lineSpacing)
    member("separator", \.separator)
    member("group", \.group)
    member("itemSize", \.itemSize)
    member("headerSize", \.headerSize)
    member("footerSize", \.footerSize)
    member("slotOrder", \.slotOrder)
    member("slotSizes", \.slotSizes)
    member("stickyHeader", \.stickyHeader)
    member("sticky", \.sticky)
    member("background", \.background)
    member("backgroundFrame", \.backgroundFrame)
  }

  func check() throws(PayloadError) {
    if let rows, !rows.allSatisfy({ $0 >= 0 }) { throw PayloadError("/rows", "must be numbers of columns") }
  }
}

extension SectionLayout.Peek: Described {
  static var blank: Self { Self() }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("leading", \.leading)
    member("trailing", \.trailing)
  }
}

extension SectionLayout.Separator: Described {
  static var blank: Self { Self(color: "#000000", width: 0) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("color", \.color)
    member("width", \.width)
    member("leading", \.leading)
    member("trailing", \.trailing)
  }
}

extension SectionLayout.Inset: Described {
  static var blank: Self { Self(top: 0, leading: 0, bottom: 0, trailing: 0) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("top", \.top)
    member("leading", \.leading)
    member("bottom", \.bottom)
    member("trailing", \.trailing)
  }
}

extension SectionLayout.Corners: Described {
  static var blank: Self { Self() }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("topLeading", \.topLeading)
    member("topTrailing", \.topTrailing)
    member("bottomLeading", \.bottomLeading)
    member("bottomTrailing", \.bottomTrailing)
  }
}

extension SectionLayout.ItemSize: Described {
  static var blank: Self { Self(width: .container, height: .points(0)) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("width", \.width)
    member("height", \.height)
  }
}
