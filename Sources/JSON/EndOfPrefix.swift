extension RandomAccessCollection where Index == Int {
  /// Where the elements end, found by halves, that a condition holds for: those at the beginning, and none behind them.
  @inlinable package func endOfPrefix(while condition: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
