public import HomePayload
public import JSON

/// An item as it was put: content values may differ by locale, and it may have an audience and a schedule.
public struct ItemDefinition: Hashable, Sendable {
  /// The item's id, unique in its section at any depth.
  public var id: String
  /// The name of the item kind.
  public var kind: String
  /// The ids of the section's lists that it is in; all of them when empty.
  public var lists: [String]
  /// The content as entered; a value that the kind's schema marks `x-localized` may be a map from locale to value.
  public var content: JSONObject
  /// Width divided by height (S3.5).
  public var aspect: JSONNumber?
  /// Space around the cell, as entered: values may differ by locale.
  public var inset: JSONObject?
  /// What a tap does.
  public var action: Action?
  /// What it offers beside that.
  public var actions: [ItemActionDefinition]
  /// What assistive technologies are told of it, as entered: label and hint may differ by locale.
  public var accessibility: JSONObject?
  /// Whether the children show at first (S5.2).
  public var expanded: Bool?
  /// The items below this one (S5.1).
  public var children: [ItemDefinition]
  /// Whether a sorted section keeps the item before the others (S4.4).
  public var keepOnTop: Bool
  /// Whether it stays in the draft and no client gets it. `nil` says nothing: an item that is put in the place of a hidden
  /// one is hidden as well.
  public var hidden: Bool?
  /// Who sees it; everyone when absent.
  public var audience: Predicate?
  /// When it shows; always when absent.
  public var schedule: Schedule?

  /// An item.
  public init(
    id: String, kind: String, lists: [String] = [], content: JSONObject = JSONObject(), aspect: JSONNumber? = nil,
    inset: JSONObject? = nil, action: Action? = nil, actions: [ItemActionDefinition] = [],
    accessibility: JSONObject? = nil, expanded: Bool? = nil, children: [ItemDefinition] = [],
    keepOnTop: Bool = false, hidden: Bool? = nil,
    audience: Predicate? = nil, schedule: Schedule? = nil
  ) {
    self.id = id
    self.kind = kind
    self.lists = lists
    self.content = content
    self.aspect = aspect
    self.inset = inset
    self.action = action
    self.actions = actions
    self.accessibility = accessibility
    self.expanded = expanded
    self.children = children
    self.keepOnTop = keepOnTop
    self.hidden = hidden
    self.audience = audience
    self.schedule = schedule
  }

  /// Whether no client gets it.
  public var isHidden: Bool { hidden ?? false }
}
