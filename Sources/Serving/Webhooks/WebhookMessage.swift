import Crypto
import Foundation
import JSON
import Layout
import Storage

/// What is sent to a webhook.
struct WebhookMessage {
  let body: [UInt8]
  let fields: [(name: String, value: String)]

  /// The next try of a delivery, signed as Standard Webhooks has it: with each secret that counts.
  ///
  /// - Parameter now: When it is sent, which receivers hold against their clocks.
  init(_ due: DueDelivery, at now: Instant) {
    body = due.settings.format == .slack ? due.delivery.slackBody : due.delivery.standardBody
    let (id, time) = (due.delivery.message, String(now.secondsSinceEpoch))
    let signed = Array("\(id).\(time).".utf8) + body
    let signatures = due.secrets.map { secret in
      let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret.key))
      return "v1," + Data(code).base64EncodedString()
    }
    fields = [
      ("Content-Type", "application/json"), ("webhook-id", id), ("webhook-timestamp", time),
      ("webhook-signature", signatures.joined(separator: " ")),
    ]
  }
}

extension WebhookDelivery {
  private var kind: String { event["kind"]?.string ?? "" }

  /// The event as JSON.
  fileprivate var standardBody: [UInt8] {
    var data: JSONObject = [
      "page": .string(page), "edition": .string(edition.description), "generation": .count(edition.generation),
      "revision": .count(edition.revision),
    ]
    for member in event { data[member.name] = member.value }
    data["nodes"] = nodes
    let all: JSONObject = [
      "type": .string("revision.\(kind)"), "timestamp": .string(at.description), "data": .object(data),
    ]
    return JSON.object(all).canonicalBytes
  }

  /// The event as a sentence.
  fileprivate var slackBody: [UInt8] {
    let author = event["author"]?.string ?? ""
    var text = "\(page): revision \(edition.revision) is live (\(kind), by \(author))"
    if let message = event["message"]?.string { text += ": \(message)" }
    if let missing = nodes?["missing"]?.array?.compactMap(\.string) {
      text += ". Not yet served by: \(missing.joined(separator: ", "))"
    }
    // What Slack takes for its own signs.
    let written = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return JSON.object(["text": .string(written)]).canonicalBytes
  }
}
