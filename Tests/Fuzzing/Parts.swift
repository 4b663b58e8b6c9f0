extension ArraySlice<UInt8> {
  /// Parts of 1 to 16 octets that `seed` chooses.
  func parts(_ seed: UInt8) -> [ArraySlice] {
    var parts: [ArraySlice] = []
    var rest = self
    var state = UInt32(seed) &+ 1
    while !rest.isEmpty {
      state = state &* 1_664_525 &+ 1_013_904_223
      let count = Int(state >> 28) + 1
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts
  }
}
