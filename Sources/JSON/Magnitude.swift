/// A whole number of 128 bits without a sign: Apple's systems before iOS 18 have no `UInt128`.
struct Magnitude: Hashable, Comparable, Sendable {
  private var high: UInt64
  private var low: UInt64

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A number that fits 64 bits.
  init(_ value: UInt64) { self.init(high: 0, low: value) }

  static let zero = Magnitude(0)

  var isZero: Bool { high | low == 0 }

  /// The number, `nil` when it does not fit 64 bits.
  var short: UInt64? { high == 0 ? low : nil }

  static func < (left: Magnitude, right: Magnitude) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }

  /// Ten times the number and a digit; `nil` when that does not fit.
  func appending(digit: UInt8 = 0) -> Magnitude? {
    // Nearly all numbers.
    if high == 0, low < 1_000_000_000_000_000_000 { return Magnitude(low &* 10 &+ UInt64(digit)) }
    let lower = low.multipliedFullWidth(by: 10)
    let (tens, isBeyond) = high.multipliedReportingOverflow(by: 10)
    let (sum, carry) = lower.low.addingReportingOverflow(UInt64(digit))
    let (upper, isBeyondToo) = tens.addingReportingOverflow(lower.high + (carry ? 1 : 0))
    return isBeyond || isBeyondToo ? nil : Magnitude(high: upper, low: sum)
  }

  /// The number without its last digit, and that digit.
  func removingDigit() -> (rest: Magnitude, digit: UInt8) {
    guard high > 0 else { return (Magnitude(low / 10), UInt8(truncatingIfNeeded: low % 10)) }
    let upper = high.quotientAndRemainder(dividingBy: 10)
    let lower = UInt64(10).dividingFullWidth((upper.remainder, low))
    return (Magnitude(high: upper.quotient, low: lower.quotient), UInt8(truncatingIfNeeded: lower.remainder))
  }

  /// What is left of a division, bit by bit where it does not fit 64 bits.
  ///
  /// - Parameter divisor: Above zero and below 2^127, as numbers of 38 digits are.
  func remainder(dividingBy divisor: Magnitude) -> Magnitude {
    if let low = short, let divisor = divisor.short { return Magnitude(low % divisor) }
    var remainder = Magnitude.zero
    for bit in (0..<128).reversed() {
      let word = bit < 64 ? low : high
      remainder = remainder.adding(remainder).adding(Magnitude(word >> UInt64(bit & 63) & 1)).reduced(by: divisor)
    }
    return remainder
  }

  /// Ten times the number, which is below the modulus, by the modulus, which is below 2^127.
  func timesTen(modulo modulus: Magnitude) -> Magnitude {
    let double = adding(self).reduced(by: modulus)
    let quadruple = double.adding(double).reduced(by: modulus)
    let five = quadruple.adding(self).reduced(by: modulus)
    return five.adding(five).reduced(by: modulus)
  }

  private func adding(_ other: Magnitude) -> Magnitude {
    let (sum, carry) = low.addingReportingOverflow(other.low)
    return Magnitude(high: high &+ other.high &+ (carry ? 1 : 0), low: sum)
  }

  /// A number below twice the divisor, below it.
  private func reduced(by divisor: Magnitude) -> Magnitude {
    guard self >= divisor else { return self }
    let (difference, borrow) = low.subtractingReportingOverflow(divisor.low)
    return Magnitude(high: high &- divisor.high &- (borrow ? 1 : 0), low: difference)
  }

  /// The decimal digits of a number that has 38 at most.
  var digits: String {
    guard high > 0 else { return String(low) }
    let (first, last) = Self.nineteenDigits.dividingFullWidth((high, low))
    let digits = String(last)
    return String(first) + String(repeating: "0", count: 19 - digits.utf8.count) + digits
  }

  private static let nineteenDigits: UInt64 = 10_000_000_000_000_000_000
}
