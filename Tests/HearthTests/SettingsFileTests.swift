import Testing

@testable import hearth

/// What is wrong with settings is told with its place, and with what may be meant.
@Suite struct SettingsFileTests {
  /// What settings come to that are written in a file and set in an environment; what is wrong with them otherwise.
  private func read(_ text: String, _ environment: [String: String] = [:]) throws -> (Settings?, String) {
    let workshop = try Workshop()
    _ = try workshop.write(text, to: "config/hearth.yaml")
    do { return (try Settings(folder: workshop.config, environment: environment), "") } catch let failure as Failure {
      return (nil, failure.message)
    }
  }

  @Test(arguments: [
    (
      "nodeName: a\npublic:\n  listn: 127.0.0.1:0\n",
      "hearth.yaml:3: there is no setting public.listn; did you mean public.listen?"
    ),
    ("publik.listen: a", "hearth.yaml:1: there is no setting publik.listen; did you mean public.listen?"),
    ("public: {lisetn: a}", "did you mean public.listen?"),
    ("admin: {conectionsMax: 1}", "did you mean admin.connectionsMax?"),
    ("LISTEN: a", "did you mean public.listen, admin.listen?"),
    ("colour: red", "there is no setting colour; hearth serve --print-config lists them all"),
    (
      "\n\npublic:\n  loops: many\n",
      "hearth.yaml:4: public.loops must be a whole number from 0 to 256, and is \"many\""
    ),
    ("public: {loops: 1}\npublic.loops: 2", "hearth.yaml:2: public.loops is set here and at"),
    ("database: a.db\ndatabase: {location: b.db}", "twice"),
    ("database.location: a\ndatabase: b", "database is set here and at"),
    ("database: {connectionsMax: 1000}", "hearth.yaml:1: database.connectionsMax must be"),
    ("nodeName: {a: 1}", "hearth.yaml:1: nodeName must be one value"),
  ])
  func `a wrong setting is told with its line and with what may be meant`(text: String, told: String) throws {
    let (settings, failure) = try read(text)
    #expect(settings == nil && failure.contains(told), "\(failure)")
  }

  @Test func `a wrong variable is told with what may be meant`() throws {
    let (_, failure) = try read("", ["HEARTH_PUBLIC_LISTN": "a"])
    let said = "HEARTH_PUBLIC_LISTN is set, but there is no such setting; did you mean HEARTH_PUBLIC_LISTEN?"
    #expect(failure.contains(said))
  }

  @Test func `what stands below the database is written there, with its location beside`() throws {
    for text in [
      "database: {location: a.db, connectionsMax: 7}", "database: a.db\ndatabase.connectionsMax: 7",
      "database.location: a.db\ndatabase: {connectionsMax: 7}",
    ] {
      let listing = try #require(try read(text).0).listing(listening: [:])
      #expect(listing.contains(#/database +a\.db /#) && listing.contains(#/database\.connectionsMax +7 /#), "\(text)")
    }
  }
}
