public import JSON
public import JSONSchema

/// The component kinds that clients can draw: the content of `config/kinds.yaml`.
public struct Kinds: Sendable {
  /// The item kinds by name.
  public let items: [String: ItemKind]
  /// The section kinds by name.
  public let sections: [String: SectionKind]
  /// The named colours and spacings.
  public let tokens: DesignTokens
  /// The file as it was read, which the console builds its forms from.
  public let document: JSON
  /// What stands before the addresses of pictures that Hearth keeps, such as `https://cdn.example.com`; they begin with
  /// `/v1/assets/` when it is `nil`. A part of what clients get, and so the same on all nodes.
  public internal(set) var assetsBaseURL: String?
  /// What the links of long lists are made and checked with, the same on all nodes.
  public internal(set) var linkKey = LinkKey.random()
  /// The hash of the document, 64 hexadecimal digits. Equal hashes mean equal kinds.
  public let hash: String
  /// Identifies what kinds assemble: their hash, and the link key's.
  public var identity: String { Self.identity(hash, linkKey) }

  init(items: [String: ItemKind], sections: [String: SectionKind], tokens: DesignTokens, document: JSON) {
    hash = Fingerprint.of(document.canonicalBytes)
    self.items = items
    self.sections = sections
    self.tokens = tokens
    self.document = document
  }

  /// The ``identity`` of kinds with a hash and a key.
  public static func identity(_ hash: String, _ linkKey: LinkKey) -> String {
    "\(hash) \(Fingerprint.of(linkKey.text.utf8).prefix(16))"
  }

  /// The same kinds with the key that links are made with.
  public func linking(by key: LinkKey) -> Kinds {
    var kinds = self
    kinds.linkKey = key
    return kinds
  }
}

/// The least app version by platform that can draw a kind; a platform that is not named can.
public typealias Requirements = [String: AppVersion]

/// What one cell shows, and what its content is.
public struct ItemKind: Sendable {
  /// Whether items of the kind have an action.
  public enum ActionRule: String, Sendable, CaseIterable {
    /// They may have one.
    case optional
    /// They must have one.
    case required
    /// They have none.
    case forbidden
  }

  /// What a client draws instead that cannot draw the kind.
  public struct Fallback: Sendable {
    /// The kind drawn instead.
    public let kind: String
    /// The members of its content, each with the place in this kind's content it is taken from; the same content when
    /// absent.
    public let content: [ExactString: JSONPointer]?
  }

  /// The kind's name.
  public let name: String
  /// What operators call it.
  public let title: String
  /// What the content must be.
  public let schema: Schema
  /// The kinds that children may be of; none when empty.
  public let children: [String]
  /// Whether items of the kind have an action.
  public let action: ActionRule
  /// Which clients can draw it.
  public let requirements: Requirements
  /// What others draw instead.
  public let fallback: Fallback?
  /// Whether it is there to draw what is live alone, and content may not be of it any more.
  public let isRemoved: Bool
}

/// How a section is drawn, and what it holds.
public struct SectionKind: Sendable {
  /// One named slot.
  public struct Slot: Hashable, Sendable {
    /// The item kinds that the slot takes.
    public let kinds: [String]
    /// Whether a section without it is left out of the page.
    public let isRequired: Bool
  }

  /// The items of a section.
  public struct Items: Hashable, Sendable {
    /// The item kinds that the section takes.
    public let kinds: [String]
    /// The fewest items that content may have, once it has any.
    public let minimum: Int
    /// The most items that content may have; `nil` where the kind does not say. ``LayoutLimits/itemsMax`` counts too.
    public let maximum: Int?
  }

  /// The kind's name.
  public let name: String
  /// What operators call it.
  public let title: String
  /// The default layout, which a section's own members are laid over.
  public let layout: JSONObject
  /// The items it takes; none when absent.
  public let items: Items?
  /// Its named slots.
  public let slots: [String: Slot]
  /// The item kinds that a header may be of.
  public let header: [String]
  /// The item kinds that a footer may be of.
  public let footer: [String]
  /// The levels of children below an item.
  public let depth: Int
  /// Whether a header or a footer alone is enough for the section to show.
  public let showsWithoutItems: Bool
  /// Which clients can draw it.
  public let requirements: Requirements
  /// The section kind that others draw instead.
  public let fallback: String?
  /// Whether it is there to draw what is live alone, and sections may not be of it any more.
  public let isRemoved: Bool
}

/// A kinds file that is wrong.
public struct InvalidKinds: Error, Hashable, Sendable, CustomStringConvertible {
  /// Everything that is wrong, at least one.
  public let problems: [DocumentProblem]

  /// Everything that is wrong, in one line.
  public var description: String { problems.map(\.description).joined(separator: "; ") }
}
