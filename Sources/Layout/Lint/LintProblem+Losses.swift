import JSON

extension LintProblem {
  /// A warning where one publish takes more than a third of the sections that are shown off the page; `nil` otherwise.
  ///
  /// - Parameter live: What is live now.
  public static func losses(from live: PageDefinition, to new: PageDefinition, at instant: Instant) -> LintProblem? {
    let shown = live.sectionsShown(at: instant).count
    let lost = live.disappearances(in: new, at: instant).count
    guard lost * 3 > shown else { return nil }
    return LintProblem(
      .losesSections, at: JSONPointer(["sections"]),
      Sentence(
        .losesSections,
        "\(lost) of the \(shown) sections that are shown now are not once this is live; make sure that this is meant",
        ["lost": .count(lost), "count": .count(shown)]))
  }
}
