import Foundation
public import JSON
public import Layout

/// Somebody whom the server tells of revisions that went live.
public struct Webhook: Hashable, Sendable {
  /// How what is sent looks.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// That of Standard Webhooks: the event as JSON.
    case standard
    /// That of Slack's incoming webhooks: a sentence.
    case slack
  }

  /// What an operator says of it.
  public struct Settings: Hashable, Sendable {
    /// What operators call it: 1 to 200 bytes.
    public var name: String
    /// Where it is.
    public var url: String
    /// How what is sent looks.
    public var format: Format
    /// How a revision must have come to be.
    public var kinds: Set<Revision.Kind>
    /// The pages, in their order; none stands for all.
    public var pages: [String]
    /// Whether it is told of what goes live. What waits while it is off goes on waiting.
    public var isOn: Bool

    /// All that an operator says.
    public init(name: String, url: String, format: Format, kinds: Set<Revision.Kind>, pages: [String], isOn: Bool) {
      self.name = name
      self.url = url
      self.format = format
      self.kinds = kinds
      self.pages = pages
      self.isOn = isOn
    }

    /// What counts where nobody says which kinds: all but what sources push, which comes often.
    public static let ordinaryKinds = Set(Revision.Kind.allCases).subtracting([.content])
  }

  /// Names it.
  public var id: Int
  /// What an operator says of it.
  public var settings: Settings
  /// Why the server has switched it off; `nil` otherwise.
  public var offReason: String?
  /// When it was made.
  public var createdAt: Instant
  /// Who made it.
  public var createdBy: String
  /// Until when the secret before the last rotation is used too; `nil` where there is none.
  public var formerSecretUntil: Instant?
  /// How many deliveries wait.
  public var waiting = 0
  /// When one of them was made that waits the longest; `nil` where none does.
  public var waitingSince: Instant?
}

/// What signs deliveries, as Standard Webhooks has it: `whsec_` and 32 random octets in base64.
public struct WebhookSecret: Hashable, Sendable {
  /// As it is told.
  public let text: String

  static func random() -> WebhookSecret {
    var generator = SystemRandomNumberGenerator()
    let octets = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return WebhookSecret(text: prefix + Data(octets).base64EncodedString())
  }

  init(text: String) { self.text = text }

  private static let prefix = "whsec_"

  /// The octets that a signature is made with.
  public var key: [UInt8] { Array(Data(base64Encoded: String(text.dropFirst(Self.prefix.count))) ?? Data()) }
}

/// What one webhook is told of one revision.
public struct WebhookDelivery: Hashable, Sendable {
  /// What became of it.
  public enum State: String, Hashable, Sendable {
    /// It is still to be sent.
    case waiting
    /// It has been taken.
    case delivered
    /// It is not sent any more.
    case givenUp = "given-up"
  }

  /// Orders it among those of its webhook.
  public var id: Int
  /// What it is named by in every try (`webhook-id`).
  public var message: String
  /// The webhook.
  public var webhook: Int
  /// The page.
  public var page: String
  /// The edition that went live.
  public var edition: EditionNumber
  /// How the revision came to be, its hash, author and message.
  public var event: JSONObject
  /// When the revision was made.
  public var at: Instant
  /// What became of it.
  public var state: State
  /// The nodes that did not serve the edition when it was sent first; `nil` where all did.
  public var nodes: JSON?
  /// How often it was tried.
  public var tries: Int
  /// When it is tried next, while it waits.
  public var nextAt: Instant
  /// When it was tried last; `nil` before the first try.
  public var lastAt: Instant?
  /// The status that the last try got; `nil` where there was no answer.
  public var status: Int?
  /// Why it was not taken.
  public var detail: String?
}

/// A delivery that is the next of its page, and all that sending it needs.
public struct DueDelivery: Sendable {
  /// The delivery.
  public var delivery: WebhookDelivery
  /// Whether its page has not been deleted since.
  public var isPageLive: Bool
  /// Where it goes.
  public var settings: Webhook.Settings
  /// What signs it: the secret, and the one before while that counts.
  public var secrets: [WebhookSecret]
}

extension Webhook {
  static let columns = """
    w.*, (SELECT count(*) FROM webhook_deliveries d WHERE d.webhook = w.id AND d.state = 'waiting') AS waiting,
    (SELECT min(at) FROM webhook_deliveries d WHERE d.webhook = w.id AND d.state = 'waiting') AS waiting_since
    """

  init(_ row: Row) throws {
    settings = try Settings(row)
    (id, offReason, createdBy) = (row["id"], row["off_reason"], row["created_by"])
    createdAt = row["created_at"]
    formerSecretUntil = row["former_until"]
    waiting = row["waiting"]
    waitingSince = row["waiting_since"]
  }
}

extension Webhook.Settings {
  init(_ row: Row) throws {
    let kinds = try JSON.stored(row["kinds"] as String).array?.compactMap { $0.string.flatMap(Revision.Kind.init) }
    let pages = try JSON.stored(row["pages"] as String).array?.compactMap(\.string)
    self.init(
      name: row["name"], url: row["url"], format: Webhook.Format(rawValue: row["format"]) ?? .standard,
      kinds: Set(kinds ?? []), pages: pages ?? [], isOn: row["is_on"])
  }

  /// The kinds in their order, as arrays of JSON have them.
  public var kindNames: [String] { Revision.Kind.allCases.filter(kinds.contains).map(\.rawValue) }

  /// Whether it is told of a revision.
  func takes(_ revision: Revision) -> Bool {
    isOn && kinds.contains(revision.kind) && (pages.isEmpty || pages.contains(revision.page))
  }
}

extension WebhookDelivery {
  init(_ row: Row) throws {
    (id, message, webhook, page) = (row["id"], row["message"], row["webhook"], row["page"])
    edition = EditionNumber(generation: row["generation"], revision: row["revision"])
    event = try JSON.stored(row["event"] as String).object ?? JSONObject()
    (at, nextAt) = (row["at"], row["next_at"])
    state = State(rawValue: row["state"]) ?? .givenUp
    nodes = try (row["nodes"] as String?).map { try JSON.stored($0) }
    (tries, status, detail) = (row["tries"], row["status"], row["detail"])
    lastAt = row["last_at"]
  }
}
