/// Walks through a text of digits and marks.
struct DigitScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes a mark when it comes next, a capital letter in any case.
  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    let mark = UInt8(ascii: mark)
    let isLetter = (0x41...0x5A).contains(mark)
    guard let next = rest.first, next == mark || (isLetter && next == mark | 0x20) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes a number of this many digits.
  mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Takes all digits that come next.
  mutating func digits() -> ArraySlice<UInt8> {
    let digits = rest.prefix(while: Self.isDigit)
    rest = rest.dropFirst(digits.count)
    return digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
