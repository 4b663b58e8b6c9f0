import Testing

@testable import JSON

/// Against `UInt128`, which Apple's systems before iOS 18 lack.
@Suite struct MagnitudeTests {
  /// A number of any length up to 38 digits.
  private static func random(_ random: inout some RandomNumberGenerator) -> UInt128 {
    let most = (0..<38).reduce(UInt128(1)) { product, _ in product * 10 }
    return UInt128.random(in: 0..<most, using: &random) >> UInt128.random(in: 0..<127, using: &random)
  }

  private static func magnitude(_ number: UInt128) -> Magnitude {
    String(number).utf8.reduce(.zero) { $0.appending(digit: $1 - 0x30) ?? $0 }
  }

  @Test func `20,000 random numbers are written, divided and compared as others do it`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let (left, right) = (Self.random(&random), Self.random(&random) + 1)
      let (ours, divisor) = (Self.magnitude(left), Self.magnitude(right))
      #expect(ours.digits == String(left))
      #expect((ours < divisor) == (left < right))
      let cut = ours.removingDigit()
      #expect(cut.rest.digits == String(left / 10) && cut.digit == UInt8(left % 10))
      let remainder = ours.remainder(dividingBy: divisor)
      #expect(remainder.digits == String(left % right), "\(left) by \(right)")
      let (high, low) = (left % right).multipliedFullWidth(by: 10)
      #expect(remainder.timesTen(modulo: divisor).digits == String(right.dividingFullWidth((high, low)).remainder))
    }
  }

  @Test func `what does not fit 128 bits is none`() {
    let most = Self.magnitude((0..<38).reduce(UInt128(1)) { product, _ in product * 10 } - 1)
    #expect(most.appending() == nil)
    #expect(most.digits == String(repeating: "9", count: 38))
  }
}
