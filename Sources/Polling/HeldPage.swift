import Foundation
import HomePayload

/// A page that a client holds, and what it knows of it.
struct HeldPage: Hashable {
  var page: Page?
  /// The edition that it is of.
  var revision: PageRevision?
  /// What led to it, if the server sent it.
  var changes: ChangeSet?
  /// The page as it came, where it cannot be written as the server does.
  var strangeBytes: [UInt8]?
  /// Who signed that it is the page to show, see ``PageState/verification``.
  var verification: PageVerification?
  /// The signature of the page, kept with it.
  var signed: SignedFields?
  /// The highest edition that each pinned key signed, by their ids: what one has signed before is older.
  var highest: [String: PageRevision] = [:]

  /// The bytes of the page.
  var bytes: [UInt8] { strangeBytes ?? page?.canonicalBytes ?? [] }

  /// Notes what an answer's signatures say once it is taken.
  mutating func note(_ received: ReceivedAnswer) {
    if case .unchanged = received.answer {} else { signed = nil }
    switch received.verdict {
    case nil: break
    case .failure(let failure): verification = .failed(failure)
    case .success(let proof):
      verification = proof.keyIDs.first.map { .verified(by: $0) }
      for id in proof.keyIDs { highest[id] = max(highest[id] ?? proof.revision, proof.revision) }
      if proof.isOfPage { signed = received.signed }
    }
  }
}
