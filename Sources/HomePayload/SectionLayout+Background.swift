public import JSON

extension SectionLayout {
  /// What is drawn behind the items: the colour, the gradient over it, the picture over both, then the border.
  public struct Background: Hashable, Sendable {
    /// The colour.
    public var color: Color?
    /// The corners; they are square when absent.
    public var cornerRadius: CornerRadius?
    /// Colours that run into each other.
    public var gradient: Gradient?
    /// The picture.
    public var image: BackgroundImage?
    /// The line along the edge, inside of it.
    public var border: Border?
    /// The shadow outside of it.
    public var shadow: Shadow?

    /// A background.
    public init(
      color: Color? = nil, cornerRadius: CornerRadius? = nil, gradient: Gradient? = nil,
      image: BackgroundImage? = nil, border: Border? = nil, shadow: Shadow? = nil
    ) {
      (self.color, self.cornerRadius, self.gradient) = (color, cornerRadius, gradient)
      (self.image, self.border, self.shadow) = (image, border, shadow)
    }
  }

  /// Where a section's background is drawn.
  public enum BackgroundFrame: String, Hashable, Sendable, CaseIterable {
    /// Behind slots and items, within the section's insets.
    case inset
    /// Behind slots and items and the insets around them, as wide as the container.
    case items
    /// Behind the whole section, with its insets, header and footer.
    case section
  }

  /// Colours that run into each other along a line.
  public struct Gradient: Hashable, Sendable {
    /// Degrees from upwards, clockwise, in a page that is read from the right the other way round; 180, downwards, when
    /// absent. The line is as long as CSS's `linear-gradient` makes it.
    public var angle: JSONNumber?
    /// The colours, two at least, ascending.
    public var stops: [GradientStop]

    /// A gradient.
    public init(angle: JSONNumber? = nil, stops: [GradientStop]) { (self.angle, self.stops) = (angle, stops) }
  }

  /// One colour of a gradient.
  public struct GradientStop: Hashable, Sendable {
    /// How far along the line, from 0 to 1.
    public var at: JSONNumber
    /// The colour there.
    public var color: Color

    /// A stop.
    public init(at: JSONNumber, color: Color) { (self.at, self.color) = (at, color) }
  }

  /// How a picture fills a frame.
  public enum Fit: String, Hashable, Sendable, CaseIterable {
    /// As small as fills it, what is over is cut at both sides alike.
    case cover
    /// As large as fits, in the middle.
    case contain
    /// As wide and as high as it, whatever the picture's own shape.
    case stretch
  }

  /// One picture behind something.
  public struct BackgroundPicture: Hashable, Sendable {
    /// The same picture in another width.
    public struct Source: Hashable, Sendable {
      /// Its address.
      public var url: String
      /// Its width, in pixels.
      public var width: Int

      /// A source.
      public init(url: String, width: Int) { (self.url, self.width) = (url, width) }
    }

    /// How it fills the frame; `cover` when absent.
    public var fit: Fit?
    /// The same in other widths; apps load the narrowest that has a pixel for each of the frame's width.
    public var sources: [Source]
    /// Its address.
    public var url: String
    /// Its width, in pixels, where it is one of them.
    public var width: Int?

    /// A picture.
    public init(fit: Fit? = nil, sources: [Source] = [], url: String, width: Int? = nil) {
      (self.fit, self.sources, self.url, self.width) = (fit, sources, url, width)
    }
  }

  /// A picture behind something, as contents have them.
  public enum BackgroundImage: Hashable, Sendable {
    /// The same in light and dark.
    case always(BackgroundPicture)
    /// One for each.
    case themed(light: BackgroundPicture, dark: BackgroundPicture)

    /// The picture for a screen that is dark, or is not.
    public func picture(isDark: Bool) -> BackgroundPicture {
      switch self {
      case .always(let picture): picture
      case .themed(let light, let dark): isDark ? dark : light
      }
    }
  }

  /// A line along the edge.
  public struct Border: Hashable, Sendable {
    /// Its colour.
    public var color: Color
    /// Its width, in points.
    public var width: JSONNumber

    /// A border.
    public init(color: Color, width: JSONNumber) { (self.color, self.width) = (color, width) }
  }

  /// A shadow.
  public struct Shadow: Hashable, Sendable {
    /// Its colour.
    public var color: Color
    /// How far its edge is blurred, in points, as CSS's `box-shadow` counts.
    public var radius: JSONNumber
    /// How far it is moved in reading direction, in points; 0 when absent.
    public var x: JSONNumber?
    /// How far it is moved down, in points; 0 when absent.
    public var y: JSONNumber?

    /// A shadow.
    public init(color: Color, radius: JSONNumber, x: JSONNumber? = nil, y: JSONNumber? = nil) {
      (self.color, self.radius, self.x, self.y) = (color, radius, x, y)
    }
  }
}

extension SectionLayout.Background: Described {
  static var blank: Self { Self() }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("color", \.color)
    member("cornerRadius", \.cornerRadius)
    member("gradient", \.gradient)
    member("image", \.image)
    member("border", \.border)
    member("shadow", \.shadow)
  }

  /// Whether two backgrounds are written the same.
  public static func == (left: Self, right: Self) -> Bool { left.isSame(as: right) }
}

extension SectionLayout.Gradient: Described {
  static var blank: Self { Self(stops: []) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("angle", \.angle)
    member("stops", \.stops)
  }
}

extension SectionLayout.GradientStop: Described {
  static var blank: Self { Self(at: 0, color: "#000000") }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("at", \.at)
    member("color", \.color)
  }
}

extension SectionLayout.BackgroundPicture: Described {
  static var blank: Self { Self(url: "") }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("fit", \.fit)
    member("sources", \.sources)
    member("url", \.url)
    member("width", \.width)
  }
}

extension SectionLayout.BackgroundPicture.Source: Described {
  static var blank: Self { Self(url: "", width: 0) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("url", \.url)
    member("width", \.width)
  }
}

extension SectionLayout.Border: Described {
  static var blank: Self { Self(color: "#000000", width: 0) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("color", \.color)
    member("width", \.width)
  }
}

extension SectionLayout.Shadow: Described {
  static var blank: Self { Self(color: "#000000", radius: 0) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("color", \.color)
    member("radius", \.radius)
    member("x", \.x)
    member("y", \.y)
  }
}

extension SectionLayout.BackgroundFrame: WireValue {}

extension SectionLayout.Fit: WireValue {}

extension SectionLayout.BackgroundImage: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .always(let picture): picture.append(to: &bytes)
    case .themed(let light, let dark):
      bytes.append(contentsOf: "{\"light\":".utf8)
      light.append(to: &bytes)
      bytes.append(contentsOf: ",\"dark\":".utf8)
      dark.append(to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.always(let left), .always(let right)): left.isSame(as: right)
    case (.themed(let light, let dark), .themed(let otherLight, let otherDark)):
      light.isSame(as: otherLight) && dark.isSame(as: otherDark)
    default: false
    }
  }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    guard let light = json["light"], let dark = json["dark"] else {
      guard json.object == nil || json["url"] != nil else { return nil }
      return try SectionLayout.BackgroundPicture.read(json).map { .always($0) }
    }
    guard let light = try SectionLayout.BackgroundPicture.read(light),
      let dark = try SectionLayout.BackgroundPicture.read(dark)
    else { return nil }
    return .themed(light: light, dark: dark)
  }
}
