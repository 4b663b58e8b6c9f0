import JSON
import Layout

/// Webhooks, as operators have them.
extension Store {
  /// All webhooks, by their ids, with their tags.
  public func webhooks() async throws -> [Tagged<Webhook>] {
    try await read { db in
      try Row.fetchAll(db, sql: "SELECT \(Webhook.columns) FROM webhooks w ORDER BY id").map { row in
        Tagged(try Webhook(row), tag: EntityTag.text(row["changed"]))
      }
    }
  }

  /// One webhook with its tag.
  public func webhook(_ id: Int) async throws -> Tagged<Webhook> {
    try await read { db in try db.webhook(id) }
  }

  /// Makes a webhook; its secret is told this once.
  ///
  /// - Parameter most: How many there may be.
  /// - Throws: ``StoreError`` `too-many-webhooks`.
  public func createWebhook(
    _ settings: Webhook.Settings, most: Int, by actor: Actor, keeping: AnswerKeeper<Tagged<Webhook>>? = nil
  ) async throws -> (webhook: Tagged<Webhook>, secret: WebhookSecret) {
    let secret = WebhookSecret.random()
    let made = try await write("webhook.create", by: actor, keeping: keeping) { change in
      guard try (Int.fetchOne(change.db, sql: "SELECT count(*) FROM webhooks") ?? 0) < most else {
        throw StoreError.conflict(
          code: "too-many-webhooks", detail: "there may be \(most) webhooks; delete one, or raise webhooks.countMax",
          values: ["most": .count(most)])
      }
      try change.check(settings)
      let made = try Int.fetchOne(
        change.db,
        sql: """
          INSERT INTO webhooks (name, url, format, kinds, pages, is_on, secret, created_at, created_by, changed)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
          """,
        arguments: .listed(
          settings.values + [
            secret.text.sql, change.now.sql, change.actor.name.sql, change.id.sql,
          ]))
      let id = made ?? 0
      change.detail = "\(id) \(settings.name)"
      return try change.db.webhook(id)
    }
    return (made, secret)
  }

  /// Says something else of a webhook.
  public func changeWebhook(
    _ id: Int, _ settings: Webhook.Settings, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<Tagged<Webhook>>? = nil
  ) async throws -> Tagged<Webhook> {
    try await write("webhook.change", by: actor, keeping: keeping) { change in
      let before = try change.changed(id, precondition)
      change.isVoid = before.value.settings == settings && before.value.offReason == nil
      if change.isVoid { return before }
      try change.check(settings)
      try change.db.execute(
        sql: """
          UPDATE webhooks SET name = ?, url = ?, format = ?, kinds = ?, pages = ?, is_on = ?, off_reason = NULL,
            changed = ? WHERE id = ?
          """, arguments: .listed(settings.values + [change.id.sql, id.sql]))
      change.detail = "\(id) \(settings.name)"
      return try change.db.webhook(id)
    }
  }

  /// Deletes a webhook with all that it was to be told.
  public func deleteWebhook(
    _ id: Int, if precondition: WritePrecondition, by actor: Actor, keeping: AnswerKeeper<Void>? = nil
  ) async throws {
    try await write("webhook.delete", by: actor, keeping: keeping) { change in
      let before = try change.changed(id, precondition)
      try change.db.execute(sql: "DELETE FROM webhooks WHERE id = ?", arguments: [id])
      change.detail = "\(id) \(before.value.settings.name)"
    }
  }

  /// Gives a webhook another secret, which is told this once. The one before signs as well for some time.
  ///
  /// - Parameter grace: For how long, in seconds.
  public func rotateWebhook(
    _ id: Int, grace: Int64, by actor: Actor, keeping: AnswerKeeper<Tagged<Webhook>>? = nil
  ) async throws -> (webhook: Tagged<Webhook>, secret: WebhookSecret) {
    let secret = WebhookSecret.random()
    let made = try await write("webhook.rotate", by: actor, keeping: keeping) { change in
      let before = try change.changed(id, .none)
      try change.db.execute(
        sql: "UPDATE webhooks SET former_secret = secret, former_until = ?, secret = ?, changed = ? WHERE id = ?",
        arguments: [change.now.adding(seconds: grace), secret.text, change.id, id])
      change.detail = "\(id) \(before.value.settings.name)"
      return try change.db.webhook(id)
    }
    return (made, secret)
  }

  /// What a webhook was told and is to be told, the newest first.
  ///
  /// - Parameters:
  ///   - before: Only those with a smaller id.
  ///   - limit: The most deliveries.
  public func webhookDeliveries(of id: Int, before: Int? = nil, limit: Int) async throws -> [WebhookDelivery] {
    try await read { db in
      _ = try db.webhook(id)
      return try Row.fetchAll(
        db, sql: "SELECT * FROM webhook_deliveries WHERE webhook = ? AND id < ? ORDER BY id DESC LIMIT ?",
        arguments: [id, before ?? .max, limit]
      ).map(WebhookDelivery.init)
    }
  }

  /// Has a delivery be sent at once, also one that was taken or given up.
  public func sendWebhookDeliveryAgain(
    _ id: Int, by actor: Actor, keeping: AnswerKeeper<WebhookDelivery>? = nil
  ) async throws -> WebhookDelivery {
    try await write("webhook.resend", by: actor, keeping: keeping) { change in
      let row = try Row.fetchOne(
        change.db, sql: "UPDATE webhook_deliveries SET state = 'waiting', next_at = ? WHERE id = ? RETURNING *",
        arguments: [change.now, id])
      guard let delivery = try row.map(WebhookDelivery.init) else {
        throw StoreError.notFound(what: "webhook delivery", name: String(id))
      }
      change.page = delivery.page
      change.detail = "\(delivery.webhook) \(delivery.message)"
      return delivery
    }
  }
}

extension Webhook.Settings {
  /// In the order of the columns.
  fileprivate var values: [SQLValue] {
    func text(_ names: [String]) -> SQLValue { JSON.array(names.map { .string($0) }).canonicalText.sql }
    return [name.sql, url.sql, format.rawValue.sql, text(kindNames), text(pages), isOn.sql]
  }
}

extension Database {
  /// - Throws: ``StoreError`` when there is none.
  fileprivate func webhook(_ id: Int) throws -> Tagged<Webhook> {
    let row = try Row.fetchOne(self, sql: "SELECT \(Webhook.columns) FROM webhooks w WHERE id = ?", arguments: [id])
    guard let row else { throw StoreError.notFound(what: "webhook", name: String(id)) }
    return Tagged(try Webhook(row), tag: EntityTag.text(row["changed"]))
  }
}

extension Change {
  fileprivate func check(_ settings: Webhook.Settings) throws {
    try WholeText.check([settings.name, settings.url] + settings.pages)
  }

  /// A webhook that is about to be changed.
  fileprivate func changed(_ id: Int, _ precondition: WritePrecondition) throws -> Tagged<Webhook> {
    let found = try db.webhook(id)
    try check(precondition, of: Int64.fetchOne(db, sql: "SELECT changed FROM webhooks WHERE id = ?", arguments: [id]))
    return found
  }
}
