import JSON

/// A moment of a revision: from one flip of a schedule until the next, what each client sees is the same.
public struct PageMoment: Hashable, Sendable, CustomStringConvertible {
  /// The flip that it begins with; `nil` before the first.
  public let since: Instant?
  /// The flip that it ends with; `nil` after the last.
  public let until: Instant?

  /// What tells it from the revision's others, as `Hearth-Moment` has it: when it began, or `none` before the first flip.
  public var description: String { since?.description ?? "none" }
}

extension PagePlan {
  /// The moment at an instant. Every schedule of the page counts, for any audience, so all parts have the same moment,
  /// and nothing need be assembled.
  public func moment(at instant: Instant) -> PageMoment {
    let next = flips.endOfPrefix { $0 <= instant }
    return PageMoment(since: next == 0 ? nil : flips[next - 1], until: next == flips.count ? nil : flips[next])
  }
}

extension PageDefinition {
  /// From when on its sections are hidden unless they are confirmed, by their positions.
  var expiries: [Int: Instant] {
    let found = sections.enumerated().compactMap { position, section in
      section.settings.isHidden ? nil : expiry(of: section).map { (position, $0) }
    }
    return Dictionary(uniqueKeysWithValues: found)
  }

  /// The instants at which something flips, ascending.
  var flipInstants: [Instant] {
    var instants: [Instant] = []
    for flip in flips(after: Instant(secondsSinceEpoch: .min)) where instants.last != flip.at {
      instants.append(flip.at)
    }
    return instants
  }
}
