public import JSON

/// How a section's items are laid out and sized, in points (S1.6, S3.1). Absent members are left to the client.
public struct SectionLayout: Hashable, Sendable {
  /// The way the items are arranged.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// One item below another.
    case list
    /// Rows of columns, see `rows`.
    case grid
    /// The whole list in one cell, paged (S1.7).
    case carousel
    /// The whole list in one cell, running (S1.7).
    case ticker
    /// Columns filled each at its own pace (S3.2).
    case waterfall
    /// Rows that expand and collapse (S5).
    case outline
    /// Floats at the bottom of the screen (S1.8).
    case pinned
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

  /// An item's width.
  public enum Width: Hashable, Sendable {
    /// As wide as the container within its insets.
    case container
    /// As wide as a column of its row.
    case column
    /// A number of points.
    case points(JSONNumber)
    /// A fraction of the container's width, above 0 and at most 1.
    case fraction(JSONNumber)
  }

  /// An item's height.
  public enum Height: Hashable, Sendable {
    /// A number of points.
    case points(JSONNumber)
    /// Width divided by height.
    case aspect(JSONNumber)
    /// As high as the content needs, and no less than a minimum in points.
    case content(minimum: JSONNumber)
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

  /// What is drawn behind the items.
  public struct Background: Hashable, Sendable {
    /// `#RRGGBB` or `#RRGGBBAA`.
    public var color: String?
    /// In points.
    public var cornerRadius: JSONNumber?

    /// A background.
    public init(color: String? = nil, cornerRadius: JSONNumber? = nil) {
      self.color = color
      self.cornerRadius = cornerRadius
    }
  }

  /// The way the items are arranged.
  public var style: Style
  /// Columns of each row in turn; the last number repeats.
  public var rows: [Int]?
  /// Space around the section.
  public var inset: Inset?
  /// Space between items of a row, in points.
  public var itemSpacing: JSONNumber?
  /// Space between rows, in points.
  public var lineSpacing: JSONNumber?
  /// The size of an item.
  public var itemSize: ItemSize?
  /// What is drawn behind the items.
  public var background: Background?

  /// A layout.
  public init(
    style: Style, rows: [Int]? = nil, inset: Inset? = nil, itemSpacing: JSONNumber? = nil,
    lineSpacing: JSONNumber? = nil, itemSize: ItemSize? = nil, background: Background? = nil
  ) {
    self.style = style
    self.rows = rows
    self.inset = inset
    self.itemSpacing = itemSpacing
    self.lineSpacing = lineSpacing
    self.itemSize = itemSize
    self.background = background
  }
}

extension SectionLayout: Described {
  static var blank: SectionLayout { SectionLayout(style: .list) }

  static func describe(_ member: inout some MemberWalk<SectionLayout>) {
    member("style", \.style)
    member("rows", \.rows)
    member("inset", \.inset)
    member("itemSpacing", \.itemSpacing)
    member("lineSpacing", \.lineSpacing)
    member("itemSize", \.itemSize)
    member("background", \.background)
  }

  func check() throws(PayloadError) {
    if let rows, !rows.allSatisfy({ $0 >= 0 }) { throw PayloadError("/rows", "must be numbers of columns") }
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

extension SectionLayout.ItemSize: Described {
  static var blank: Self { Self(width: .container, height: .points(0)) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("width", \.width)
    member("height", \.height)
  }
}

extension SectionLayout.Background: Described {
  static var blank: Self { Self() }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("color", \.color)
    member("cornerRadius", \.cornerRadius)
  }

  /// Whether two backgrounds are written the same.
  public static func == (left: Self, right: Self) -> Bool { left.isSame(as: right) }
}
