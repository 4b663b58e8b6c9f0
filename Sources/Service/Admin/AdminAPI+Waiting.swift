import HTTPServer
import Storage
import Synchronization

extension AdminAPI {
  /// The 304 of a draft that `If-None-Match` names, after the seconds of `Prefer: wait` (RFC 7240 §4.3); `nil` once it
  /// has changed.
  func waitForChange(_ context: AdminContext) async throws -> Response? {
    guard context.request.ifNoneMatch != nil else { return nil }
    let end = ContinuousClock.now + .seconds(min(context.request.waitSeconds, settings.waitSecondsMax))
    while true {
      let tag = try await store.draftTag(context.page)
      guard context.request.matches(tag), context.request.knows(tag) else { return nil }
      if ContinuousClock.now >= end || isEndingWaits.load(ordering: .relaxed) {
        return Response(304, fields: [ResponseField("ETag", tag), ResponseField("Cache-Control", "no-store")])
      }
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}
