/// Finds what stayed in its order when a list was put in another: everything else has moved.
enum LongestRun {
  /// The elements of the new list, also in the old one, that have to move at least for the old order to become the new
  /// one: all but a longest ascending run of their old places.
  static func moved(from old: [String], to new: [String]) -> [String] {
    let places = Dictionary(old.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let common = new.compactMap { id in places[id].map { (id: id, place: $0) } }
    // The position of the least last element of an ascending run of each length, and what came before each element.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: common.count)
    for position in common.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if common[ends[middle]].place < common[position].place { low = middle + 1 } else { high = middle }
      }
      before[position] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = position } else { ends.append(position) }
    }
    var stayed = Set<Int>()
    var next = ends.last
    while let position = next {
      stayed.insert(position)
      next = before[position]
    }
    return common.indices.filter { !stayed.contains($0) }.map { common[$0].id }
  }
}
