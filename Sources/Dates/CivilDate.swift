/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Hashable, Sendable {
  /// The year, 0 being the one before year 1.
  public let year: Int
  /// The month, from 1.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int

  /// The day that comes a number of days after 1970-01-01; Howard Hinnant's `civil_from_days`.
  ///
  /// The year is shifted to start in March, so that the leap day comes last.
  public init(daysSinceEpoch days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// A day as RFC 3339 §5.6 writes it, `2026-11-21`; `nil` for what is none, such as the 29th of February 2026.
  public init?(_ text: String) {
    var scanner = DigitScanner(text)
    self.init(&scanner)
    guard scanner.isAtEnd else { return nil }
  }

  init?(_ scanner: inout DigitScanner) {
    guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
      let day = scanner.number(2), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The days after 1970-01-01; Howard Hinnant's `days_from_civil`.
  public var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}
