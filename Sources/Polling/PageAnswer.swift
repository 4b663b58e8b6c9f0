import Foundation
import HomePayload
import JSON

/// What a server answered to a poll, read by its status and fields.
enum PageAnswer: Equatable {
  /// The page is the one that is held.
  case unchanged
  /// The whole page, and the bytes that it was read from.
  case page(Page, [UInt8])
  /// The page that the changes lead to, and the changes.
  case changes(Page, ChangeSet)
  /// Changes that do not fit what is held: the whole page has to be asked for.
  case misfit(String)

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - page: The id of the page that was asked for.
  ///   - base: The page that was named in the request.
  ///   - field: A field's value by its name.
  init(status: Int, of page: String, base: Page?, body: [UInt8], field: (String) -> String?) throws(ClientError) {
    switch (status, base) {
    case (200, _): self = .page(try Self.whole(page, body), body)
    case (226, _): self = Self.changes(to: base, body: body, field)
    case (304, let base?): self = Self.isOf(base, field) ? .unchanged : .misfit("another page's 304")
    case (400..., _): throw .refused(Refusal(status: status, body: body, field))
    default: throw .unreadable("the status \(status) does not answer what was asked")
    }
  }

  private static func whole(_ id: String, _ body: [UInt8]) throws(ClientError) -> Page {
    let page: Page
    do throws(PayloadError) { page = try Page(bytes: body) } catch { throw .unreadable("no page: \(error)") }
    guard page.id == id else { throw .unreadable("the answer is the page \(page.id)") }
    guard page.isVersion(of: body) else { throw .unreadable("the page does not agree with its hash") }
    return page
  }

  /// Whether a 304 is about a page. An intermediary may have added to the tag.
  private static func isOf(_ base: Page, _ field: (String) -> String?) -> Bool {
    field("ETag")?.contains(base.version) ?? true
  }

  private static func changes(to base: Page?, body: [UInt8], _ field: (String) -> String?) -> PageAnswer {
    guard let base else { return .misfit("changes of no page that is held") }
    // RFC 3229 §10.5.3: without this one instance manipulation the body is something else.
    guard field("IM")?.lowercased() == "hearth-changes" else { return .misfit("another instance manipulation") }
    do throws(PayloadError) {
      let changes = try ChangeSet(bytes: body)
      let page = try base.applying(changes)
      // What a newer server adds is not kept: then neither page can be written as the server does.
      let isChecked = base.isVersion(of: base.canonicalBytes)
      guard !isChecked || page.isVersion(of: page.canonicalBytes) else {
        return .misfit("what the changes lead to does not agree with its hash")
      }
      return .changes(page, changes)
    } catch {
      return .misfit("\(error)")
    }
  }
}

extension Refusal {
  init(status: Int, body: [UInt8], _ field: (String) -> String?) {
    let problem = try? JSON.parse(body)
    self.init(
      status: status, code: problem?["code"]?.string, detail: (problem?["detail"] ?? problem?["title"])?.string,
      requestID: problem?["requestId"]?.string, retryAfter: Delay.retryAfter(field))
  }
}

/// Times that an answer's fields give.
enum Delay {
  /// For how many seconds an answer holds: what `max-age` says, less the time that it was in a cache (RFC 9111 §4.2).
  static func fresh(_ field: (String) -> String?) -> TimeInterval? {
    let directives = (field("Cache-Control") ?? "").lowercased().split(separator: ",")
    let ages = directives.compactMap { directive -> Int? in
      let parts = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return parts.count == 2 && parts[0] == "max-age" ? seconds(parts[1]) : nil
    }
    guard let maxAge = ages.first else { return nil }
    return TimeInterval(max(0, maxAge - (field("Age").flatMap(seconds) ?? 0)))
  }

  /// What `Retry-After` asks for: seconds, or a date (RFC 9110 §10.2.3).
  static func retryAfter(_ field: (String) -> String?) -> TimeInterval? {
    guard let value = field("Retry-After") else { return nil }
    if let seconds = seconds(value) { return TimeInterval(seconds) }
    guard let until = date(value) else { return nil }
    let now = field("Date").flatMap(date) ?? Date()
    return min(TimeInterval(secondsMax), max(0, until.timeIntervalSince(now).rounded(.up)))
  }

  /// A day: no answer is worth a longer pause.
  private static let secondsMax = 86_400

  private static func seconds(_ text: String) -> Int? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return min(secondsMax, Int(text) ?? secondsMax)
  }

  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}
