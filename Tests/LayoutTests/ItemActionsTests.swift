import HomePayload
import JSON
import Layout
import Service
import Testing

/// What an item offers beside its tap.
@Suite struct ItemActionsTests {
  private static let kinds = """
    itemKinds:
      text: {content: {type: object, properties: {text: {type: string, x-localized: true}}}}
      newer: {requires: {ios: "7"}, fallback: {kind: text}, content: true}
      still: {action: forbidden, content: true}
    sectionKinds:
      inbox: {layout: {style: list}, items: {kinds: [text, newer, still]}, depth: 1}
    """

  private static let page = """
    hearth: 1
    pages:
      mail:
        defaultLocale: en
        locales: [en, vi]
        sections:
          - id: inbox
            kind: inbox
            items:
              - id: first
                kind: newer
                content: {text: Tea}
                action: {url: "app://mail/1"}
                actions:
                  - title: {en: Delete, vi: Xoá}
                    action: {handler: delete, arguments: {id: 1}, event: mail_delete}
                    role: destructive
                  - {title: Archive, action: {handler: archive}, edge: trailing}
                  - {title: {vi: Ghim}, action: {url: "app://pin/1"}, edge: leading}
              - {id: second, kind: still, content: {text: Still}}
    """

  private func screen(_ page: String = page) throws -> Screen {
    var screen = try Screen()
    screen.kinds = try Demo.kinds(Self.kinds)
    let document = try LayoutDocument(json: YAMLDocument(page).json, in: DefinitionContext())
    #expect(document.canonicalBytes == document.json.canonicalBytes)
    screen.definition = try #require(document.pages.first)
    return screen
  }

  @Test func `a client gets them in its locale, those without a title there left out`() throws {
    let english = try #require(try screen().section("inbox", locale: "en").items.first)
    let delete = Action(handler: "delete", arguments: ["id": 1], event: "mail_delete")
    let archive = ItemAction(title: "Archive", action: Action(handler: "archive"), edge: .trailing)
    #expect(english.actions == [ItemAction(title: "Delete", action: delete, role: .destructive), archive])
    let vietnamese = try #require(try screen().section("inbox", locale: "vi").items.first)
    #expect(vietnamese.actions.map(\.title) == ["Xoá", "Archive", "Ghim"])
    #expect(vietnamese.actions(at: .trailing).map(\.title) == ["Xoá", "Archive"])
    #expect(vietnamese.actions(at: .leading).map(\.title) == ["Ghim"])
    #expect(vietnamese.action == Action(url: "app://mail/1"))
  }

  @Test func `an item that falls back keeps them`() throws {
    let old: AttributeValues = ["platform": .text("ios"), "appVersion": try version("6.9")]
    let item = try #require(try screen().assembled(old).page.sections.first?.items.first)
    #expect(item.kind == "text")
    #expect(item.actions.map(\.title) == ["Delete", "Archive"])
  }

  @Test func `a change set has all of them, and an older reading leaves out what it does not know`() throws {
    var old = try screen().page(locale: "en")
    old.version = "0"
    var new = try screen(Self.page.replacing("title: Archive", with: "title: Keep")).page(locale: "en")
    new.version = "1"
    let changes = ChangeSet.changes(from: old, to: new)
    #expect(changes.sections.updates.first?.nested?.updates.first?.set.names == ["actions"])
    #expect(try old.applying(changes) == new)
    let text = String(decoding: new.canonicalBytes, as: UTF8.self)
      .replacing(#""edge":"trailing""#, with: #""edge":"above""#).replacing(#""destructive""#, with: #""grand""#)
    let known = try Page(bytes: Array(text.utf8)).sections[0].items[0].actions
    #expect(known.map(\.title) == ["Delete", "Keep"])
    #expect(known.allSatisfy { $0.edge == nil && $0.role == nil })
  }

  private static let long = (1...9).map { "{title: A\($0), action: {event: a}}" }.joined(separator: ", ")

  @Test(
    arguments: [
      ("title: Archive, action", "action", ["title"], "required"),
      ("title: Archive", "title: \"\"", ["title"], "text-bytes"),
      ("title: Archive", "title: {1x: A}", ["title/1x"], "x-localized"),
      ("{handler: archive}", "{}", ["action"], "action-empty"),
      (", action: {handler: archive}", "", ["action"], "required"),
      ("edge: trailing", "edge: above", ["edge"], "enum"), ("edge: trailing", "role: grand", ["role"], "enum"),
      ("edge: trailing", "icon: bin", ["icon"], "additionalProperties"),
      ("title: Archive", "title: {en: Delete, vi: Xoá}", ["title"], "uniqueItems"),
      ("title: Archive", "title: {en: Delete, vi: Bỏ}", ["title"], "uniqueItems"),
      ("title: Archive", "title: Delete", ["title"], "uniqueItems"),
    ] as [(String, String, [String], String)])
  func `what is wrong is told with its place`(what: String, other: String, places: [String], code: String) throws {
    let error = #expect(throws: InvalidDocument.self) { try screen(Self.page.replacing(what, with: other)) }
    let place = "/pages/mail/sections/0/items/0/actions/1/"
    #expect(error?.problems.map(\.pointer.description) == places.map { place + $0 })
    #expect(error?.problems.first?.sentence.code.rawValue.replacing("-", with: "") == code.replacing("-", with: ""))
  }

  @Test func `an item offers at most eight, and one whose kind forbids an action none`() throws {
    let still = "{id: second, kind: still, content: {text: Still}"
    let many = Self.page.replacing(still, with: "{id: second, kind: text, actions: [\(Self.long)]")
    let error = #expect(throws: InvalidDocument.self) { try screen(many) }
    #expect(
      error?.problems.map(\.description) == [
        "/pages/mail/sections/0/items/1/actions must have at most 8 actions, has 9"
      ])
    let some = try screen(Self.page.replacing(still, with: still + ", actions: [{title: A, action: {event: a}}]"))
    let problems = some.kinds.problems(in: some.definition)
    #expect(problems.map(\.pointer.description) == ["/sections/0/items/1/actions"])
    #expect(problems.map(\.sentence.code) == [.actionForbidden])
  }

  @Test func `lint names a title that a locale lacks, and more at one edge than a row has room for`() throws {
    func found(_ page: String) throws -> [String] {
      let screen = try screen(page)
      return screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map { "\($0.code.rawValue) \($0.pointer)" }
    }
    let pin = "{vi: Ghim}"
    #expect(try found(Self.page) == ["missing-locale /sections/0/items/0/actions/2/title"])
    let whole = Self.page.replacing(pin, with: "Pin")
    #expect(try found(whole) == [])
    let two = "{title: B, action: {event: b}}, {title: C, action: {event: c}}"
    let still = "{id: second, kind: still, content: {text: Still}}"
    let three = "{id: second, kind: text, content: {text: A}, actions: [{title: A, action: {event: a}}, \(two)]}"
    #expect(try found(whole.replacing(still, with: three)) == [])
    let four = three.replacing("]}", with: ", {title: D, action: {event: d}}]}")
    #expect(try found(whole.replacing(still, with: four)) == ["many-actions /sections/0/items/1/actions"])
    let apart = three.replacing("]}", with: ", {title: D, action: {event: d}, edge: leading}]}")
    #expect(try found(whole.replacing(still, with: apart)) == [])
  }

  @Test func `a change of them is said in words`() throws {
    let new = try screen(Self.page.replacing("title: Archive", with: "title: Keep"))
    let summary = ChangeSummary(from: try screen().definition, to: new.definition)
    #expect(summary.changes.map(\.text) == ["changed the actions of item first in inbox"])
  }
}
