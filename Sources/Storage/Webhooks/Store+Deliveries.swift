import JSON
public import Layout

/// The outbox of webhooks: what is written with a revision, and what becomes of it.
extension Store {
  /// The process that sends, for so long: another one may once that is over and nobody has renewed it.
  public static let senderLease: Int64 = 30

  /// The next delivery of every page of each webhook that is on, whether it is due or not.
  public func nextWebhookDeliveries() async throws -> [DueDelivery] {
    let now = clock()
    return try await read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT d.*, w.name, w.url, w.format, w.kinds, w.pages, w.is_on, w.secret, w.former_secret, w.former_until,
            (SELECT live FROM pages WHERE id = d.page) AS live
          FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook
          WHERE w.is_on = 1 AND d.id IN
            (SELECT min(id) FROM webhook_deliveries WHERE state = 'waiting' GROUP BY webhook, page)
          ORDER BY d.id
          """
      ).map { row in
        let formerUntil: Instant? = row["former_until"]
        let former = formerUntil.map { now < $0 } == true ? row["former_secret"] as String? : nil
        return DueDelivery(
          delivery: try WebhookDelivery(row), isPageLive: (row["live"] as Int?) != nil,
          settings: try Webhook.Settings(row),
          secrets: [row["secret"], former].compactMap(\.self).map(WebhookSecret.init))
      }
    }
  }

  /// How many deliveries wait for webhooks that are on, and when the oldest of them was made.
  public func waitingWebhookDeliveries() async throws -> (count: Int, since: Instant?) {
    try await read { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*) AS waiting, min(d.at) AS since FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook
          WHERE d.state = 'waiting' AND w.is_on = 1
          """)
      let since: Instant? = row?["since"]
      return (row?["waiting"] ?? 0, since)
    }
  }

  /// Has a process be the one that sends, unless another one is.
  ///
  /// - Parameter instance: What tells the process from others: 1 to 64 characters.
  /// - Returns: Whether it is, for ``senderLease`` seconds from now.
  public func holdsWebhookSender(_ instance: String) async throws -> Bool {
    let now = clock()
    return try await transaction { db in
      try db.execute(
        sql: """
          INSERT INTO webhook_sender (id, instance, until) VALUES (1, :instance, :until)
          ON CONFLICT (id) DO UPDATE SET instance = :instance, until = :until
          WHERE webhook_sender.instance = :instance OR webhook_sender.until <= :now
          """, arguments: ["instance": instance, "until": now.adding(seconds: Self.senderLease), "now": now])
      return try String.fetchOne(db, sql: "SELECT instance FROM webhook_sender") == instance
    }
  }

  /// Lets another process send at once.
  public func endWebhookSender(_ instance: String) async throws {
    try await transaction { db in
      _ = try db.execute(sql: "DELETE FROM webhook_sender WHERE instance = ?", arguments: [instance])
    }
  }

  /// Notes what came of a try.
  ///
  /// - Parameters:
  ///   - delivery: As it is after the try.
  ///   - offReason: Why its webhook is switched off; `nil` where it is not.
  public func noteWebhookTry(_ delivery: WebhookDelivery, switchingOff offReason: String? = nil) async throws {
    try await transaction { [writeSettings] db in
      // What was given up meanwhile stays so.
      try db.execute(
        sql: """
          UPDATE webhook_deliveries SET state = ?, nodes = ?, tries = ?, next_at = ?, last_at = ?, status = ?, detail = ?
          WHERE id = ? AND state = 'waiting'
          """,
        arguments: [
          delivery.state.rawValue, delivery.nodes?.canonicalText, delivery.tries, delivery.nextAt,
          delivery.lastAt, delivery.status, delivery.detail, delivery.id,
        ])
      try db.removeFinished(of: delivery.webhook, keep: writeSettings.deliveriesKept)
    }
    guard let offReason else { return }
    try await write("webhook.off", by: Actor(name: "webhooks")) { change in
      let count = try change.db.execute(
        sql: "UPDATE webhooks SET is_on = 0, off_reason = ?, changed = ? WHERE id = ? AND is_on = 1",
        arguments: [offReason, change.id, delivery.webhook])
      change.isVoid = count == 0
      change.detail = "\(delivery.webhook): \(offReason)"
    }
  }
}

extension Change {
  /// Writes down whom to tell of a revision that goes live, in the same transaction.
  func writeOutbox(_ revision: Revision, _ limits: WriteSettings) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT * FROM webhooks WHERE is_on = 1 ORDER BY id")
    let message = "msg_" + TokenText.letters(27)
    for row in rows where try Webhook.Settings(row).takes(revision) {
      let id: Int = row["id"]
      try db.execute(
        sql: """
          INSERT INTO webhook_deliveries (webhook, message, page, generation, revision, event, at, state, next_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?)
          """,
        arguments: [
          id, message, revision.page, revision.generation, revision.number, revision.event.text, now, now,
        ])
      try db.giveUpOldest(of: id, keep: limits.deliveriesWaitingMax)
      try db.removeFinished(of: id, keep: limits.deliveriesKept)
    }
  }
}

extension Revision {
  /// What an event tells of it beside its page and edition.
  fileprivate var event: JSONObject {
    var event: JSONObject = ["kind": .string(kind.rawValue), "hash": .string(fingerprint), "author": .string(author)]
    event["message"] = message.map { .string($0) }
    event["source"] = source.map { .number(JSONNumber($0)) }
    return event
  }
}

extension Database {
  /// Makes room in the outbox of a webhook that takes nothing: the oldest are told of no more.
  fileprivate func giveUpOldest(of webhook: Int, keep: Int) throws {
    try execute(
      sql: """
        UPDATE webhook_deliveries SET state = 'given-up', detail = 'too many wait for this webhook (webhooks.waitingMax)'
        WHERE webhook = :webhook AND state = 'waiting' AND id <=
          (SELECT id FROM webhook_deliveries WHERE webhook = :webhook AND state = 'waiting'
           ORDER BY id DESC LIMIT 1 OFFSET :keep)
        """, arguments: ["webhook": webhook, "keep": keep])
  }

  fileprivate func removeFinished(of webhook: Int, keep: Int) throws {
    try execute(
      sql: """
        DELETE FROM webhook_deliveries WHERE webhook = :webhook AND state <> 'waiting' AND id <=
          (SELECT id FROM webhook_deliveries WHERE webhook = :webhook AND state <> 'waiting'
           ORDER BY id DESC LIMIT 1 OFFSET :keep)
        """, arguments: ["webhook": webhook, "keep": keep])
  }
}
