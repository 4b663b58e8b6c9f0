import HomePayload
import JSON
import Layout
import SeededRandom
import Testing

@Suite struct ScheduleTests {
  private func rule(_ schedule: JSON) throws -> SortRule {
    let json: JSON = ["audience": "everyone", "indices": [:], "schedule": schedule]
    return try SortRule(json: json, name: "spring", in: DefinitionContext())
  }

  private func schedule(_ schedule: JSON) throws -> Schedule { try #require(try rule(schedule).schedule) }

  private func problems(_ schedule: JSON) -> [String] {
    do {
      _ = try rule(schedule)
      return []
    } catch let error as InvalidDocument {
      return error.problems.map(\.pointer.description)
    } catch {
      return ["\(error)"]
    }
  }

  @Test(arguments: [
    // Winter and summer time: the same clock, another instant.
    ("2026-01-15T09:00", "Europe/Berlin", "2026-01-15T08:00:00Z"),
    ("2026-07-15T09:00", "Europe/Berlin", "2026-07-15T07:00:00Z"),
    // Either side of the hour that clocks skip on 29 March 2026.
    ("2026-03-29T01:59:59", "Europe/Berlin", "2026-03-29T00:59:59Z"),
    ("2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00Z"),
    // An hour that comes twice on 25 October 2026 is the earlier one.
    ("2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"),
    ("2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"),
    ("2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00Z"),
    // Half an hour only, on Lord Howe Island.
    ("2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00Z"),
    ("2026-11-21T09:00", "Asia/Shanghai", "2026-11-21T01:00:00Z"),
    ("2026-11-21T09:00", "Asia/Kathmandu", "2026-11-21T03:15:00Z"),
    // An offset decides, whatever the zone.
    ("2026-11-21T09:00:00+02:00", "Asia/Shanghai", "2026-11-21T07:00:00Z"),
    ("2024-02-29T23:59:59Z", "UTC", "2024-02-29T23:59:59Z"),
  ])
  func `a local time is the instant that its zone's clocks show`(local: String, zone: String, utc: String) throws {
    let schedule = try schedule(["from": .string(local), "zone": .string(zone)])
    #expect(schedule.from?.description == utc)
    #expect(schedule.zone == zone)
    #expect(try self.schedule(schedule.json) == schedule)
  }

  @Test(arguments: [
    ("2026-03-29T02:30", "Europe/Berlin"), ("2026-03-08T02:00", "America/New_York"),
    ("2026-10-04T02:15", "Australia/Lord_Howe"), ("2011-12-30T12:00", "Pacific/Apia"), ("2026-02-29T09:00", "UTC"),
    ("2026-11-21T24:00", "UTC"), ("2026-11-21", "UTC"), ("2026-11-21T09:00:00.5Z", "UTC"), ("tomorrow", "UTC"),
  ])
  func `a time that no clock of the zone shows is refused`(local: String, zone: String) {
    #expect(problems(["from": .string(local), "zone": .string(zone)]) == ["/schedule/from"])
  }

  @Test(arguments: [nil, "UTC", "Asia/Shanghai"])
  func `a zone is kept as it was entered, and not made up where there was none`(zone: String?) throws {
    var json: JSONObject = ["from": "2026-11-21T09:00:00Z"]
    json["zone"] = zone.map { .string($0) }
    #expect(try schedule(.object(json)).json == .object(json))
  }

  @Test func `a wrong zone and a schedule inside out are refused`() {
    #expect(problems(["from": "2026-11-21T09:00:00Z", "zone": "Mars/Olympus"]) == ["/schedule/zone"])
    #expect(
      problems(["from": "2026-11-21T09:00:00Z", "until": "2026-11-21T09:00:00Z"]) == ["/schedule/until"])
    #expect(problems(["from": "2026-11-21T09:00:00Z", "till": "2026-11-21T09:00:00Z"]) == ["/schedule/till"])
  }

  @Test func `a schedule holds from its first second until the one before its end`() throws {
    let schedule = try schedule(["from": "2026-11-21T09:00:00Z", "until": "2026-11-21T09:00:10Z"])
    let from = try #require(schedule.from)
    let held = (-2...12).filter { schedule.contains(from.adding(seconds: $0)) }
    #expect(held == Array(0...9))
    #expect(schedule.nextFlip(after: from.adding(seconds: -1)) == from)
    #expect(schedule.nextFlip(after: from) == schedule.until)
    #expect(schedule.nextFlip(after: from.adding(seconds: 10)) == nil)
  }

  @Test func `instants are written as they are read, across twenty centuries`() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<5_000 {
      let instant = Instant(secondsSinceEpoch: Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator))
      #expect(Instant(instant.description) == instant)
    }
  }

  @Test func `a page stays what it is until the flip it tells, and that is no later than the next one`() throws {
    var generator = SeededGenerator(seed: 23)
    let bucket: AttributeValues = ["bucket": .integer(7)]
    for _ in 0..<Trials.count(60) {
      let screen = try scheduledScreen(using: &generator)
      var instant = Demo.noon.adding(seconds: -5)
      while instant < Demo.noon.adding(seconds: 40) {
        let assembled = screen.assembled(at: instant, bucket)
        let next = instant.adding(seconds: 1)
        if assembled.nextFlip != next { #expect(screen.page(at: next, bucket) == assembled.page) }
        if let flip = assembled.nextFlip { #expect(flip > instant) }
        instant = next
      }
    }
  }

  /// The home with random schedules within half a minute on sections, items and the spring rule.
  private func scheduledScreen(using generator: inout SeededGenerator) throws -> Screen {
    func random() -> Schedule? {
      guard Bool.random(using: &generator) else { return nil }
      let from = Int64.random(in: 0...20, using: &generator)
      let until = from + Int64.random(in: 1...15, using: &generator)
      return Schedule(
        from: Bool.random(using: &generator) ? Demo.noon.adding(seconds: from) : nil,
        until: Bool.random(using: &generator) ? Demo.noon.adding(seconds: until) : nil)
    }
    var screen = try Screen()
    for position in screen.definition.sections.indices {
      screen.definition.sections[position].settings.schedule = random()
      for item in screen.definition.sections[position].content.items.indices {
        screen.definition.sections[position].content.items[item].schedule = random()
      }
    }
    screen.definition.sortRules = screen.definition.sortRules.map { rule in
      var rule = rule
      if rule.name != SortRule.defaultName {
        rule.audience = .attribute("bucket", .atLeast(.integer(0)))
        rule.schedule = random()
      }
      return rule
    }
    return screen
  }
}
