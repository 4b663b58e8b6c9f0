/// The text of an instant in the one form that senders use (IMF-fixdate, RFC 9110 §5.6.7), always 29 octets.
public struct HTTPDate {
  static let bytesCount = 29

  /// The octets, such as `Sat, 21 Nov 2026 01:28:09 GMT`.
  public let bytes: InlineArray<29, UInt8>

  /// The date of an instant in whole seconds since 1970; outside the years 1970 to 9999, the nearest in them.
  public init(seconds: Int64) {
    let clamped = min(max(seconds, 0), 253_402_300_799)
    let days = clamped / 86_400
    let second = clamped % 86_400
    let (year, month, day) = Self.civil(days)
    var text = InlineArray<29, UInt8>(repeating: ASCII.space)
    func put(_ word: StaticString, _ start: Int, from: Int) {
      for index in 0..<3 { text[start + index] = unsafe word.utf8Start[from + index] }
    }
    func put(_ number: Int64, _ start: Int, digits: Int) {
      var rest = number
      for index in (0..<digits).reversed() {
        text[start + index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
    }
    // 1970-01-01 was a Thursday.
    put("ThuFriSatSunMonTueWed", 0, from: Int(days % 7) * 3)
    text[3] = ASCII.comma
    put(day, 5, digits: 2)
    put("JanFebMarAprMayJunJulAugSepOctNovDec", 8, from: Int(month - 1) * 3)
    put(year, 12, digits: 4)
    put(second / 3_600, 17, digits: 2)
    text[19] = ASCII.colon
    put(second / 60 % 60, 20, digits: 2)
    text[22] = ASCII.colon
    put(second % 60, 23, digits: 2)
    put("GMT", 26, from: 0)
    bytes = text
  }

  /// Year, month and day of a day counted from 1970-01-01, by shifting the year to start in March so that the leap day
  /// comes last.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
