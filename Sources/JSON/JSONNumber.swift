/// A decimal number that keeps its value exactly. Equality is by value: `1`, `1.0` and `10e-1` are the same number.
///
/// The value is `significand × 10^exponent`, the significand without trailing zeros.
public struct JSONNumber: Hashable, Sendable {
  /// The most significant digits that a number may have.
  public static let significantDigitsMax = 38
  /// The largest magnitude of the exponent of the first digit.
  public static let exponentMax = 9_999

  /// Most numbers are short; documents hold so many values that each byte of them counts.
  private enum Form: Hashable, Sendable {
    case short(significand: Int64, exponent: Int16)
    /// What does not fit a short form.
    indirect case long(isNegative: Bool, significand: Magnitude, exponent: Int)
  }

  /// There is one of each value, so that equal forms are equal numbers.
  private let form: Form

  init(isNegative: Bool, significand: Magnitude, exponent: Int) {
    var digits = significand
    var power = digits.isZero ? 0 : exponent
    while !digits.isZero {
      let last = digits.removingDigit()
      guard last.digit == 0 else { break }
      digits = last.rest
      power += 1
    }
    if let short = digits.short.flatMap(Int64.init(exactly:)), let exponent = Int16(exactly: power) {
      form = .short(significand: isNegative ? -short : short, exponent: exponent)
    } else {
      form = .long(isNegative: isNegative, significand: digits, exponent: power)
    }
  }

  var isNegative: Bool {
    switch form {
    case .short(let significand, _): significand < 0
    case .long(let isNegative, _, _): isNegative
    }
  }

  var significand: Magnitude {
    switch form {
    case .short(let significand, _): Magnitude(significand.magnitude)
    case .long(_, let significand, _): significand
    }
  }

  var exponent: Int {
    switch form {
    case .short(_, let exponent): Int(exponent)
    case .long(_, _, let exponent): exponent
    }
  }

  /// A whole number.
  public init(_ value: Int) {
    self.init(isNegative: value < 0, significand: Magnitude(UInt64(value.magnitude)), exponent: 0)
  }

  /// The number with the shortest decimal spelling of a finite double, `nil` for others.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(text: value.description)
  }

  /// A number as RFC 8259 §6 spells it, `nil` when it is none or beyond the limits above.
  public init?(text: String) {
    var parser = NumberParser()
    for byte in text.utf8 where !parser.take(byte) { return nil }
    guard case .success(let number) = parser.finish() else { return nil }
    self = number
  }

  /// Whether it has no fraction.
  public var isInteger: Bool { exponent >= 0 }

  /// The whole number, `nil` when it has a fraction or does not fit.
  public var int: Int? {
    guard exponent >= 0, exponent <= 18 else { return significand.isZero ? 0 : nil }
    var product = significand
    for _ in 0..<exponent {
      guard let next = product.appending() else { return nil }
      product = next
    }
    guard let magnitude = product.short else { return nil }
    guard isNegative else { return Int(exactly: magnitude) }
    // The least has a magnitude that no other has.
    return magnitude == Int.min.magnitude ? .min : Int(exactly: magnitude).map { -$0 }
  }

  /// The nearest double, infinite when it is beyond them.
  public var double: Double { Double(text) ?? .nan }

  /// The number of the significand's digits.
  var digitCount: Int {
    var count = 1
    var rest = significand.removingDigit().rest
    while !rest.isZero {
      rest = rest.removingDigit().rest
      count += 1
    }
    return count
  }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(value) }
  /// The number with the shortest decimal spelling of a double; not a number and the infinities become zero.
  public init(floatLiteral value: Double) { self = JSONNumber(value) ?? JSONNumber(0) }
}

extension JSONNumber: CustomStringConvertible {
  /// The canonical spelling: plain up to 38 digits, else with an exponent: `0`, `-12.5`, `1e400`.
  public var text: String {
    let digits = significand.digits
    let sign = isNegative ? "-" : ""
    if exponent >= 0, digits.count + exponent <= Self.significantDigitsMax {
      return sign + digits + String(repeating: "0", count: exponent)
    }
    let point = digits.count + exponent
    if exponent < 0, point > -7 {
      if point > 0 { return sign + digits.prefix(point) + "." + digits.dropFirst(point) }
      return sign + "0." + String(repeating: "0", count: -point) + digits
    }
    let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
    return sign + digits.prefix(1) + fraction + "e" + String(point - 1)
  }

  /// The canonical spelling.
  public var description: String { text }
}
