/// What sources fill a section with.
///
/// It is open, as values, or packed: values take ten times the memory of the text that they are written as, and most
/// content is not looked into between two publishes. Whoever looks into packed content opens it for that.
public struct SectionContent: Sendable {
  /// The content as values.
  struct Values: Hashable, Sendable {
    var items: [ItemDefinition] = []
    var slots: [String: ItemDefinition] = [:]
  }

  private enum Form: Sendable {
    case open(OpenContent)
    case packed(PackedContent)
  }

  private var form: Form

  /// A section's content.
  public init(items: [ItemDefinition] = [], slots: [String: ItemDefinition] = [:]) {
    form = .open(OpenContent(Values(items: items, slots: slots)))
  }

  /// Content that is packed.
  public init(_ packed: PackedContent) { form = .packed(packed) }

  /// The items in the order they were put.
  public var items: [ItemDefinition] {
    get { values.items }
    set { change { $0.items = newValue } }
  }

  /// The named single items.
  public var slots: [String: ItemDefinition] {
    get { values.slots }
    set { change { $0.slots = newValue } }
  }

  /// The content as values. Take them once to read more than one thing.
  var values: Values { open.values }

  /// The content as values, with what is known of its items.
  var open: OpenContent {
    switch form {
    case .open(let content): content
    case .packed(let packed): packed.open
    }
  }

  /// The packed form, when it is packed.
  public var packedForm: PackedContent? {
    guard case .packed(let packed) = form else { return nil }
    return packed
  }

  /// The same content as values.
  public var opened: SectionContent {
    var copy = self
    copy.form = .open(open)
    return copy
  }

  /// The same content packed, where that is worth it.
  public var packed: SectionContent {
    guard case .open(let content) = form, let packed = PackedContent(content) else { return self }
    return SectionContent(packed)
  }

  /// Whether there is nothing in it.
  public var isEmpty: Bool {
    guard case .open(let content) = form else { return false }
    return content.values.items.isEmpty && content.values.slots.isEmpty
  }

  /// What of the content decides about what is not packed.
  var outline: ContentOutline? { packedForm?.outline }

  private mutating func change(_ edit: (inout Values) -> Void) {
    var values = values
    // Nobody else holds them while they change.
    form = .open(Self.none)
    edit(&values)
    form = .open(OpenContent(values))
  }

  private static let none = OpenContent(Values())

  /// Puts an item in the place of another, or of none at the end: what is known of the others stays known.
  public mutating func put(_ item: ItemDefinition, at place: Int) {
    let former = open
    var values = former.values
    if place < values.items.count { values.items[place] = item } else { values.items.append(item) }
    form = .open(OpenContent(values, after: former, except: place))
  }
}

extension SectionContent: Hashable {
  /// Whether two have the same items and slots, packed or not.
  public static func == (left: SectionContent, right: SectionContent) -> Bool {
    if let left = left.packedForm, let right = right.packedForm, left.bytes == right.bytes { return true }
    return left.values == right.values
  }

  /// Hashes what is the same in both forms.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(outline?.items ?? items.count)
    hasher.combine(outline?.slots.count ?? slots.count)
  }
}

extension SectionDefinition {
  /// The same section with its content as values.
  public var opened: SectionDefinition { SectionDefinition(id: id, settings: settings, content: content.opened) }

  /// The same section with its content packed, where that is worth it.
  public var packed: SectionDefinition { SectionDefinition(id: id, settings: settings, content: content.packed) }
}
