/// Finds a longest run of values that ascend.
package enum IncreasingRun {
  /// The places of its values, by patience sorting, in O(n log n).
  package static func places(of values: [Int]) -> [Int] {
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
