import JSON
import Testing

@Suite struct NumberTests {
  @Test(arguments: [
    ("10", "5", true), ("4.5", "1.5", true), ("4.5", "1.4", false), ("0.0075", "0.0001", true),
    ("1e308", "0.123456789", false), ("12391239123", "1e-8", true), ("0", "7", true), ("1e300", "10", true),
    ("7", "70", false),
    ("15", "0.5", true), ("1", "3e-1", false),
  ])
  func `a multiple is found exactly`(value: String, divisor: String, expected: Bool) throws {
    let (value, divisor) = try (#require(JSONNumber(text: value)), #require(JSONNumber(text: divisor)))
    #expect(value.isMultiple(of: divisor) == expected)
  }

  @Test(arguments: [
    ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "1e-30"), ("9.99", "10"), ("1e400", "2e400"), ("99", "100"),
  ])
  func `numbers ascend by value`(small: String, large: String) throws {
    let (small, large) = try (#require(JSONNumber(text: small)), #require(JSONNumber(text: large)))
    #expect(small < large)
    #expect(!(large < small))
    #expect(!(small < small))
  }

  @Test(arguments: [
    ("9223372036854775807", "9223372036854775807.0"), ("9223372036854775808", "92233720368547758080e-1"),
    ("-9223372036854775808", "-9223372036854775808.00"), ("1e9000", "10e8999"), ("-0", "0.0"),
    ("12345678901234567890123456789012345678", "1234567890123456789012345678901234567.8e1"),
  ])
  func `numbers of one value are one number, short or long`(left: String, right: String) throws {
    let (left, right) = try (#require(JSONNumber(text: left)), #require(JSONNumber(text: right)))
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left.text == right.text)
  }

  @Test func `a value takes three words`() {
    #expect(MemoryLayout<JSON>.stride == 24)
    #expect(MemoryLayout<JSONNumber?>.stride <= 16)
  }

  @Test func `whole numbers come back when they fit`() {
    #expect(JSONNumber(text: "9223372036854775807")?.int == .max)
    #expect(JSONNumber(text: "-9223372036854775808")?.int == .min)
    #expect(JSONNumber(text: "9223372036854775808")?.int == nil)
    #expect(JSONNumber(text: "1.5")?.int == nil)
    #expect(JSONNumber(text: "1e3")?.int == 1000)
    #expect(JSONNumber(text: "-1e18")?.int == -1_000_000_000_000_000_000)
    // 2^64 and 2^128 with something small beside them.
    for text in [
      "-340282366920938463463374607431768211450", "340282366920938463463374607431768211450", "-18446744073709551610",
      "18446744073709551620", "-9223372036854775809", "-1e38", "1e38", "-1e400",
      "170141183460469231731687303715884105730",
    ] {
      #expect(JSONNumber(text: text)?.int == nil, "\(text)")
    }
  }
}
