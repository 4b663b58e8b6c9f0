/// What assistive technologies are told of a cell.
public struct Accessibility: Hashable, Sendable {
  /// What the cell is, in the page's language.
  public var label: String?
  /// What happens when it is activated.
  public var hint: String?
  /// What it behaves like: `button`, `header`, `image`, …; a newer server may name others.
  public var traits: [String]
  /// Whether it is only decoration, and left out; `false` when absent.
  public var hidden: Bool?

  /// What is told.
  public init(label: String? = nil, hint: String? = nil, traits: [String] = [], hidden: Bool? = nil) {
    self.label = label
    self.hint = hint
    self.traits = traits
    self.hidden = hidden
  }
}

extension Accessibility: Described {
  static var blank: Accessibility { Accessibility() }

  static func describe(_ member: inout some MemberWalk<Accessibility>) {
    member("label", \.label)
    member("hint", \.hint)
    member("traits", \.traits)
    member("hidden", \.hidden)
  }

  /// Whether both are written the same.
  public static func == (left: Accessibility, right: Accessibility) -> Bool { left.isSame(as: right) }
}
