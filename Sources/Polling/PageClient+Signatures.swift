import Foundation
import HomePayload

/// An answer, and what its signatures say.
struct ReceivedAnswer {
  var answer: PageAnswer
  var signed: SignedFields
  /// `nil` where the client pins no keys.
  var verdict: Result<SignaturePolicy.Proof, SignatureFailure>?
}

/// What a client with pinned keys takes.
extension PageClient {
  /// What an answer's signatures say, by the page that it leads to.
  ///
  /// - Parameter base: The page that was named in the request.
  func verdict(
    on answer: PageAnswer, to base: Page?, _ signed: SignedFields
  ) -> Result<SignaturePolicy.Proof, SignatureFailure>? {
    guard let policy = settings.signatures else { return nil }
    return Result { () throws(SignatureFailure) in
      switch answer {
      case .page(_, let bytes): try policy.check(signed, page: { bytes }, at: date())
      case .changes(let page, _): try policy.check(signed, page: { page.canonicalBytes }, at: date())
      case .unchanged, .misfit:
        try policy.check(
          signed, tag: base.map { PageRequest.tag($0) }, page: { base == newest ? held.bytes : [] }, at: date())
      }
    }
  }

  /// Whether the whole page has to be asked for: what came does not fit the one that is held, or does not verify.
  func isMisfit(_ received: ReceivedAnswer) -> Bool {
    if case .misfit = received.answer { return true }
    guard case .failure(let failure) = received.verdict, !received.isWhole else { return false }
    switch failure {
    case .wrongSignature, .otherContent: return true
    // It is asked for past caches.
    case .expired: return false
    // Where the page is shown all the same, it would be asked for twice each time.
    case .unsigned, .unreadable, .unknownKey, .notYet: return settings.signatures?.mode == .require
    }
  }

  /// Whether a cache on the way may have kept what came for too long.
  func isOver(_ received: ReceivedAnswer) -> Bool {
    guard case .failure(.expired) = received.verdict else { return false }
    return settings.signatures?.mode == .require
  }

  /// Whether an answer's edition comes before the one that is held, or before the highest of each key that signed it; and
  /// whether it may: where it is another page that does not say.
  func isOlder(_ received: ReceivedAnswer) -> Bool {
    if let revision {
      guard let other = received.revision else { return received.page.map { $0.version != newest?.version } ?? false }
      if other < revision { return true }
    }
    guard case .success(let proof) = received.verdict else { return false }
    return proof.keyIDs.allSatisfy { id in held.highest[id].map { proof.revision < $0 } ?? false }
  }

  /// Whether a page that was kept may be shown.
  func admits(_ stored: StoredPage) -> Bool {
    guard let policy = settings.signatures else { return true }
    held.highest = stored.highest.filter { policy.keyIDs.contains($0.key) }
    do throws(SignatureFailure) {
      guard let fields = stored.signed else { throw .unsigned }
      let proof = try policy.check(fields, page: { stored.bytes }, at: nil)
      (held.signed, held.verification) = (fields, proof.keyIDs.first.map { .verified(by: $0) })
    } catch {
      guard policy.mode == .report else {
        storageFailure = "what was kept does not verify: \(error)"
        return false
      }
      held.verification = .failed(error)
    }
    return true
  }
}

extension ReceivedAnswer {
  /// The edition that it is of, as it says.
  var revision: PageRevision? { signed.revision.flatMap(PageRevision.init) }

  /// Whether it is the whole page.
  var isWhole: Bool { if case .page = answer { true } else { false } }

  /// The page that it leads to, if it brings one.
  var page: Page? {
    switch answer {
    case .page(let page, _), .changes(let page, _): page
    case .unchanged, .misfit: nil
    }
  }
}
