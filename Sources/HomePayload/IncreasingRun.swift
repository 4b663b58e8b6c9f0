import JSON

/// Finds a longest run of values that ascend.
package enum IncreasingRun {
  /// The places of its values, by patience sorting, in O(n log n).
  package static func places(of values: [Int]) -> [Int] {
    var tops: [Int] = []
    var before = [Int?](repeating: nil, count: values.count)
    for (place, value) in values.enumerated() {
      let end = tops.endOfPrefix { values[$0] < value }
      before[place] = end > 0 ? tops[end - 1] : nil
      if end < tops.count { tops[end] = place } else { tops.append(place) }
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
