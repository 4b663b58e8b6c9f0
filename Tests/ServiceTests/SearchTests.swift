import Foundation
import JSON
import Storage
import Testing

@testable import Service

/// Where a text is, and who changed a field.
@Suite struct SearchTests {
  @Test func `a text is found in names, settings and contents of the pages that a token reaches, in parts`()
    async throws
  {
    try await withServer { server in
      func search(_ query: String, _ fields: [String: String] = [:]) async throws -> [String] {
        let reply = try await server.admin("GET", "/search?\(query)", nil, fields)
        #expect(reply.status == 200, "\(reply.text)")
        return (reply.json["results"]?.array ?? []).map { result in
          [result["section"]?.string, result["item"]?.string, result["matches"]?.array?.first?["pointer"]?.string]
            .compactMap(\.self).joined(separator: " ")
        }
      }
      #expect(try await search("q=SCAN") == ["top scan /content/title/en"])
      #expect(try await search("q=%E6%89%AB%E4%B8%80") == ["top scan /content/title/zh-Hans"])
      #expect(try await search("q=channels") == ["top /header/content/text/en"])
      #expect(try await search("q=middle") == ["middle /id", "middle middle.hot /id"])
      #expect(try await search("q=hot&page=home").contains { $0.hasPrefix("middle") })
      #expect(try await search("q=%22") == [])
      // In parts: each answer says where the next goes on.
      var all: [String] = []
      var cursor: String?
      repeat {
        let reply = try await server.admin(
          "GET", "/search?q=navigation&limit=2" + (cursor.map { "&cursor=\($0)" } ?? ""))
        all += (reply.json["results"]?.array ?? []).compactMap { $0["item"]?.string }
        cursor = reply.json["next"]?.string
      } while cursor != nil
      #expect(all.count == 5 && Set(all).count == 5)
      let (_, text) = try await server.store.createToken(
        name: "t", role: .viewer, scopes: ["home/top"], by: Actor(name: "test"))
      let fields = ["Authorization": "Bearer \(text.text)"]
      #expect(try await search("q=navigation", fields).allSatisfy { $0.hasPrefix("top") })
      #expect(try await search("q=pay", fields).count == 1)
      for query in ["", "?q=", "?q=\(String(repeating: "a", count: 201))", "?q=a&limit=0", "?q=a&cursor=zz"] {
        #expect(try await server.admin("GET", "/search\(query)").status == 400, "\(query)")
      }
      // Vietnamese is found without its marks and with them, composed or not; a character of Chinese is a word.
      let item = #"{"kind": "navigation", "content": {"title": {"zh-Hans": "灯", "en": "Lễ hội Đèn lồng"}}}"#
      let put = try await server.admin("PUT", "/pages/home/sections/top/items/pay", item, ["If-Match": "*"])
      #expect(put.status == 200)
      for query in ["le%20hoi%20den", "L%E1%BB%85%20h%E1%BB%99i", "Le%CC%82%CC%83%20ho%CC%A3%CC%82i", "%C4%91%C3%A8n"] {
        #expect(try await search("q=\(query)") == ["top pay /content/title/en"], "\(query)")
      }
      #expect(try await search("q=%E7%81%AF") == ["top pay /content/title/zh-Hans"])
    }
  }

  @Test func `one request looks at no more than it may, and the next goes on`() async throws {
    try await withServer(settings: { $0.admin.searchBytesMax = 1 }) { server in
      var found = 0
      var requests = 0
      var cursor: String?
      repeat {
        let reply = try await server.admin("GET", "/search?q=title" + (cursor.map { "&cursor=\($0)" } ?? ""))
        found += reply.json["results"]?.array?.count ?? 0
        cursor = reply.json["next"]?.string
        requests += 1
      } while cursor != nil && requests < 50
      #expect(requests > 3 && requests < 50)
      #expect(found == 1)
    }
  }

  @Test func `a field says who changed it, when and from what, in the draft and in revisions`() async throws {
    try await withServer { server in
      let (_, text) = try await server.store.createToken(name: "mei", role: .publisher, by: Actor(name: "test"))
      let mei = ["Authorization": "Bearer \(text.text)", "If-Match": "*"]
      func put(_ title: String, _ fields: [String: String]) async throws {
        let item = #"{"kind": "navigation", "content": {"title": {"zh-Hans": "付款", "en": "\#(title)"}}}"#
        #expect(try await server.admin("PUT", "/pages/home/sections/top/items/pay", item, fields).status == 200)
      }
      func changes(_ pointer: String, item: String? = "pay") async throws -> [JSON] {
        let path = "/pages/home/sections/top/history?pointer=\(pointer)" + (item.map { "&item=\($0)" } ?? "")
        let reply = try await server.admin("GET", path)
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json["changes"]?.array ?? []
      }
      server.clock.advance(by: 60)
      try await put("Wallet", mei)
      server.clock.advance(by: 60)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"]).status == 200)
      server.clock.advance(by: 60)
      try await put("Pay now", ["If-Match": "*"])
      let found = try await changes("/content/title/en")
      #expect(found.map { $0["to"]?.string } == ["Pay now", "Wallet", "Pay"])
      #expect(found.map { $0["from"]?.string } == ["Wallet", "Pay", nil])
      #expect(found.map { $0["by"]?.array?.first?.string }.prefix(2) == ["tester", "mei"])
      #expect(found.map { $0["revision"]?.int } == [nil, 2, 1])
      #expect(found[1]["publishedBy"]?.string == "tester")
      // Of another locale nothing has changed since the first.
      #expect(try await changes("/content/title/zh-Hans").count == 1)
      #expect(try await changes("/title", item: nil).isEmpty)
      #expect(try await server.admin("GET", "/pages/home/sections/top/history?pointer=x").status == 400)
      #expect(try await server.admin("GET", "/pages/none/sections/top/history").code == "unknown-page")
      // What is looked at is bounded by its bytes, too: it says where to go on, and no change is told twice or lost.
      let field = FieldPlace(item: "pay", pointer: JSONPointer(["content", "title"]))
      var told: [Int?] = []
      var before: Int?
      repeat {
        let (changes, next) = try await server.store.changes(
          of: field, in: "top", of: "home", before: before, limit: 10, revisionsMax: 10, bytesMax: 1)
        #expect(changes.count <= 2)
        told += changes.map(\.revision)
        before = next
      } while before != nil
      #expect(told == [nil, 2, 1])
    }
  }

  @Test func `a field names those alone who changed it, each with the time and the value before`() async throws {
    try await withServer { server in
      func named(_ name: String) async throws -> [String: String] {
        let (_, text) = try await server.store.createToken(name: name, role: .publisher, by: Actor(name: "test"))
        return ["Authorization": "Bearer \(text.text)", "If-Match": "*"]
      }
      let (mei, wang, feed) = try await (named("mei"), named("wang"), named("feed"))
      func put(_ path: String, _ body: String, _ fields: [String: String]) async throws {
        server.clock.advance(by: 60)
        let reply = try await server.admin("PUT", "/pages/home/sections/top\(path)", body, fields)
        #expect([200, 201].contains(reply.status), "\(reply.text)")
      }
      func pay(_ title: String, _ chinese: String, _ fields: [String: String]) async throws {
        let title = #"{"zh-Hans": "\#(chinese)", "en": "\#(title)"}"#
        try await put("/items/pay", #"{"kind": "navigation", "content": {"title": \#(title)}}"#, fields)
      }
      func told(_ pointer: String, item: String? = "pay") async throws -> [String] {
        let path = "/pages/home/sections/top/history?pointer=\(pointer)" + (item.map { "&item=\($0)" } ?? "")
        return try await server.admin("GET", path).json["changes"]?.array?.map { change in
          let by = change["by"]?.array?.compactMap(\.string).joined(separator: ",") ?? ""
          let values = ["from", "to"].map { change[$0]?.string ?? "-" }.joined(separator: " ")
          return "\(change["revision"]?.int ?? 0) \(by): \(values)"
        } ?? []
      }
      try await pay("Wallet", "付款", mei)
      try await pay("Wallet", "钱包", wang)
      try await put("/items/extra", #"{"kind": "navigation", "content": {"title": "Scan"}}"#, feed)
      try await pay("Pay now", "钱包", mei)
      try await put("", #"{"kind": "grid", "title": "Top"}"#, wang)
      let path = "/pages/home/sections/top"
      let content = try await server.admin("GET", "\(path)/content").json
      // All of it at once, with one item that is another.
      let items = (content["items"]?.array ?? []).map { item -> JSON in
        guard item["id"]?.string == "extra" else { return item }
        return ["id": "extra", "kind": "navigation", "content": ["title": "Scan it"]]
      }
      try await put("/content", JSON.object(["items": .array(items)]).canonicalText, feed)
      #expect(try await told("/content/title/en").prefix(2) == ["0 mei: Wallet Pay now", "0 mei: Pay Wallet"])
      #expect(try await told("/content/title/zh-Hans").first == "0 wang: 付款 钱包")
      #expect(try await told("/content/title", item: "extra") == ["0 feed: Scan Scan it", "0 feed: - Scan"])
      #expect(try await told("/title", item: nil) == ["0 wang: - Top"])
      // What a publish leaves out is still told of as theirs who made it.
      server.clock.advance(by: 60)
      let fields = ["If-Match": "*"]
      #expect(try await server.admin("POST", "/pages/home/publish", #"{"sections": ["bottom"]}"#, fields).status < 500)
      #expect(try await told("/title", item: nil) == ["0 wang: - Top"])
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", fields).status == 200)
      #expect(try await told("/title", item: nil).map { $0.dropFirst(1) } == [" wang: - Top"])
      #expect(try await told("/content/title/zh-Hans").first?.hasSuffix(" wang: 付款 钱包") == true)
      // Back and forth: the newest way is told.
      try await put("", #"{"kind": "grid", "title": "Other"}"#, mei)
      try await put("", #"{"kind": "grid", "title": "Top"}"#, wang)
      try await put("", #"{"kind": "grid", "title": "Best"}"#, mei)
      #expect(try await told("/title", item: nil).first == "0 mei: Top Best")
      // Whoever rolled back put it back, not who had once made it so. Of a place around fields somebody is told as well.
      server.clock.advance(by: 60)
      let revision = try await server.admin("POST", "/pages/home/publish", "{}", fields).json["revision"]?.int ?? 0
      try await put("", #"{"kind": "grid", "title": "Worst"}"#, wang)
      server.clock.advance(by: 60)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", fields).status == 200)
      server.clock.advance(by: 60)
      let back = #"{"revision": \#(revision), "draft": "reset"}"#
      #expect(try await server.admin("POST", "/pages/home/rollback", back, mei).status == 200)
      let last = try await told("/title", item: nil)
      #expect(last.prefix(2) == ["\(revision + 2) mei: Worst Best", "\(revision + 1) wang: Best Worst"])
      let around = try await told("/content")
      #expect(around.contains { $0.contains("mei") && $0.contains("wang") }, "\(around)")
    }
  }

  @Test func `of a change that is too much to be kept the history says who may have made it`() async throws {
    try await withServer { server in
      func named(_ name: String) async throws -> [String: String] {
        let (_, text) = try await server.store.createToken(name: name, role: .publisher, by: Actor(name: "test"))
        return ["Authorization": "Bearer \(text.text)", "If-Match": "*"]
      }
      let (mei, wang) = try await (named("mei"), named("wang"))
      func put(_ title: String, count: Int, _ fields: [String: String]) async throws {
        server.clock.advance(by: 60)
        let items = (0..<count).map { number -> JSON in
          ["id": .string("i\(number)"), "kind": "navigation", "content": ["title": .string("\(title)\(number)")]]
        }
        let body = JSON.object(["items": .array(items)]).canonicalText
        #expect(try await server.admin("PUT", "/pages/home/sections/top/content", body, fields).status == 200)
      }
      func told(_ item: String) async throws -> [[String]] {
        let path = "/pages/home/sections/top/history?pointer=/content/title&item=\(item)"
        return try await server.admin("GET", path).json["changes"]?.array?.map { change in
          (change["by"]?.array ?? []).compactMap(\.string) + ["from", "to"].map { change[$0]?.string ?? "-" }
        } ?? []
      }
      try await put("a", count: 3, mei)
      try await put("b", count: 70, wang)
      try await put("c", count: 70, mei)
      server.clock.advance(by: 60)
      let item = #"{"kind": "navigation", "content": {"title": "d1"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top/items/i1", item, wang).status == 200)
      #expect(try await told("i1") == [["wang", "c1", "d1"], ["mei", "wang", "a1", "c1"], ["mei", "-", "a1"]])
      let last = try await told("i65")
      #expect(last.count == 1 && last[0].starts(with: ["mei", "wang"]) && last[0].suffix(2) == ["-", "c65"])
      // Nor is what is too long to be kept known of each change.
      let long = String(repeating: "x", count: 2_100)
      try await put(long, count: 3, mei)
      try await put("e", count: 3, wang)
      #expect(try await told("i1").prefix(2) == [["wang", "mei", "d1", "e1"], ["wang", "c1", "d1"]])
    }
  }

  @Test func `who changed an item is told by the order of changes, and by what each did`() async throws {
    try await withServer { server in
      func named(_ name: String) async throws -> [String: String] {
        let (_, text) = try await server.store.createToken(name: name, role: .publisher, by: Actor(name: "test"))
        return ["Authorization": "Bearer \(text.text)", "If-Match": "*"]
      }
      let (mei, wang) = try await (named("mei"), named("wang"))
      func put(_ titles: [String], _ fields: [String: String]) async throws {
        let items = titles.enumerated().map { number, title -> JSON in
          ["id": .string("i\(number)"), "kind": "navigation", "content": ["title": .string(title)]]
        }
        let body = JSON.object(["items": .array(items)]).canonicalText
        #expect(try await server.admin("PUT", "/pages/home/sections/top/content", body, fields).status == 200)
      }
      // More than is kept of one change, and all in one second.
      for (title, fields) in [("a", mei), ("b", wang), ("c", mei)] {
        try await put((0..<70).map { "\(title)\($0)" }, fields)
        #expect(try await server.admin("POST", "/pages/home/publish", "{}", fields).status == 200)
      }
      let path = "/pages/home/sections/top/history?pointer=/content/title&item=i1"
      let told = try await server.admin("GET", path).json["changes"]?.array?.map { change in
        (change["by"]?.array ?? []).compactMap(\.string) + ["from", "to"].map { change[$0]?.string ?? "-" }
      }
      #expect(told == [["mei", "b1", "c1"], ["wang", "a1", "b1"], ["mei", "-", "a1"]])

      // The whole content, in which one item is another: not whoever put it has changed the others.
      try await put(["a", "b", "c"], wang)
      let item = #"{"kind": "navigation", "content": {"title": "d"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top/items/i1", item, mei).status == 200)
      try await put(["other", "d", "c"], wang)
      let stale = wang.merging(["If-Match": #""0""#]) { $1 }
      let reply = try await server.admin("PUT", "/pages/home/sections/top/items/i1", item + " ", stale)
      #expect(reply.status == 412)
      #expect(reply.json["detail"]?.string?.contains("changed by mei") == true, "\(reply.text)")
    }
  }
}
