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
}
