extension SectionDefinition {
  /// From when on the section is hidden, if its content was confirmed at an instant; `nil` where it counts for ever.
  public func expiry(confirmedAt instant: Instant?) -> Instant? {
    guard let seconds = settings.loading.freshFor, let instant else { return nil }
    return instant.adding(seconds: Int64(seconds))
  }
}

extension PageDefinition {
  /// From when on a section is hidden unless its content is confirmed; `nil` where that never happens.
  func expiry(of section: SectionDefinition) -> Instant? { section.expiry(confirmedAt: confirmed[section.id]) }

  /// When a section shows: by its schedule, until it is hidden for want of a confirmation.
  func shownTime(of section: SectionDefinition) -> Schedule? {
    guard let expiry = expiry(of: section) else { return section.settings.schedule }
    let schedule = section.settings.schedule
    return Schedule(from: schedule?.from, until: min(schedule?.until ?? expiry, expiry), zone: schedule?.zone)
  }

  /// The sections that are hidden at an instant since nobody has confirmed their content, in the page's own order, each with
  /// the instant at which it was hidden.
  public func expiredSections(at instant: Instant) -> [(section: String, since: Instant)] {
    sections.compactMap { section in
      guard !section.settings.isHidden, let expiry = expiry(of: section), expiry <= instant else { return nil }
      return (section.id, expiry)
    }
  }

  /// Keeps of the confirmations those that are over at an instant: the others count for ever.
  public mutating func keepExpired(at instant: Instant) {
    let expired = Set(expiredSections(at: instant).map(\.section))
    confirmed = confirmed.filter { expired.contains($0.key) }
  }

  /// Takes over when content was confirmed that is live already; what is new counts as confirmed when it goes live.
  ///
  /// - Parameters:
  ///   - live: What is live; `nil` when nothing is.
  ///   - liveFingerprints: Those of its sections.
  ///   - fingerprints: Those of this page's sections.
  ///   - instant: When it goes live; `nil` where that is not known.
  public mutating func takeConfirmations(
    of live: PageDefinition?, live liveFingerprints: [String], _ fingerprints: [String], at instant: Instant?
  ) {
    let known = Dictionary(
      zip(live?.sections ?? [], liveFingerprints).map { ($0.id, (section: $0, fingerprint: $1)) },
      uniquingKeysWith: { first, _ in first })
    var confirmed: [String: Instant] = [:]
    for (section, fingerprint) in zip(sections, fingerprints) where section.settings.loading.freshFor != nil {
      // Settings may be others, and the content the same.
      let isLive = known[section.id].map { $0.fingerprint == fingerprint || $0.section.content == section.content }
      confirmed[section.id] = (isLive ?? false ? live?.confirmed[section.id] : nil) ?? instant
    }
    self.confirmed = confirmed
  }
}

/// What becomes of a push that changes nothing.
///
/// Confirmations are noted seldom enough to cost nothing, and early enough that no node hides what another one shows.
public enum Confirmation: Hashable, Sendable {
  /// A confirmation is noted when the last one is older than this part of `freshFor`: so much earlier a section may be hidden.
  private static let parts: Int64 = 8
  /// The seconds before a section is hidden in which a push makes a revision: by then nodes and caches have made ready what
  /// comes after.
  private static let margin: Int64 = 30

  /// Nothing: the section has no `freshFor`, or was confirmed a moment ago.
  case none
  /// The instant is kept; clients see what they saw.
  case noted
  /// A revision: the section is hidden, or about to be.
  case shows

  /// - Parameters:
  ///   - section: The section as it is live.
  ///   - confirmed: When it was confirmed last.
  ///   - instant: When it is confirmed now.
  public init(of section: SectionDefinition, confirmed: Instant?, at instant: Instant) {
    guard let freshFor = section.settings.loading.freshFor.map(Int64.init), let confirmed else {
      self = .none
      return
    }
    let age = instant.secondsSinceEpoch - confirmed.secondsSinceEpoch
    if age >= freshFor - Self.margin {
      self = .shows
    } else {
      self = age >= freshFor / Self.parts ? .noted : .none
    }
  }
}
