extension JSONNumber: Comparable {
  /// Whether one number is less than another, exactly.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? isSmaller(right, left) : isSmaller(left, right)
  }

  /// Whether the magnitude of one is below the other's.
  private static func isSmaller(_ left: JSONNumber, _ right: JSONNumber) -> Bool {
    if left.significand == 0 || right.significand == 0 { return left.significand == 0 && right.significand != 0 }
    let leftPoint = left.digitCount + left.exponent
    let rightPoint = right.digitCount + right.exponent
    if leftPoint != rightPoint { return leftPoint < rightPoint }
    // Equal magnitude of the first digit: padded to 38 digits both fit 128 bits.
    return left.padded < right.padded
  }

  private var padded: UInt128 {
    var value = significand
    for _ in digitCount..<max(digitCount, Self.significantDigitsMax) { value &*= 10 }
    return value
  }
}

extension JSONNumber {
  /// Whether it is a whole multiple of another number, which must be above zero; exact for any size.
  public func isMultiple(of divisor: JSONNumber) -> Bool {
    guard divisor.significand != 0 else { return significand == 0 }
    guard significand != 0 else { return true }
    // n·10^a is a multiple of m·10^b. With a < b, n must carry the missing tens, and has none: it ends in no zero.
    let shift = exponent - divisor.exponent
    if shift < 0 { return dividesWithMissingTens(divisor, missing: -shift) }
    var remainder = significand % divisor.significand
    for _ in 0..<shift where remainder != 0 {
      remainder = Self.timesTen(remainder, modulo: divisor.significand)
    }
    return remainder == 0
  }

  /// n = k · m · 10^missing has no whole solution k, since n ends in no zero unless m·k supplies none of the tens.
  private func dividesWithMissingTens(_ divisor: JSONNumber, missing: Int) -> Bool {
    var product = divisor.significand
    for _ in 0..<missing {
      let (next, overflow) = product.multipliedReportingOverflow(by: 10)
      if overflow || next > significand { return false }
      product = next
    }
    return significand % product == 0
  }

  private static func timesTen(_ value: UInt128, modulo modulus: UInt128) -> UInt128 {
    let (high, low) = value.multipliedFullWidth(by: 10)
    return modulus.dividingFullWidth((high, low)).remainder
  }
}
