/// Reads a number of RFC 8259 §6 byte by byte.
struct NumberParser {
  /// Why a number is refused.
  enum Refusal: Error { case malformed, tooManyDigits, exponentTooLarge }

  private enum State { case start, minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits }

  private var state = State.start
  private var isNegative = false
  private var significand = Magnitude.zero
  private var digits = 0
  private var pendingZeros = 0
  private var scale = 0
  private var exponentIsNegative = false
  private var exponent = 0

  /// Takes one byte; `false` when it cannot be part of the number.
  mutating func take(_ byte: UInt8) -> Bool {
    switch (state, byte) {
    case (.start, UInt8(ascii: "-")):
      isNegative = true
      state = .minus
    case (.start, 0x30), (.minus, 0x30): state = .zero
    case (.start, 0x31...0x39), (.minus, 0x31...0x39), (.integer, 0x30...0x39):
      takeDigit(byte &- 0x30)
      state = .integer
    case (.zero, UInt8(ascii: ".")), (.integer, UInt8(ascii: ".")): state = .point
    case (.point, 0x30...0x39), (.fraction, 0x30...0x39):
      scale += 1
      takeDigit(byte &- 0x30)
      state = .fraction
    case (.zero, 0x45), (.zero, 0x65), (.integer, 0x45), (.integer, 0x65), (.fraction, 0x45), (.fraction, 0x65):
      state = .exponent
    case (.exponent, UInt8(ascii: "+")): state = .exponentSign
    case (.exponent, UInt8(ascii: "-")):
      exponentIsNegative = true
      state = .exponentSign
    case (.exponent, 0x30...0x39), (.exponentSign, 0x30...0x39), (.exponentDigits, 0x30...0x39):
      exponent = min(exponent * 10 + Int(byte &- 0x30), 1_000_000)
      state = .exponentDigits
    default: return false
    }
    return true
  }

  /// Zeros wait until another digit follows, so that trailing ones cost no significant digit.
  private mutating func takeDigit(_ digit: UInt8) {
    if digit == 0 {
      if !significand.isZero { pendingZeros += 1 }
      return
    }
    digits += pendingZeros + 1
    // No more digits than fit.
    guard digits <= JSONNumber.significantDigitsMax else { return }
    for _ in 0..<pendingZeros { significand = significand.appending() ?? significand }
    significand = significand.appending(digit: digit) ?? significand
    pendingZeros = 0
  }

  /// The number, when what was taken is one whole.
  func finish() -> Result<JSONNumber, Refusal> {
    guard state == .zero || state == .integer || state == .fraction || state == .exponentDigits else {
      return .failure(.malformed)
    }
    if digits > JSONNumber.significantDigitsMax { return .failure(.tooManyDigits) }
    if significand.isZero { return .success(JSONNumber(0)) }
    let power = (exponentIsNegative ? -exponent : exponent) + pendingZeros - scale
    guard abs(power + digits - 1) <= JSONNumber.exponentMax else { return .failure(.exponentTooLarge) }
    return .success(JSONNumber(isNegative: isNegative, significand: significand, exponent: power))
  }
}
