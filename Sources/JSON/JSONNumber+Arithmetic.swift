extension JSONNumber: Comparable {
  /// Whether one number is less than another, exactly.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? isSmaller(right, left) : isSmaller(left, right)
  }

  /// Whether the magnitude of one is below the other's.
  private static func isSmaller(_ left: JSONNumber, _ right: JSONNumber) -> Bool {
    if left.significand.isZero || right.significand.isZero { return !right.significand.isZero }
    let leftPoint = left.digitCount + left.exponent
    let rightPoint = right.digitCount + right.exponent
    if leftPoint != rightPoint { return leftPoint < rightPoint }
    // Equal magnitude of the first digit: padded to 38 digits both fit 128 bits.
    return left.padded < right.padded
  }

  private var padded: Magnitude {
    var value = significand
    for _ in digitCount..<max(digitCount, Self.significantDigitsMax) { value = value.appending() ?? value }
    return value
  }
}

extension JSONNumber {
  /// Whether it is a whole multiple of another number, which must be above zero; exact for any size.
  public func isMultiple(of divisor: JSONNumber) -> Bool {
    guard !divisor.significand.isZero else { return significand.isZero }
    guard !significand.isZero else { return true }
    // n·10^a is a multiple of m·10^b. With a < b, n must carry the missing tens, and has none: it ends in no zero.
    let shift = exponent - divisor.exponent
    if shift < 0 { return dividesWithMissingTens(divisor, missing: -shift) }
    var remainder = significand.remainder(dividingBy: divisor.significand)
    for _ in 0..<shift where !remainder.isZero {
      remainder = remainder.timesTen(modulo: divisor.significand)
    }
    return remainder.isZero
  }

  /// n = k · m · 10^missing has no whole solution k, since n ends in no zero unless m·k supplies none of the tens.
  private func dividesWithMissingTens(_ divisor: JSONNumber, missing: Int) -> Bool {
    var product = divisor.significand
    for _ in 0..<missing {
      guard let next = product.appending(), next <= significand else { return false }
      product = next
    }
    return significand.remainder(dividingBy: product).isZero
  }
}
