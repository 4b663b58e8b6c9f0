/// A date and time of the proleptic Gregorian calendar, as RFC 3339 §5.6 writes it.
struct CivilTime: CustomStringConvertible {
  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int
  /// Seconds east of UTC, when the text said.
  var offset: Int?

  /// Reads `2026-11-21T09:00[:00[.000]][Z|+08:00]`, years 0001 to 9999; a fraction other than zero is refused.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard let year = Self.number(&rest, 4), Self.take(&rest, "-"), let month = Self.number(&rest, 2),
      Self.take(&rest, "-"), let day = Self.number(&rest, 2), Self.take(&rest, "T") || Self.take(&rest, "t"),
      let hour = Self.number(&rest, 2), Self.take(&rest, ":"), let minute = Self.number(&rest, 2)
    else { return nil }
    var second = 0
    if Self.take(&rest, ":") {
      guard let value = Self.number(&rest, 2) else { return nil }
      second = value
      if Self.take(&rest, ".") {
        guard rest.first == UInt8(ascii: "0") else { return nil }
        rest = rest.drop { $0 == UInt8(ascii: "0") }
      }
    }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    if !rest.isEmpty {
      guard let offset = Self.offset(&rest), rest.isEmpty else { return nil }
      self.offset = offset
    }
    guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
      hour <= 23, minute <= 59, second <= 59
    else { return nil }
  }

  private init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The date and time in UTC; Howard Hinnant's `civil_from_days`.
  init(secondsSinceEpoch: Int64) {
    let days = Int((Double(secondsSinceEpoch) / 86_400).rounded(.down))
    let seconds = Int(secondsSinceEpoch) - days * 86_400
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, hour: seconds / 3_600, minute: seconds / 60 % 60,
      second: seconds % 60)
  }

  /// The seconds since 1970, were it a time in UTC; Howard Hinnant's `days_from_civil`.
  var secondsSinceEpochAsUTC: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
  }

  var description: String {
    "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute)):\(padded(second))Z"
  }

  private func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if take(&rest, "Z") || take(&rest, "z") { return 0 }
    let isEast = take(&rest, "+")
    guard isEast || take(&rest, "-"), let hours = number(&rest, 2), take(&rest, ":"), let minutes = number(&rest, 2),
      hours <= 23, minutes <= 59
    else { return nil }
    return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
  }
}
