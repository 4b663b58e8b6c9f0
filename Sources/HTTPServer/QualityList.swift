/// One member of a list with weights, as in Accept-Encoding (RFC 9110 §12.4.2).
public struct Weighted: ~Escapable {
  /// What is weighted, without its parameters.
  public let value: Span<UInt8>
  /// From 0 (not acceptable) to 1000 (the most wanted), thousandths.
  public let weight: Int

  /// Reads `value;q=0.8`. `nil` for an invalid weight; the member then has no effect. Other parameters are ignored.
  @_lifetime(copy member)
  public init?(_ member: Span<UInt8>) {
    let end = member.first(UInt8(ascii: ";")) ?? member.count
    value = member.extracting(..<end).trimmed
    var weight = 1_000
    var start = end + 1
    while start <= member.count {
      let next = member.first(UInt8(ascii: ";"), from: start) ?? member.count
      let parameter = member.extracting(start..<next).trimmed
      if parameter.count >= 2, ASCII.lowercased(parameter[0]) == UInt8(ascii: "q"), parameter[1] == UInt8(ascii: "=") {
        guard let given = Self.weight(parameter.extracting(2...)) else { return nil }
        weight = given
      }
      start = next + 1
    }
    self.weight = weight
  }

  /// `0`, `1`, and up to three decimals between them (RFC 9110 §12.4.2).
  private static func weight(_ text: Span<UInt8>) -> Int? {
    guard text.count >= 1, text.count <= 5, text[0] == UInt8(ascii: "0") || text[0] == UInt8(ascii: "1") else {
      return nil
    }
    var weight = text[0] == UInt8(ascii: "1") ? 1_000 : 0
    if text.count > 1 {
      guard text[1] == UInt8(ascii: ".") else { return nil }
      var unit = 100
      for index in 2..<max(text.count, 2) {
        guard ASCII.isDigit(text[index]) else { return nil }
        weight += Int(text[index] &- 0x30) * unit
        unit /= 10
      }
    }
    return weight <= 1_000 ? weight : nil
  }
}
