public import HomePayload
public import JSON
import Synchronization

/// An item as it was put: content values may differ by locale, and it may have an audience and a schedule.
///
/// Its copies share it: a list of ten thousand is copied and compared by references.
public struct ItemDefinition: Sendable {
  private var shared: Shared

  private final class Shared: Sendable {
    let values: Values
    let text = Mutex<[UInt8]?>(nil)

    init(_ values: Values) { self.values = values }
  }

  private struct Values: Hashable {
    var id: String
    var kind: String
    var lists: [String]
    var content: JSONObject
    var aspect: JSONNumber?
    var inset: JSONObject?
    var action: Action?
    var actions: [ItemActionDefinition]
    var accessibility: JSONObject?
    var expanded: Bool?
    var children: [ItemDefinition]
    var keepOnTop: Bool
    var hidden: Bool?
    var audience: Predicate?
    var schedule: Schedule?
  }

  /// An item.
  public init(
    id: String, kind: String, lists: [String] = [], content: JSONObject = JSONObject(), aspect: JSONNumber? = nil,
    inset: JSONObject? = nil, action: Action? = nil, actions: [ItemActionDefinition] = [],
    accessibility: JSONObject? = nil, expanded: Bool? = nil, children: [ItemDefinition] = [],
    keepOnTop: Bool = false, hidden: Bool? = nil,
    audience: Predicate? = nil, schedule: Schedule? = nil
  ) {
    shared = Shared(
      Values(
        id: id, kind: kind, lists: lists, content: content, aspect: aspect, inset: inset, action: action,
        actions: actions, accessibility: accessibility, expanded: expanded, children: children, keepOnTop: keepOnTop,
        hidden: hidden, audience: audience, schedule: schedule))
  }

  private mutating func change(_ edit: (inout Values) -> Void) {
    var values = shared.values
    edit(&values)
    shared = Shared(values)
  }

  /// The item's id, unique in its section at any depth.
  public var id: String {
    get { shared.values.id }
    set { change { $0.id = newValue } }
  }
  /// The name of the item kind.
  public var kind: String {
    get { shared.values.kind }
    set { change { $0.kind = newValue } }
  }
  /// The ids of the section's lists that it is in; all of them when empty.
  public var lists: [String] {
    get { shared.values.lists }
    set { change { $0.lists = newValue } }
  }
  /// The content as entered; a value that the kind's schema marks `x-localized` may be a map from locale to value.
  public var content: JSONObject {
    get { shared.values.content }
    set { change { $0.content = newValue } }
  }
  /// Width divided by height (S3.5).
  public var aspect: JSONNumber? {
    get { shared.values.aspect }
    set { change { $0.aspect = newValue } }
  }
  /// Space around the cell, as entered: values may differ by locale.
  public var inset: JSONObject? {
    get { shared.values.inset }
    set { change { $0.inset = newValue } }
  }
  /// What a tap does.
  public var action: Action? {
    get { shared.values.action }
    set { change { $0.action = newValue } }
  }
  /// What it offers beside that.
  public var actions: [ItemActionDefinition] {
    get { shared.values.actions }
    set { change { $0.actions = newValue } }
  }
  /// What assistive technologies are told of it, as entered: label and hint may differ by locale.
  public var accessibility: JSONObject? {
    get { shared.values.accessibility }
    set { change { $0.accessibility = newValue } }
  }
  /// Whether the children show at first (S5.2).
  public var expanded: Bool? {
    get { shared.values.expanded }
    set { change { $0.expanded = newValue } }
  }
  /// The items below this one (S5.1).
  public var children: [ItemDefinition] {
    get { shared.values.children }
    set { change { $0.children = newValue } }
  }
  /// Whether a sorted section keeps the item before the others (S4.4).
  public var keepOnTop: Bool {
    get { shared.values.keepOnTop }
    set { change { $0.keepOnTop = newValue } }
  }
  /// Whether it stays in the draft and no client gets it. `nil` says nothing: an item that is put in the place of a hidden
  /// one is hidden as well.
  public var hidden: Bool? {
    get { shared.values.hidden }
    set { change { $0.hidden = newValue } }
  }
  /// Who sees it; everyone when absent.
  public var audience: Predicate? {
    get { shared.values.audience }
    set { change { $0.audience = newValue } }
  }
  /// When it shows; always when absent.
  public var schedule: Schedule? {
    get { shared.values.schedule }
    set { change { $0.schedule = newValue } }
  }

  /// The bytes of the canonical form, which are made once.
  public var canonicalBytes: [UInt8] {
    shared.text.withLock { text in
      if let text { return text }
      var made: [UInt8] = []
      append(to: &made)
      text = made
      return made
    }
  }

  /// Whether no client gets it.
  public var isHidden: Bool { hidden ?? false }
}

extension ItemDefinition: Hashable {
  /// Whether two are the same item, or say the same.
  public static func == (left: ItemDefinition, right: ItemDefinition) -> Bool {
    left.shared === right.shared || left.shared.values == right.shared.values
  }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) { hasher.combine(shared.values) }
}

extension ItemDefinition: CustomReflectable {
  /// Its members, and not that they are shared.
  public var customMirror: Mirror { Mirror(reflecting: shared.values) }
}
