public import HomePayload
import JSON

extension LayoutArithmetic {
  /// The line above a row, in the middle of the space before it, if it fits there; `nil` without one, and where nothing of
  /// it would show.
  func separator(x: Double, width: Double, above next: Double) -> SectionFrames.Area? {
    guard let separator = layout.separator else { return nil }
    let (height, before) = (separator.width.double, separator.leading?.double ?? 0)
    let long = width - before - (separator.trailing?.double ?? 0)
    let y = next - height - down(max(0, lineSpacing - height) / 2)
    return long > 0 && height > 0 ? SectionFrames.Area(x: x + before, y: y, width: long, height: height) : nil
  }
}

extension SectionFrames {
  /// How the sections of a page stay at its top: those of which their layout says so, if they take no more than half of
  /// the screen.
  ///
  /// - Parameters:
  ///   - sections: The layouts and heights of all sections, in their order.
  ///   - top: Where the first one begins, from the page's top.
  ///   - screen: What the app has of the screen; without it, sections of any height stay.
  public static func stays(
    of sections: [(layout: SectionLayout, height: Double)], from top: Double, screen: Screen? = nil
  ) -> [Stay] {
    var (y, last) = (top, nil as Int?)
    var stays: [Stay] = []
    func pushAway() {
      if let last { stays[last].sticky?.until = y - sections[last].height }
    }
    for (place, (layout, height)) in sections.enumerated() {
      let isFloating = layout.style == .pinned
      if layout.sticky == true, !isFloating, height > 0, height * 2 <= screen?.height ?? .infinity {
        pushAway()
        stays.append(Stay(sticky: Sticky(y: y, until: y)))
        last = place
      } else {
        stays.append(Stay(above: last.map { sections[$0].height } ?? 0))
      }
      if !isFloating { y += height }
    }
    pushAway()
    return stays
  }

  /// The styles whose sections are high enough to scroll below their header.
  private static let stickyStyles: Set<SectionLayout.Style> = [.list, .grid, .waterfall, .outline, .flow]

  /// Where the background is, and how header or tabs stay.
  ///
  /// - Parameters:
  ///   - start: Where slots and items begin, from the section's top.
  ///   - end: Where they end.
  mutating func addChrome(
    _ section: Section, _ arithmetic: LayoutArithmetic, from start: Double, to end: Double
  ) {
    let layout = section.layout
    let head = cells.last { $0.part.isHead }
    if layout.background != nil {
      let top = head == nil ? 0 : start
      let bottom = section.footer == nil ? height : end
      let area =
        switch layout.backgroundFrame ?? .inset {
        case .inset: Area(x: arithmetic.leading, y: start, width: max(0, arithmetic.inner), height: end - start)
        case .items: Area(x: 0, y: top, width: arithmetic.container, height: bottom - top)
        case .section: Area(x: 0, y: 0, width: arithmetic.container, height: height)
        }
      background = area.height > 0 ? area : nil
    }
    guard layout.stickyHeader == true, Self.stickyStyles.contains(layout.style), let head else { return }
    let below = arithmetic.bottom + (head.item?.inset?.bottom.double ?? 0)
    sticky = Sticky(y: head.y, until: max(head.y, height - below - head.height))
  }
}
