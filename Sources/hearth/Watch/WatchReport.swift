import Foundation
import HomePayload
import JSON
import Polling

/// What `hearth watch` says of each poll.
struct WatchReport {
  var isJSON: Bool
  var isColoured: Bool

  /// - Parameter next: After how many seconds it asks again; `nil` when it does not.
  mutating func print(
    _ state: PageState, _ update: PageUpdate?, _ revision: PageRevision?, _ cost: Exchange.Cost, next: TimeInterval?
  ) {
    Swift.print(isJSON ? json(state, update, revision, cost, next) : text(state, update, revision, cost, next))
    fflush(nil)
  }

  private func text(
    _ state: PageState, _ update: PageUpdate?, _ revision: PageRevision?, _ cost: Exchange.Cost, _ next: TimeInterval?
  ) -> String {
    var parts = [cost.statuses.isEmpty ? "no answer" : cost.statuses.map(String.init).joined(separator: ", ")]
    parts.append("\(cost.bytes) bytes")
    parts.append(String(format: "%.1f ms", cost.milliseconds))
    if let page = state.page { parts.append("version \(page.version.escapingControls)") }
    if let revision { parts.append("revision \(revision)") }
    if case .verified(let id)? = state.verification { parts.append("verified by \(id)") }
    if let next { parts.append(String(format: "next poll in %.1f s", next)) }
    var lines = [coloured(parts.joined(separator: " · "), 2)]
    if case .failed(let reason)? = state.verification {
      lines.append(coloured("the page does not verify: \(reason)".escapingControls, 31))
    }
    if let failure = state.failure { lines.append(coloured("\(failure)".escapingControls, 31)) }
    if let update { lines += tree(update) }
    return lines.joined(separator: "\n")
  }

  private func tree(_ update: PageUpdate) -> [String] {
    let page = update.page
    let head = "\(page.id)  \(page.locale)  \(page.sortRule)".escapingControls
    let tree = PageTree(update)
    let colours: [PageTree.Mark: Int] = [.came: 32, .went: 31, .moved: 36, .changed: 33]
    return [head]
      + tree.lines.map { line in
        let text = "\(line.mark.rawValue) \(String(repeating: "  ", count: line.depth))\(line.text)"
        return colours[line.mark].map { coloured(text, $0) } ?? text
      }
  }

  private func coloured(_ text: String, _ number: Int) -> String {
    isColoured ? "\u{1B}[\(number)m\(text)\u{1B}[0m" : text
  }

  private func json(
    _ state: PageState, _ update: PageUpdate?, _ revision: PageRevision?, _ cost: Exchange.Cost, _ next: TimeInterval?
  ) -> String {
    var line = JSONObject()
    line["statuses"] = .array(cost.statuses.map { .number(JSONNumber($0)) })
    line["bytes"] = .number(JSONNumber(cost.bytes))
    line["milliseconds"] = JSONNumber((cost.milliseconds * 1_000).rounded() / 1_000).map(JSON.number)
    line["version"] = state.page.map { .string($0.version) }
    line["revision"] = revision.map { .string($0.description) }
    switch state.verification {
    case .verified(let id): line["verifiedBy"] = .string(id)
    case .failed(let reason): line["unverified"] = .string(reason.description)
    case nil: break
    }
    line["failure"] = state.failure.map { .string($0.description) }
    line["nextPollIn"] = next.flatMap { JSONNumber(($0 * 1_000).rounded() / 1_000) }.map(JSON.number)
    if let update {
      if let changes = update.changes {
        line["changes"] = try? JSON.parse(changes.canonicalBytes)
      } else {
        line["page"] = try? JSON.parse(update.page.canonicalBytes)
      }
    }
    return JSON.object(line).canonicalText
  }
}
