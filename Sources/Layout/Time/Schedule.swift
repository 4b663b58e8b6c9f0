import Foundation
public import JSON

/// When something shows: from an instant (inclusive) until another (exclusive).
public struct Schedule: Hashable, Sendable {
  /// The first instant it shows; from the beginning of time when absent.
  public var from: Instant?
  /// The first instant it shows no more; for ever when absent.
  public var until: Instant?
  /// The IANA zone the instants were entered in, which the console shows them in: `Asia/Shanghai`; UTC when absent.
  public var zone: String?

  /// A schedule.
  public init(from: Instant? = nil, until: Instant? = nil, zone: String? = nil) {
    self.from = from
    self.until = until
    self.zone = zone
  }

  /// Whether something shows at an instant.
  public func contains(_ instant: Instant) -> Bool {
    from.map { $0 <= instant } ?? true && until.map { instant < $0 } ?? true
  }

  /// The first instant after another at which the answer changes.
  public func nextFlip(after instant: Instant) -> Instant? {
    [from, until].compactMap { $0 }.filter { $0 > instant }.min()
  }
}

extension Schedule {
  /// Reads a schedule whose members have other names where it stands: `names` is from ours to theirs.
  public static func reading(_ json: JSON, names: [String: String], _ collector: ProblemCollector) -> Schedule? {
    let own = ProblemCollector()
    let schedule = Schedule(json, at: JSONPointer(), own)
    for problem in own.problems {
      collector.add(JSONPointer(problem.pointer.tokens.map { names[$0] ?? $0 }), problem.sentence)
    }
    return own.problems.isEmpty ? schedule : nil
  }

  init?(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let zone = reader.string("zone")
    let timeZone = Self.isZoneName(zone ?? "UTC") ? TimeZone(identifier: zone ?? "UTC") : nil
    if timeZone == nil { collector.add(reader.place(of: "zone"), .zone, "must be an IANA zone such as Asia/Shanghai") }
    // What is no time in any zone is told beside a zone that there is not.
    let from = Self.instant("from", &reader, timeZone ?? .gmt)
    let until = Self.instant("until", &reader, timeZone ?? .gmt)
    reader.refuseOthers()
    if let from, let until, from >= until {
      collector.add(
        reader.place(of: "until"), .scheduleInsideOut, "must be after 'from': the schedule would never begin",
        ["from": .string(from.description), "until": .string(until.description)])
    }
    self.init(from: from, until: until, zone: zone)
  }

  /// Whether a text can be the name of a zone: the names are paths of files, which lead nowhere else.
  private static func isZoneName(_ text: String) -> Bool {
    text.utf8.count <= 64
      && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "_+-".utf8.contains(byte)
          }
      }
  }

  private static func instant(_ name: String, _ reader: inout ObjectReader, _ zone: TimeZone) -> Instant? {
    guard let text = reader.string(name) else { return nil }
    if let instant = Instant(text, zone: zone) { return instant }
    if Instant(text + "Z") != nil {
      reader.collector.add(
        reader.place(of: name), .format, "is a time that the zone's clocks never show: they are put forward past it",
        ["format": "local-time"])
      return nil
    }
    reader.collector.add(
      reader.place(of: name), .format,
      "must be a time to the second such as 2026-11-21T09:00:00Z, or 2026-11-21T09:00 in the zone",
      ["format": "date-time"])
    return nil
  }

  /// The canonical form.
  public var json: JSON {
    .object(
      JSONObject(present: [
        ("from", from.map { .string($0.description) }), ("until", until.map { .string($0.description) }),
        ("zone", zone.map { .string($0) }),
      ]))
  }
}
