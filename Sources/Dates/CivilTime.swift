/// A day and the time on a clock, as RFC 3339 §5.6 writes them: `2026-11-21T09:00:00Z`.
public struct CivilTime: Hashable, Sendable {
  /// The day.
  public let date: CivilDate
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59, or 60 in a leap second, which ends a day of UTC; 0 when the text says none.
  public let second: Int
  /// Whether the text says the second.
  public let hasSecond: Bool
  /// Whether there is more than the whole second: `.500`.
  public let hasFraction: Bool
  /// Seconds east of UTC, when the text says.
  public let offset: Int?

  /// Reads `2026-11-21T09:00[:00[.000]][Z|+08:00]`; `nil` for a time that no clock shows.
  public init?(_ text: String) {
    var scanner = DigitScanner(text)
    guard let date = CivilDate(&scanner), scanner.take("T"), let hour = scanner.number(2), scanner.take(":"),
      let minute = scanner.number(2), hour <= 23, minute <= 59
    else { return nil }
    var second: Int?
    var fraction: ArraySlice<UInt8> = []
    if scanner.take(":") {
      second = scanner.number(2)
      guard second != nil else { return nil }
      if scanner.take(".") {
        fraction = scanner.digits()
        if fraction.isEmpty { return nil }
      }
    }
    var offset: Int?
    if !scanner.isAtEnd {
      offset = Self.offset(&scanner)
      guard offset != nil, scanner.isAtEnd else { return nil }
    }
    self.date = date
    self.hour = hour
    self.minute = minute
    self.second = second ?? 0
    self.offset = offset
    hasSecond = second != nil
    hasFraction = fraction.contains { $0 != UInt8(ascii: "0") }
    let minuteOfDay = hour * 60 + minute - (offset ?? 0) / 60
    let endsDay = offset != nil && (minuteOfDay - 1_439).isMultiple(of: 1_440)
    guard self.second < 60 || (self.second == 60 && endsDay) else { return nil }
  }

  /// The time in UTC.
  public init(secondsSinceEpoch: Int64) {
    let seconds = Int(secondsSinceEpoch)
    let days = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
    date = CivilDate(daysSinceEpoch: days)
    let secondOfDay = seconds - days * 86_400
    hour = secondOfDay / 3_600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
    hasSecond = true
    hasFraction = false
    offset = 0
  }

  /// The seconds since 1970, were it a time in UTC.
  public var secondsSinceEpochAsUTC: Int64 {
    Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
  }

  private static func offset(_ scanner: inout DigitScanner) -> Int? {
    if scanner.take("Z") { return 0 }
    let isEast = scanner.take("+")
    guard isEast || scanner.take("-"), let hours = scanner.number(2), scanner.take(":"),
      let minutes = scanner.number(2), hours <= 23, minutes <= 59
    else { return nil }
    return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
  }
}

extension CivilTime: CustomStringConvertible {
  /// The time as RFC 3339 writes one of UTC: `2026-11-21T09:00:00Z`.
  public var description: String {
    "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))T\(padded(hour)):\(padded(minute)):\(padded(second))Z"
  }

  private func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
