import JSON
import Layout
import SeededRandom
import Testing

/// Clients that fetch the sort rule first and the sections in parallel (S1.3).
@Suite struct JoinTests {
  @Test func `S1.2 S1.3 the rule and the sections, joined by order or by position, are the page, ties and all`()
    async throws
  {
    var random = SeededGenerator(seed: 41)
    let pages = (0..<24).map { RandomHome("p\($0)", &random) }
    let document = "hearth: 1\npages:\n" + pages.map(\.yaml).joined()
    try await withServer([document]) { server in
      for page in pages {
        for tier in ["", "?memberTier=1", "?memberTier=8"] {
          let whole = try await server.get("/v1/pages/\(page.id)\(tier)")
          let rule = try await server.get("/v1/pages/\(page.id)/sort-rule\(tier)")
          let order = rule.json["order"]?.array?.compactMap(\.string) ?? []
          #expect(rule.json["rule"] == whole.json["sortRule"])
          #expect(Set(order) == Set(rule.json["indices"]?.object?.names ?? []), "\(rule.text)")
          #expect(order.count == Set(order).count)
          // They arrive in any order.
          var arrived: [JSON] = []
          try await withThrowingTaskGroup(of: Reply.self) { group in
            for id in order.shuffled(using: &random) {
              group.addTask { try await server.get("/v1/pages/\(page.id)/sections/\(id)\(tier)") }
            }
            for try await reply in group where reply.status == 200 { arrived.append(reply.json) }
          }
          let byOrder = order.compactMap { id in arrived.first { $0["id"] == .string(id) } }
          #expect(byOrder.map(Self.withoutPosition) == whole.json["sections"]?.array, "\(page.yaml)")
          let byPosition = arrived.sorted { $0["position"]?.int ?? -1 < $1["position"]?.int ?? -1 }
          #expect(byPosition == byOrder)
          #expect(byPosition.map { $0["position"]?.int } == byOrder.indices.map { $0 })
          #expect(byOrder.allSatisfy { rule.json["indices"]?[$0["id"]?.string ?? ""] == $0["index"] })
        }
      }
    }
  }

  @Test func `clients learn nothing of a section that is not on the page`() async throws {
    var random = SeededGenerator(seed: 43)
    let pages = (0..<24).map { RandomHome("p\($0)", &random) }
    let document = "hearth: 1\npages:\n" + pages.map(\.yaml).joined()
    try await withServer([document]) { server in
      for page in pages {
        for (tier, isMember) in [("", false), ("?memberTier=1", false), ("?memberTier=8", true)] {
          let rule = try await server.get("/v1/pages/\(page.id)/sort-rule\(tier)")
          let unknown = try await server.get("/v1/pages/\(page.id)/sections/nowhere\(tier)")
          let told = rule.json["order"]?.array?.compactMap(\.string) ?? []
          #expect(Set(told) == Set(page.sections.filter { $0.isTold(toMember: isMember) }.map(\.id)), "\(page.yaml)")
          for section in page.sections where !section.isTold(toMember: isMember) {
            #expect(!rule.text.contains("\"\(section.id)\""))
            #expect(!unknown.text.contains(section.id))
            let own = try await server.get("/v1/pages/\(page.id)/sections/\(section.id)\(tier)")
            #expect(own.status == 404)
          }
        }
      }
    }
  }

  @Test func `the rule tells a scheduled section as soon as it is on the page, and not before`() async throws {
    let from = Instant.now.adding(seconds: 3)
    let document = Demo.tiny.replacing("- id: bottom", with: "- id: bottom\n        schedule: {from: \"\(from)\"}")
    try await withServer([document]) { server in
      let before = try await server.get("/v1/pages/home/sort-rule")
      #expect(before.json["order"] == ["top", "middle"] || Instant.now >= from, "\(before.text)")
      try await waitUntil {
        let rule = try await server.get("/v1/pages/home/sort-rule")
        return rule.json["order"] == ["top", "middle", "bottom"]
      }
      #expect(Instant.now >= from)
      #expect(try await server.get("/v1/pages/home/sections/bottom").json["position"] == 2)
    }
  }

  private static func withoutPosition(_ section: JSON) -> JSON {
    var members = section.object ?? JSONObject()
    members["position"] = nil
    return .object(members)
  }
}

/// A page drawn at random: sections that are empty, hidden, scheduled or for members, and rules full of ties.
private struct RandomHome {
  struct Section {
    var id: String
    var isEmpty: Bool
    var isHidden: Bool
    var isScheduled: Bool
    var isForMembers: Bool

    func isTold(toMember isMember: Bool) -> Bool { !isHidden && !isScheduled && (!isForMembers || isMember) }
  }

  let id: String
  let sections: [Section]
  private let rules: [String]

  init(_ id: String, _ random: inout SeededGenerator) {
    self.id = id
    sections = (0..<Int.random(in: 3...9, using: &random)).map { number in
      func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
      return Section(
        id: "s\(number)x", isEmpty: chance(15), isHidden: chance(15), isScheduled: chance(15), isForMembers: chance(25))
    }.shuffled(using: &random)
    let ids = sections.map(\.id)
    rules = ["", ", priority: 1, audience: {attribute: memberTier, atLeast: 5}"].map { rest in
      let listed = ids.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      let indices = listed.map { "\($0): \(Int.random(in: -1...2, using: &random))" }
      return "{indices: {\(indices.joined(separator: ", "))}\(rest)}"
    }
  }

  var yaml: String {
    let sections = sections.map { section in
      var members = ["id: \(section.id)", "kind: broadcast"]
      if !section.isEmpty { members.append("items: [{id: i, kind: navigation, content: {title: T}}]") }
      if section.isHidden { members.append("hidden: true") }
      if section.isScheduled { members.append("schedule: {from: 2999-01-01T00:00:00Z}") }
      if section.isForMembers { members.append("audience: {attribute: memberTier, atLeast: 5}") }
      return "      - {\(members.joined(separator: ", "))}\n"
    }
    return """
        \(id):
          defaultLocale: en
          sections:
      \(sections.joined())\
          sortRules: {default: \(rules[0]), members: \(rules[1])}

      """
  }
}
