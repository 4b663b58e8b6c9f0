extension ListChanges {
  /// What changed between two states of a list, with the fewest possible moves.
  ///
  /// Elements are told apart by their ids; an id that is there twice is paired in order. The kept elements that need not
  /// move are a longest increasing run of old positions in the new order, found in O(n log n).
  public init(from old: [Element], to new: [Element]) {
    self.init()
    let kept = Self.pairs(old, new)
    let isKept = Set(kept.map(\.old))
    deletes = old.indices.filter { !isKept.contains($0) }
    var next = kept.startIndex
    for position in new.indices {
      if next < kept.endIndex, kept[next].new == position {
        next += 1
      } else {
        inserts.append(Insert(at: position, element: new[position]))
      }
    }
    let resting = Set(Self.longestIncreasingRun(kept.map(\.old)))
    for (place, pair) in kept.enumerated() where !resting.contains(place) {
      moves.append(Move(from: pair.old, to: pair.new))
    }
    updates = kept.compactMap { pair in Update(at: pair.old, from: old[pair.old], to: new[pair.new]) }
      .sorted { $0.at < $1.at }
  }

  private typealias Pair = (old: Int, new: Int)

  /// The elements that are in both lists, in the new order.
  private static func pairs(_ old: [Element], _ new: [Element]) -> [Pair] {
    var positions: [String: [Int]] = Dictionary(minimumCapacity: old.count)
    for position in old.indices.reversed() { positions[old[position].id, default: []].append(position) }
    return new.indices.compactMap { position in
      positions[new[position].id]?.popLast().map { (old: $0, new: position) }
    }
  }

  /// The places of a longest increasing run of values, by patience sorting.
  static func longestIncreasingRun(_ values: [Int]) -> [Int] {
    var tops: [Int] = []
    var before = [Int?](repeating: nil, count: values.count)
    for (place, value) in values.enumerated() {
      var low = 0
      var high = tops.count
      while low < high {
        let middle = (low + high) / 2
        if values[tops[middle]] < value { low = middle + 1 } else { high = middle }
      }
      before[place] = low > 0 ? tops[low - 1] : nil
      if low < tops.count { tops[low] = place } else { tops.append(place) }
    }
    var run: [Int] = []
    var place = tops.last
    while let current = place {
      run.append(current)
      place = before[current]
    }
    return run.reversed()
  }
}

extension ListChanges.Update {
  /// `nil` when nothing changed.
  fileprivate init?(at position: Int, from old: Element, to new: Element) {
    guard old != new else { return nil }
    let members = MemberChanges(from: old.ownMembers, to: new.ownMembers)
    let nested = old.nested == new.nested ? nil : ListChanges<Item>(from: old.nested, to: new.nested)
    self.init(at: position, set: members.set, unset: members.unset, nested: nested)
  }
}
