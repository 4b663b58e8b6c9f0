@testable import HomePayload
import JSON
import SeededRandom
import Testing

@Suite struct ChangeSetTests {
  @Test(arguments: 0..<10) func `applying the changes of a to b onto a gives b, byte for byte`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Trials.count(1_000) {
      let old = RandomPage.page(&random)
      let new = random.chance(80) ? RandomPage.changed(old, &random) : RandomPage.page(&random)
      let changes = ChangeSet.changes(from: old, to: new)
      let sent = try ChangeSet(bytes: changes.canonicalBytes)
      #expect(sent == changes)
      #expect(try old.applying(sent).canonicalBytes == new.canonicalBytes)
      #expect(try Page(bytes: new.canonicalBytes) == new)
    }
  }

  /// The published cases of IGListKit's list diff, by ids.
  @Test(arguments: [
    ("", "", [], [], []), ("1", "", [0], [], []), ("", "1", [], [0], []), ("1", "1", [], [], []),
    ("123", "231", [], [], [(0, 2)]), ("12", "21", [], [], [(1, 0)]),
    ("0123456", "0345612", [], [], [(1, 5), (2, 6)]),
    ("123", "1", [1, 2], [], []), ("123", "45", [0, 1, 2], [0, 1], []),
    ("12345", "52341", [], [], [(4, 0), (0, 4)]),
    ("1234567890", "34567890ab", [0, 1], [8, 9], []),
    ("abc", "cxb", [0], [1], [(2, 0)]),
  ])
  func `deletes, inserts and moves are those of a batch update`(
    old: String, new: String, deletes: [Int], inserts: [Int], moves: [(Int, Int)]
  ) {
    let changes = ListChanges(from: Self.items(old), to: Self.items(new))
    #expect(changes.deletes == deletes)
    #expect(changes.inserts.map(\.at) == inserts)
    #expect(changes.moves.count == moves.count)
    if old.count > 2 || moves.isEmpty {
      #expect(Set(changes.moves.map(\.from)) == Set(moves.map(\.0)))
      #expect(Set(changes.moves.map(\.to)) == Set(moves.map(\.1)))
    }
    #expect(changes.updates.isEmpty)
  }

  @Test func `no fewer moves would do, by trying every set of elements that rest`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let count = Int.random(in: 0...7, using: &random)
      let old = Array("abcdefg".prefix(count))
      let new = old.shuffled(using: &random)
      let changes = ListChanges(from: Self.items(String(old)), to: Self.items(String(new)))
      let mostResting = (0..<(1 << count)).filter { mask in
        let rest = new.filter { letter in mask >> (old.firstIndex(of: letter) ?? 0) & 1 == 1 }
        return rest == rest.sorted()
      }.map(\.nonzeroBitCount).max()
      #expect(changes.moves.count == count - (mostResting ?? 0))
    }
  }

  @Test func `a changed element is an update at its old place, and may move as well`() throws {
    var old = Self.items("abc")
    old[2].children = Self.items("xy")
    var new = [old[2], old[0], old[1]]
    new[0].content["title"] = "C"
    new[0].children = Self.items("y")
    let changes = ListChanges(from: old, to: new)
    #expect(changes.moves == [.init(from: 2, to: 0)])
    let update = try #require(changes.updates.first)
    #expect(changes.updates.count == 1)
    #expect(update.at == 2)
    #expect(update.set == ["content": ["title": "C"]])
    #expect(update.nested?.deletes == [0])
    #expect(try old.applying(changes) == new)
  }

  @Test func `what is written as other bytes is a change, though Swift takes the strings for equal`() throws {
    var old = Item(id: "a", kind: "cell", action: Action(handler: "caf\u{E9}", event: "\u{212B}"))
    var new = old
    new.action?.handler = "cafe\u{301}"
    #expect("caf\u{E9}" == "cafe\u{301}")
    #expect(ListChanges(from: [old], to: [new]).updates.map(\.set.names) == [["action"]])
    old = new
    new.action?.event = "A\u{30A}"
    let changes = ListChanges(from: [old], to: [new])
    #expect(try [old].applying(changes).first?.action?.event?.unicodeScalars.count == 2)
  }

  @Test func `an id that is there twice loses nothing`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let old = Self.items(String((0..<6).compactMap { _ in "ab".randomElement(using: &random) }))
      let new = Self.items(String((0..<6).compactMap { _ in "abc".randomElement(using: &random) }))
      #expect(try old.applying(ListChanges(from: old, to: new)) == new)
    }
  }

  @Test func `the wire form leaves out what is empty`() {
    let old = Page(id: "home", version: "a", locale: "en", sortRule: "default", sections: [])
    var new = old
    new.version = "b"
    new.sortRule = "spring"
    let text = String(decoding: ChangeSet.changes(from: old, to: new).canonicalBytes, as: UTF8.self)
    #expect(text == #"{"page":"home","from":"a","to":"b","set":{"sortRule":"spring"}}"#)
  }

  @Test(arguments: [
    #"{"page":"other","from":"a","to":"b"}"#, #"{"page":"home","from":"x","to":"b"}"#,
    #"{"page":"home","from":"a","to":"b","sections":{"deletes":[5]}}"#,
    #"{"page":"home","from":"a","to":"b","sections":{"deletes":[0,0]}}"#,
    #"{"page":"home","from":"a","to":"b","sections":{"moves":[{"from":0,"to":9}]}}"#,
    #"{"page":"home","from":"a","to":"b","sections":{"updates":[{"at":0,"unset":["layout"]}]}}"#,
    #"{"page":"home","from":"a","to":"b","sections":{"deletes":[-1]}}"#, #"{"page":"home","from":"a"}"#, "[]", "{",
  ])
  func `a set that does not fit is refused`(text: String) {
    let section = Section(id: "s", kind: "k", index: 0, layout: SectionLayout(style: .list))
    let page = Page(id: "home", version: "a", locale: "en", sortRule: "default", sections: [section])
    #expect(throws: PayloadError.self) { try page.applying(ChangeSet(bytes: Array(text.utf8))) }
  }

  private static func items(_ letters: String) -> [Item] { letters.map { Item(id: String($0), kind: "cell") } }
}
