import Foundation
import Testing

/// What a stranger can make grow is bounded, and the bound counts every byte.
@Suite struct MemoryTests {
  private static let budget = 16 * 1024 * 1024
  /// The budget and a quarter for what the allocator keeps, and what a server that is used takes anyway.
  private static let growthMax = budget + budget / 4 + 32 * 1024 * 1024

  /// A page of 60 conditions for buckets and 9 for tiers: 1,830 outcomes in three locales, of five kilobytes each.
  private static var document: String {
    var numbers = SystemRandomNumberGenerator()
    let sections = (0..<70).map { number in
      let audience =
        number < 61 ? "{attribute: bucket, atLeast: \(number)}" : "{attribute: memberTier, atLeast: \(number - 61)}"
      let text = String(numbers.next(), radix: 16) + String(numbers.next(), radix: 16)
      return """
              - id: s\(number)
                kind: middleNav
                audience: \(audience)
                items: [{id: i\(number), kind: navigation, content: {title: \(text)}, action: {url: "app://\(text)"}}]
        """
    }
    return """
      hearth: 1
      pages:
        home:
          title: Home
          defaultLocale: zh-Hans
          locales: [zh-Hans, en, vi]
          sections:
      \(sections.joined(separator: "\n"))
      """
  }

  private static func residentBytes(of process: Process) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)
    return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4_096
  }

  /// Asks for each path, eight at a time.
  private static func ask(_ port: Int, _ paths: [String], _ fields: [String: String] = [:]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for start in 0..<8 {
        group.addTask {
          for path in stride(from: start, to: paths.count, by: 8) {
            let status = try await HearthTests.ask(port, paths[path], fields: fields).status
            #expect([200, 304, 404, 503].contains(status), "\(paths[path]): \(status)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `all threads of a server have one heap`() async throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let server = try await workshop.serve(redirected: "", environment: ["HEARTH_LOG_LEVEL": "critical"])
    try await Self.ask(server.polls, (0..<50).map { "/v1/home?bucket=\($0)" })
    // glibc takes 64 MiB of addresses for each heap but the first, of which it uses the beginning.
    let heap = 64 * 1024 * 1024
    let maps = try String(contentsOfFile: "/proc/\(server.process.processIdentifier)/maps", encoding: .utf8)
    let ranges = maps.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      let bounds = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      return (from: bounds[0], until: bounds[1], rights: words[1])
    }
    let others = zip(ranges, ranges.dropFirst()).filter { used, free in
      used.from % heap == 0 && used.rights == "rw-p" && free.from == used.until && free.rights == "---p"
        && free.until == used.from + heap
    }
    #expect(others.map { $0.0.from } == [])
    #expect(server.end() == 0)
  }

  @Test func `with a budget of 16 MiB every trick of a stranger leaves the memory within its bound`() async throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let file = try workshop.write(Self.document, to: "page.yaml")
    let imported = try workshop.run(["import", file, "--publish"] + workshop.place)
    #expect(imported.status == 0, "\(imported.error)")
    let environment = ["HEARTH_PUBLIC_VARIANT_BYTES_MAX": "\(Self.budget)", "HEARTH_LOG_LEVEL": "critical"]
    let server = try await workshop.serve(redirected: "", environment: environment)
    try await Self.ask(server.polls, (0..<50).map { "/v1/home?bucket=\($0)" })
    let before = try Self.residentBytes(of: server.process)

    // Every outcome, compressed and not; a section and the rule of each.
    let locales = ["en", "vi", "zh"]
    let clients = (0..<1_200).map { "bucket=\($0 % 61)&memberTier=\($0 / 61 % 10)&locale=\(locales[$0 % 3])" }
    try await Self.ask(server.polls, clients.map { "/v1/home?\($0)" }, ["Accept-Encoding": "identity"])
    try await Self.ask(server.polls, clients.prefix(600).map { "/v1/pages/home/sections/s0?\($0)" })
    try await Self.ask(server.polls, clients.prefix(600).map { "/v1/pages/home/sort-rule?\($0)" })
    // Shapes that are long and mean nothing, and names that nobody has.
    let long = String(repeating: "x", count: 3_000)
    try await Self.ask(server.polls, (0..<2_000).map { "/v1/home?junk=\($0)\(long)" })
    try await Self.ask(server.polls, (0..<2_000).map { "/v1/home?junk=\($0)" })
    try await Self.ask(server.polls, (0..<500).map { "/v1/pages/home/sections/none\($0)\(long)" })
    try await Self.ask(server.polls, (0..<500).map { "/v1/pages/none\($0)\(long)" })
    let languages = ["Accept-Language": (0..<60).map { "q\($0 % 10)-Latn-\($0)00" }.joined(separator: ", ")]
    try await Self.ask(server.polls, clients.prefix(300).map { "/v1/home?\($0)&x=1" }, languages)

    try await eventually { try await server.metric("hearth_ready_bytes") ?? .infinity <= Double(Self.budget) }
    let growth = try Self.residentBytes(of: server.process) - before
    #expect(growth <= Self.growthMax, "\(growth) bytes")
    #expect(server.end() == 0)
  }
}
