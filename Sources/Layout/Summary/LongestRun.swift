import HomePayload

/// Finds what stayed in its order when a list was put in another: everything else has moved.
enum LongestRun {
  /// The elements of the new list, also in the old one, that have to move at least for the old order to become the new
  /// one: all but a longest ascending run of their old places.
  static func moved(from old: [String], to new: [String]) -> [String] {
    let places = Dictionary(old.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let common = new.compactMap { id in places[id].map { (id: id, place: $0) } }
    let stayed = Set(IncreasingRun.places(of: common.map(\.place)))
    return common.indices.filter { !stayed.contains($0) }.map { common[$0].id }
  }
}
