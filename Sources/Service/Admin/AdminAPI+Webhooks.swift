import HTTPClient
import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  /// How long the secret before a rotation signs too when nothing is said: a day.
  private static let graceSeconds = 86_400
  /// The most pages that one is told of by name.
  private static let pagesMax = 1_000

  var webhookRoutes: [Route] {
    [
      Route("GET", "webhooks", .admin) { [self] _ in
        .value([
          "webhooks": .array(try await store.webhooks().map(\.value.json)), "isSending": .bool(webhooks != nil),
          "most": .number(JSONNumber(webhooksMax)),
        ])
      },
      Route("POST", "webhooks", .admin, body: .json("WebhookRequest"), keeps: .allButSecret) { [self] context in
        let settings = try webhookSettings(of: context)
        let (made, secret) = try await store.createWebhook(
          settings, most: webhooksMax, by: context.actor, keeping: context.keeping { .value($0.value.json, 201) })
        return .value(made.value.json(with: secret), 201, tag: made.tag)
      },
      Route("GET", "webhooks/{webhook}", .admin) { [self] context in
        let found = try await store.webhook(context.webhook)
        return .value(found.value.json, tag: found.tag)
      },
      Route("PUT", "webhooks/{webhook}", .admin, condition: .whenPresent, body: .json("WebhookRequest")) {
        [self] context in
        let settings = try webhookSettings(of: context)
        return try await context.change {
          try await store.changeWebhook(
            context.webhook, settings, if: context.precondition(), by: context.actor,
            keeping: $0)
        } answering: {
          .value($0.value.json, tag: $0.tag)
        }
      },
      Route("DELETE", "webhooks/{webhook}", .admin, condition: .whenPresent) { [self] context in
        try await context.change {
          try await store.deleteWebhook(context.webhook, if: context.precondition(), by: context.actor, keeping: $0)
        }
      },
    ] + webhookSecretRoutes + webhookDeliveryRoutes
  }

  private var webhookSecretRoutes: [Route] {
    [
      Route(
        "POST", "webhooks/{webhook}/rotate", .admin, body: .optional("WebhookRotationRequest"), keeps: .allButSecret
      ) {
        [self] context in
        var body = try BodyReader(context.json())
        let grace = body.grace()
        try body.finish()
        let (made, secret) = try await store.rotateWebhook(
          context.webhook, grace: Int64(grace ?? Self.graceSeconds), by: context.actor,
          keeping: context.keeping { .value($0.value.json, 201) })
        return .value(made.value.json(with: secret), 201, tag: made.tag)
      }
    ]
  }

  private var webhookDeliveryRoutes: [Route] {
    [
      Route("GET", "webhooks/{webhook}/deliveries", .admin, query: ["limit", "cursor"]) { [self] context in
        let limit = try context.request.int("limit", in: 1...100, default: 50)
        let before = try Cursor.number(context.request.query["cursor"])
        let found = try await store.webhookDeliveries(of: context.webhook, before: before, limit: limit + 1)
        var object: JSONObject = ["deliveries": .array(found.prefix(limit).map(\.json))]
        if found.count > limit { object["next"] = found.prefix(limit).last.map { Cursor.json(String($0.id)) } }
        return .value(.object(object))
      },
      Route("POST", "webhooks/deliveries/{delivery}/send", .admin) { [self] context in
        try await context.change {
          try await store.sendWebhookDeliveryAgain(
            context.parameters["delivery"]?.ordinal ?? 0, by: context.actor, keeping: $0)
        } answering: {
          .value($0.json)
        }
      },
    ]
  }

  /// What a request's body says of a webhook.
  ///
  /// - Throws: ``Problem`` 422 with everything that is wrong.
  private func webhookSettings(of context: AdminContext) throws -> Webhook.Settings {
    var body = try BodyReader(context.json())
    let name = body.text("name", in: 1...200, isRequired: true)
    let url = body.required("url", .text(OutgoingURL.expected)) { $0.string.flatMap { OutgoingURL($0) } }
    let format = body.optional("format", .word(of: Webhook.Format.allCases.map(\.rawValue))) {
      $0.string.flatMap(Webhook.Format.init)
    }
    let all = Revision.Kind.allCases.map(\.rawValue)
    let kinds = body.optional("kinds", .text("an array of at least one of \(all.joined(separator: ", "))")) { json in
      json.array.flatMap { array -> Set<Revision.Kind>? in
        let kinds = array.compactMap { $0.string.flatMap(Revision.Kind.init) }
        return kinds.count == array.count && !kinds.isEmpty ? Set(kinds) : nil
      }
    }
    let ids = Sentence.text("an array of at most \(Self.pagesMax) page ids; empty for all pages")
    let pages = body.optional("pages", ids) { json in
      json.array.flatMap { array -> [String]? in
        let pages = array.compactMap(\.string).filter(Slug.isValid)
        return pages.count == array.count && pages.count <= Self.pagesMax ? pages : nil
      }
    }
    let isOn = body.optional("on", Sentence(.enum, "true or false", ["allowed": [true, false]]), \.bool)
    if let refusal = url.flatMap({ webhooks?.refusal(of: $0) }) {
      body.add(DocumentProblem(pointer: JSONPointer(["url"]), Sentence.text("a public address: \(refusal)").demanded))
    }
    try body.finish()
    return Webhook.Settings(
      name: name ?? "", url: url?.text ?? "", format: format ?? .standard,
      kinds: kinds ?? Webhook.Settings.ordinaryKinds, pages: pages ?? [], isOn: isOn ?? true)
  }
}

extension AdminContext {
  fileprivate var webhook: Int { parameters["webhook"]?.ordinal ?? 0 }
}

extension Webhook {
  fileprivate var json: JSON {
    var object: JSONObject = [
      "id": .number(JSONNumber(id)), "name": .string(settings.name), "url": .string(settings.url),
      "format": .string(settings.format.rawValue), "kinds": .array(settings.kindNames.map { .string($0) }),
      "pages": .array(settings.pages.map { .string($0) }), "on": .bool(settings.isOn),
      "createdAt": .string(createdAt.description), "createdBy": .string(createdBy),
      "waiting": .number(JSONNumber(waiting)),
    ]
    object["offReason"] = offReason.map { .string($0) }
    object["formerSecretUntil"] = formerSecretUntil.map { .string($0.description) }
    object["waitingSince"] = waitingSince.map { .string($0.description) }
    return .object(object)
  }

  /// With its secret, which is told this once.
  fileprivate func json(with secret: WebhookSecret) -> JSON {
    var object = json.object ?? JSONObject()
    object["secret"] = .string(secret.text)
    return .object(object)
  }
}

extension WebhookDelivery {
  fileprivate var json: JSON {
    var object: JSONObject = [
      "id": .number(JSONNumber(id)), "message": .string(message), "page": .string(page),
      "edition": .string(edition.description), "event": .object(event), "at": .string(at.description),
      "state": .string(state.rawValue), "tries": .number(JSONNumber(tries)),
    ]
    if state == .waiting { object["nextAt"] = .string(nextAt.description) }
    object["lastAt"] = lastAt.map { .string($0.description) }
    object["status"] = status.map { .number(JSONNumber($0)) }
    object["detail"] = detail.map { .string($0) }
    object["nodes"] = nodes
    return .object(object)
  }
}
