/// Dates and times of RFC 3339 §5.6.
enum DateSyntax {
  static func isDate(_ bytes: [UInt8]) -> Bool { bytes.count == 10 && hasValidDate(bytes) }

  static func isDateTime(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 20, hasValidDate(bytes), bytes[10] | 0x20 == UInt8(ascii: "t") else { return false }
    guard bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2), let second = number(bytes, 17, 2),
      hour <= 23, minute <= 59, second <= 60
    else { return false }
    var position = 19
    if bytes[position] == UInt8(ascii: ".") {
      let digits = bytes[20...].prefix(while: isDigit).count
      guard digits > 0 else { return false }
      position += 1 + digits
    }
    guard let offset = offsetMinutes(Array(bytes[position...])) else { return false }
    // A leap second is the last second of a UTC day.
    let minuteOfDay = ((hour * 60 + minute - offset) % 1440 + 1440) % 1440
    return second < 60 || minuteOfDay == 1439
  }

  /// The offset in minutes east of UTC.
  private static func offsetMinutes(_ bytes: [UInt8]) -> Int? {
    if bytes.count == 1, bytes[0] | 0x20 == UInt8(ascii: "z") { return 0 }
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":"), let hour = number(bytes, 1, 2), let minute = number(bytes, 4, 2),
      hour <= 23, minute <= 59
    else { return nil }
    return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hour * 60 + minute)
  }

  private static func hasValidDate(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes, 0, 4), let month = number(bytes, 5, 2), let day = number(bytes, 8, 2)
    else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(month) && day >= 1 && day <= lengths[month - 1]
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int? {
    let digits = bytes[start..<start + count]
    guard digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
