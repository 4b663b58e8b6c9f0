public import Foundation

/// Why a poll brought nothing. The page that the client holds stays good to show.
public enum ClientError: Error, Hashable, Sendable {
  /// No answer came: no network, no such host, no trust, too late.
  case unreachable(String)
  /// The server answered with a problem (RFC 9457).
  case refused(Refusal)
  /// The answer is not of this contract.
  case unreadable(String)
  /// The answer was of an older edition than the page that is held, or of another page that says no edition (`nil`), and so
  /// was the one asked for past caches: a server lags behind.
  case dropped(PageRevision?)
  /// The same, three times in a row and for ``PollTiming/lagMax``: the server's database was made anew, or an old one was
  /// restored. ``PageClient/reset()`` takes what it has.
  case otherHistory(PageRevision?)
  /// No pinned key signed the answer, and the client's ``SignaturePolicy`` requires it.
  case unverified(SignatureFailure)
}

/// What a server says when it serves no page.
public struct Refusal: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The problem's stable name: `unknown-page`; `nil` when something in between answered.
  public var code: String?
  /// What is wrong, for people.
  public var detail: String?
  /// The id by which the server's log knows the request.
  public var requestID: String?
  /// For how many seconds the server asks to be left alone.
  public var retryAfter: TimeInterval?

  /// A refusal.
  public init(
    status: Int, code: String? = nil, detail: String? = nil, requestID: String? = nil, retryAfter: TimeInterval? = nil
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.requestID = requestID
    self.retryAfter = retryAfter
  }
}

extension ClientError {
  /// A body of more bytes than a client reads.
  public static func tooLong(_ bytesMax: Int) -> ClientError { .unreadable("it has more than \(bytesMax) bytes") }
}

extension ClientError: CustomStringConvertible {
  /// What happened, in a sentence.
  public var description: String {
    switch self {
    case .unreachable(let reason): "no answer: \(reason)"
    case .unreadable(let reason): "the answer cannot be read: \(reason)"
    case .dropped(let revision?): "the answer is of the older edition \(revision)"
    case .dropped(nil): "the answer does not say which edition it is of"
    case .otherHistory(let revision):
      "the server has had another history for long, of the edition \(revision.map { "\($0)" } ?? "that it does not say")"
    case .unverified(let failure): "the answer is not taken: \(failure)"
    case .refused(let refusal):
      "the server answered \(refusal.status)" + (refusal.code.map { " \($0)" } ?? "")
        + (refusal.detail.map { ": \($0)" } ?? "")
    }
  }
}
