import Foundation
import HomePayload

/// What an app changes while it polls.
extension PageClient {
  /// Changes the settings, such as the locale, the user's attributes or a tester's ``PageClientSettings/overrides``, and has the
  /// loop ask for the whole page where that makes it another one.
  ///
  /// What is shown stays until it comes. Only where a preview begins or ends, or the server or the page is another one,
  /// does the client begin anew, with what was kept. For another user call ``reset()`` as well: the page may say what
  /// the first one alone should see.
  public func change(_ change: @escaping @Sendable (inout PageClientSettings) -> Void) async {
    await load()
    var next = settings
    change(&next)
    let isOther = PageRequest.url(next) != PageRequest.url(settings)
    // Nothing of it throws.
    try? await taking.run { await self.use(change) }
    if isOther { askAnew() }
  }

  private func use(_ change: (inout PageClientSettings) -> Void) async {
    let old = settings
    change(&settings)
    let (before, after) = (PageRequest.url(old)?.absoluteString ?? "", PageRequest.url(settings)?.absoluteString ?? "")
    guard before != after else { return }
    guard old.isPreview == settings.isPreview, StoredPage.place(before) == StoredPage.place(after) else {
      begin(with: settings.isPreview ? HeldPage() : bundled)
      loading = nil
      await load()
      return
    }
    // What is under way is of what the app told before.
    lastStarted += 1
    lastTaken = lastStarted
    (isOwn, isConfirmed, failure, drops) = (false, false, nil, 0)
  }

  /// From now on fetches and keeps pages, and leaves the one that is shown until ``activate()``: for a screen that must not
  /// change under a finger.
  public func hold() {
    shown = page
    isHolding = true
  }

  /// Shows what came since ``hold()``, at once.
  public func activate() {
    (isHolding, shown) = (false, nil)
    dropOtherLists()
    hasToShow = true
    interruption?()
  }
}
