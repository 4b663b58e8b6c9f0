/// The comparison of secrets.
public enum Secret {
  /// Whether two secrets have the same bytes, in a time that tells nothing of where they differ.
  public static func isSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }
}
