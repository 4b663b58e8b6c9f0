import JSON

/// Where a section goes (S2.2).
public enum Destination: Hashable, Sendable {
  /// Before all others.
  case first
  /// After all others.
  case last
  /// Right before another.
  case before(String)
  /// Right below another.
  case after(String)
}

/// What an edit of the order changed.
public struct OrderChange: Hashable, Sendable {
  /// The new index of each section whose index changed.
  public var indices: [String: Int]

  /// A change of some indices.
  public init(indices: [String: Int]) { self.indices = indices }
}

/// An order that cannot be had.
public enum OrderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A section that is not on the page.
  case unknownSection(String)
  /// The mistakes of a whole order, at places of `{"sections": […]}`.
  case wrong([DocumentProblem])
  /// A section moved next to itself.
  case nextToItself(String)
  /// An item that is not in the section's list.
  case unknownItem(String)
  /// An item moved next to itself.
  case itemNextToItself(String)

  /// The problem, in words.
  public var description: String {
    switch self {
    case .unknownSection(let id): "there is no section \"\(id)\" on the page"
    case .wrong(let problems): problems.map(\.detail).joined(separator: "; ")
    case .nextToItself(let id): "the section \"\(id)\" cannot go next to itself"
    case .unknownItem(let id): "there is no item \"\(id)\" in the section's list"
    case .itemNextToItself(let id): "the item \"\(id)\" cannot go next to itself"
    }
  }
}

extension PageDefinition {
  /// The sections in the order that a rule gives them.
  public func order(of rule: String = SortRule.defaultName) -> [String] {
    let indices = indices(of: rule)
    return sections.enumerated().sorted { left, right in
      (indices[left.element.id] ?? 0, left.offset) < (indices[right.element.id] ?? 0, right.offset)
    }.map(\.element.id)
  }

  /// Every section's index by a rule: its own, else the default rule's.
  public func indices(of rule: String = SortRule.defaultName) -> [String: Int] {
    let own = sortRules.first { $0.name == rule }?.indices ?? [:]
    let defaults = zip(sections, PagePlan.defaultIndices(of: self)).map { ($0.id, own[$0.id] ?? $1) }
    return Dictionary(defaults, uniquingKeysWith: { first, _ in first })
  }

  /// The order of a rule with one section moved.
  ///
  /// - Throws: ``OrderError`` when a section is not there.
  public func order(
    moving section: String, to destination: Destination, rule: String = SortRule.defaultName
  ) throws(OrderError) -> [String] {
    var order = order(of: rule)
    guard let position = order.firstIndex(of: section) else { throw .unknownSection(section) }
    order.remove(at: position)
    switch destination {
    case .first: order.insert(section, at: 0)
    case .last: order.append(section)
    case .before(let other), .after(let other):
      if other == section { throw .nextToItself(section) }
      guard let anchor = order.firstIndex(of: other) else { throw .unknownSection(other) }
      if case .before = destination { order.insert(section, at: anchor) } else { order.insert(section, at: anchor + 1) }
    }
    return order
  }

  /// Gives a rule's sections an order, and changes as few indices as it can: those of a longest run of sections that
  /// are in order already stay what operators typed.
  ///
  /// - Throws: ``OrderError`` when the order is not one of exactly the page's sections.
  /// - Parameter moved: Among changes equally few, the one that leaves the others alone and changes this section's.
  public mutating func setOrder(
    _ order: [String], rule: String = SortRule.defaultName, moved: String? = nil
  ) throws(OrderError) -> OrderChange {
    try check(order)
    let current = indices(of: rule)
    let values = order.map { current[$0] ?? 0 }
    let ranks = Dictionary(sections.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let positions = order.map { ranks[$0] ?? 0 }
    let indices = IndexAssignment(
      values: values, ownPositions: positions, moved: moved.flatMap(order.firstIndex)
    ).solve()
    var change = OrderChange(indices: [:])
    for (position, id) in order.enumerated() where indices[position] != values[position] {
      change.indices[id] = indices[position]
    }
    apply(change.indices, rule: rule)
    if self.order(of: rule) != order {
      // Sections without an index come after those that have one, wherever these have gone: now each has one.
      for (position, id) in order.enumerated() { change.indices[id] = indices[position] }
      apply(change.indices, rule: rule)
    }
    return change
  }

  private func check(_ order: [String]) throws(OrderError) {
    let known = Set(sections.map(\.id))
    let place = JSONPointer(["sections"])
    var seen = Set<String>()
    var problems: [DocumentProblem] = []
    for (position, id) in order.enumerated() {
      let isKnown = known.contains(id)
      guard !isKnown || !seen.insert(id).inserted else { continue }
      let sentence =
        isKnown
        ? Sentence(.uniqueItems, "the section \"\(id)\" is named twice")
        : Sentence(.noSuchSection, OrderError.unknownSection(id).description, ["name": .string(id)])
      problems.append(DocumentProblem(pointer: place.appending(position), sentence))
    }
    let missing = sections.map(\.id).filter { !seen.contains($0) }
    if !missing.isEmpty {
      let text = "the order leaves out \(missing.joined(separator: ", "))"
      problems.append(DocumentProblem(pointer: place, Sentence(.leftOut, text, ["names": .names(missing)])))
    }
    if !problems.isEmpty { throw .wrong(problems) }
  }

  private mutating func apply(_ indices: [String: Int], rule: String) {
    guard let position = sortRules.firstIndex(where: { $0.name == rule }) else { return }
    sortRules[position].indices.merge(indices) { _, new in new }
  }
}

/// Finds indices that ascend along an order, changing as few of today's as can be.
///
/// Neighbours may share an index where the page's own order puts them rightly already. The kept ones are a longest
/// chain of which each two leave room enough for the sections between them, found by dynamic programming.
struct IndexAssignment {
  let values: [Int]
  let ownPositions: [Int]
  let moved: Int?
  private let range = LayoutLimits.indexRange

  init(values: [Int], ownPositions: [Int], moved: Int?) {
    self.values = values
    self.ownPositions = ownPositions
    self.moved = moved
  }

  /// The new indices in the order asked for, all within the range.
  func solve() -> [Int] {
    let kept = longestChain()
    var result = values
    var previous: Int?
    for next in kept.map(Optional.some) + [nil] {
      fill(from: previous, to: next, in: &result)
      previous = next
    }
    return result
  }

  /// Whether the sections strictly between two kept ones find indices: one more is needed wherever the page's own
  /// order does not put a section before the next.
  private func fits(_ low: Int, _ high: Int) -> Bool { values[high] - values[low] >= steps(low, high) }

  /// Whether the sections before a kept one find indices down to the range's least.
  private func canBegin(_ first: Int) -> Bool { values[first] - range.lowerBound >= steps(0, first) }

  /// Whether the sections behind a kept one find indices up to the range's greatest.
  private func canEnd(_ last: Int) -> Bool { range.upperBound - values[last] >= steps(last, values.count - 1) }

  private func steps(_ low: Int, _ high: Int) -> Int {
    (low..<high).count { isStep(after: $0) }
  }

  /// Whether a section and the next need different indices.
  private func isStep(after position: Int) -> Bool { ownPositions[position] > ownPositions[position + 1] }

  private func longestChain() -> [Int] {
    // Two points for each kept one, but one for the section that was moved: it decides only between equals.
    let points = values.indices.map { $0 == moved ? 1 : 2 }
    var best = values.indices.map { canBegin($0) ? points[$0] : 0 }
    var before = [Int?](repeating: nil, count: values.count)
    for high in values.indices {
      for low in 0..<high where best[low] > 0 && best[low] + points[high] > best[high] && fits(low, high) {
        best[high] = best[low] + points[high]
        before[high] = low
      }
    }
    var chain: [Int] = []
    var next = best.indices.filter { best[$0] > 0 && canEnd($0) }.max { best[$0] < best[$1] }
    while let position = next {
      chain.append(position)
      next = before[position]
    }
    return chain.reversed()
  }

  /// Gives sections between kept ones indices: each its own where there is room, else shared ones where the page's own
  /// order decides.
  private func fill(from low: Int?, to high: Int?, in result: inout [Int]) {
    switch (low, high) {
    case (nil, nil):
      for position in result.indices { result[position] = position }
    case (nil, let high?):
      let isRoomy = values[high] - range.lowerBound >= high
      for position in (0..<high).reversed() {
        result[position] = result[position + 1] - (isRoomy || isStep(after: position) ? 1 : 0)
      }
    case (let low?, let high):
      let end = high ?? result.count
      let room = (high.map { values[$0] } ?? range.upperBound) - values[low]
      let isRoomy = room >= (high ?? end - 1) - low
      for position in (low + 1)..<max(end, low + 1) {
        result[position] = result[position - 1] + (isRoomy || isStep(after: position - 1) ? 1 : 0)
      }
    }
  }
}
