import Dates

/// The text of an instant in the one form that senders use (IMF-fixdate, RFC 9110 §5.6.7), always 29 octets.
public struct HTTPDate {
  static let bytesCount = 29

  /// The octets, such as `Sat, 21 Nov 2026 01:28:09 GMT`.
  public let bytes: InlineArray<29, UInt8>

  /// The date of an instant in whole seconds since 1970; outside the years 1970 to 9999, the nearest in them.
  public init(seconds: Int64) {
    let clamped = min(max(seconds, 0), 253_402_300_799)
    let days = Int(clamped / 86_400)
    let second = Int(clamped % 86_400)
    let date = CivilDate(daysSinceEpoch: days)
    var text = InlineArray<29, UInt8>(repeating: ASCII.space)
    func put(_ word: StaticString, _ start: Int, from: Int) {
      for index in 0..<3 { text[start + index] = unsafe word.utf8Start[from + index] }
    }
    func put(_ number: Int, _ start: Int, digits: Int) {
      var rest = number
      for index in (0..<digits).reversed() {
        text[start + index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
    }
    // 1970-01-01 was a Thursday.
    put("ThuFriSatSunMonTueWed", 0, from: days % 7 * 3)
    text[3] = ASCII.comma
    put(date.day, 5, digits: 2)
    put("JanFebMarAprMayJunJulAugSepOctNovDec", 8, from: (date.month - 1) * 3)
    put(date.year, 12, digits: 4)
    put(second / 3_600, 17, digits: 2)
    text[19] = ASCII.colon
    put(second / 60 % 60, 20, digits: 2)
    text[22] = ASCII.colon
    put(second % 60, 23, digits: 2)
    put("GMT", 26, from: 0)
    bytes = text
  }
}
