/// One of several things that an item offers beside its tap, by a swipe or in a menu.
public struct ItemAction: Hashable, Sendable {
  /// The side of a cell that a swipe uncovers.
  public enum Edge: String, Hashable, Sendable, CaseIterable {
    /// Where reading begins.
    case leading
    /// Where reading ends.
    case trailing
  }

  /// What an action is like, for how it looks.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// It takes something away.
    case destructive
  }

  /// What it is called, in the page's language.
  public var title: String
  /// What it does.
  public var action: Action
  /// The side that it stands at; the trailing one when absent.
  public var edge: Edge?
  /// What it is like; nothing in particular when absent.
  public var role: Role?

  /// An action that an item offers.
  public init(title: String, action: Action, edge: Edge? = nil, role: Role? = nil) {
    self.title = title
    self.action = action
    self.edge = edge
    self.role = role
  }
}

extension ItemAction: Described {
  static var blank: ItemAction { ItemAction(title: "", action: Action()) }

  static func describe(_ member: inout some MemberWalk<ItemAction>) {
    member("title", \.title)
    member("action", \.action)
    member("edge", \.edge)
    member("role", \.role)
  }

  /// Whether both are written the same.
  public static func == (left: ItemAction, right: ItemAction) -> Bool { left.isSame(as: right) }
}

extension ItemAction.Edge: WireValue {}

extension ItemAction.Role: WireValue {}

extension Item {
  /// The actions at one side of the cell, the first at the edge.
  public func actions(at edge: ItemAction.Edge) -> [ItemAction] { actions.filter { ($0.edge ?? .trailing) == edge } }
}
