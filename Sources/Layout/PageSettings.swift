/// What holds for a page as a whole.
public struct PageSettings: Hashable, Sendable {
  /// What operators call the page.
  public var title: String
  /// The locale that a client gets when none of its own is there.
  public var defaultLocale: Locale
  /// The locales that the page is made in, the default one among them.
  public var locales: [Locale]
  /// The seconds a client may wait between two polls, 1 to 86,400.
  public var pollInterval: Int
  /// What to show when there are no sections (S4.5).
  public var emptyState: ItemDefinition?

  /// A page's settings.
  public init(
    title: String, defaultLocale: Locale, locales: [Locale], pollInterval: Int = 30, emptyState: ItemDefinition? = nil
  ) {
    self.title = title
    self.defaultLocale = defaultLocale
    self.locales = locales
    self.pollInterval = pollInterval
    self.emptyState = emptyState
  }
}
