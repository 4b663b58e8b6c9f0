import JSON

extension ListChanges where Element: DescribedElement {
  /// What changed between two states of a list, with the fewest possible moves.
  ///
  /// Elements are told apart by their ids; an id that is there twice is paired in order. The kept elements that need not
  /// move are a longest increasing run of old positions in the new order, found in O(n log n).
  init(from old: [Element], to new: [Element]) {
    self.init()
    let kept = Self.pairs(old, new)
    var isKept = [Bool](repeating: false, count: old.count)
    for pair in kept { isKept[pair.old] = true }
    deletes = old.indices.filter { !isKept[$0] }
    var next = kept.startIndex
    for position in new.indices {
      if next < kept.endIndex, kept[next].new == position {
        next += 1
      } else {
        inserts.append(Insert(at: position, element: new[position]))
      }
    }
    var isResting = [Bool](repeating: false, count: kept.count)
    for place in IncreasingRun.places(of: kept.map(\.old)) { isResting[place] = true }
    for (place, pair) in kept.enumerated() where !isResting[place] {
      moves.append(Move(from: pair.old, to: pair.new))
    }
    for pair in kept {
      if let update = Update(at: pair.old, from: old[pair.old], to: new[pair.new]) { updates.append(update) }
    }
    if !moves.isEmpty { updates.sort { $0.at < $1.at } }
  }

  private typealias Pair = (old: Int, new: Int)

  /// The elements that are in both lists, in the new order.
  private static func pairs(_ old: [Element], _ new: [Element]) -> [Pair] {
    // Most lists begin alike, and most of those are alike to the end.
    var alike = 0
    while alike < old.count, alike < new.count, JSON.isSame(old[alike].id, new[alike].id) { alike += 1 }
    let start = (0..<alike).map { Pair(old: $0, new: $0) }
    guard alike < old.count, alike < new.count else { return start }
    var positions: [ExactString: [Int]] = Dictionary(minimumCapacity: old.count - alike)
    for position in (alike..<old.count).reversed() {
      positions[ExactString(old[position].id), default: []].append(position)
    }
    return start
      + (alike..<new.count).compactMap { position in
        positions[ExactString(new[position].id)]?.popLast().map { (old: $0, new: position) }
      }
  }
}

extension ListChanges.Update where Element: DescribedElement {
  /// `nil` when nothing changed. Each element is compared once, at the level where it stands.
  fileprivate init?(at position: Int, from old: Element, to new: Element) {
    let nested = ListChanges<Item>(from: old.nested, to: new.nested)
    let isSame = old.hasSameMembers(as: new)
    guard !isSame || !nested.isEmpty else { return nil }
    self.init(at: position, nested: nested.isEmpty ? nil : nested)
    if !isSame { (set, unset) = old.changes(to: new) }
  }
}
