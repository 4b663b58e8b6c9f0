import HomePayload
import JSON

extension Linter {
  /// Two sections that float at the bottom of one screen.
  mutating func checkPinned() {
    let pinned = page.sections.enumerated().filter { _, section in
      !section.settings.isHidden
        && kinds.layoutMembers(of: section)["style"] == .string(SectionLayout.Style.pinned.rawValue)
    }
    for (count, (position, section)) in pinned.enumerated() {
      let rival = pinned.prefix(count).map(\.element).first { first in
        meet(first.settings.schedule, section.settings.schedule)
          && satisfiability.holds([first.settings.audience, section.settings.audience].compactMap { $0 })
      }
      guard let rival else { continue }
      add(
        .severalPinned, Self.place(ofSection: position), section.id,
        Sentence(
          .severalPinned, "\(rival.id) is pinned as well, and a client can see both at once; one would cover the other",
          ["rival": .string(rival.id)]))
    }
  }
}
