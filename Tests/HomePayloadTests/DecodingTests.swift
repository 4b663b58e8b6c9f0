import HomePayload
import JSON
import SeededRandom
import Testing

@Suite struct DecodingTests {
  @Test func `a page is written as it was read (S4.2)`() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let page = RandomPage.page(&random)
      let read = try Page(bytes: page.canonicalBytes)
      #expect(read == page)
      #expect(read.canonicalBytes == page.canonicalBytes)
    }
  }

  @Test func `the page in the contract is read with all it has`() throws {
    let page = try Page(bytes: Array(Self.documented.utf8))
    let middle = try #require(page.sections.first)
    #expect(middle.header?.id == "middleNav.header")
    #expect(middle.layout.style == .grid)
    #expect(middle.layout.itemSize == .init(width: .column, height: .points(80)))
    #expect(middle.items.first?.action?.url == "app://scan")
    #expect(page.sections.last?.items.first?.children.map(\.id) == ["q1a"])
    #expect(page.sections.last?.items.first?.expanded == true)
  }

  /// What a newer server may send: each must leave the rest of the page usable.
  @Test(arguments: [
    (#""weather":"fine","sections":[]"#, ""),
    (#""sections":[{"id":"a","kind":"x","index":0,"layout":{"style":"helix","turns":3},"items":[]}]"#, "a"),
    (
      #""sections":[{"id":"a","kind":"x","index":0,"layout":{"style":"list","itemSize":{"width":{"flex":1},"height":"tall"}}}]"#,
      "a"
    ),
    (
      #""sections":[{"id":"a","kind":"x","index":0,"layout":{"style":"list"},"items":[{"id":"i","kind":"k","action":{"voice":"hi"}}]}]"#,
      "a"
    ),
    (
      #""sections":[{"id":"a","kind":"x","index":0,"layout":{"style":"list","columns":{"exactly":2},"paging":"spiral","peek":{"above":1},"itemSize":{"width":{"fraction":0.5,"of":"moon"},"height":{"points":1}}}}]"#,
      "a"
    ),
  ])
  func `what a newer server adds is left alone`(members: String, sections: String) throws {
    let text = #"{"page":"home","version":"a","locale":"en","sortRule":"default",\#(members)}"#
    let page = try Page(bytes: Array(text.utf8))
    #expect(page.sections.map(\.id).joined() == sections)
    #expect(page.sections.allSatisfy { $0.layout.style == .list && $0.layout.itemSize == nil })
  }

  @Test func `bounds that a newer server adds are left alone, and the size stays`() throws {
    let extent = #"{"fraction":0.5,"minimum":{"ems":9},"maximum":{"fraction":1,"of":"moon"},"steps":8}"#
    let size = #"{"width":\#(extent),"height":{"content":{"minimum":44,"words":3},"maximum":90}}"#
    let section = #"{"id":"a","kind":"x","index":0,"layout":{"style":"list","itemSize":\#(size)}}"#
    let text = #"{"page":"home","version":"a","locale":"en","sortRule":"default","sections":[\#(section)]}"#
    let page = try Page(bytes: Array(text.utf8))
    let height = SectionLayout.Height.bounded(.content(minimum: 44), minimum: nil, maximum: .points(90))
    #expect(page.sections.first?.layout.itemSize == .init(width: .fraction(0.5), height: height))
  }

  @Test func `changes of what a newer server adds apply to what an older app holds`() throws {
    let text =
      #"{"page":"home","version":"a","locale":"en","sortRule":"default","weather":"fine","sections":["#
      + #"{"id":"a","kind":"x","index":0,"layout":{"style":"helix"}}]}"#
    let changes =
      #"{"page":"home","from":"a","to":"b","set":{"weather":"wet"},"sections":{"updates":[{"at":0,"set":{"glow":1}}]}}"#
    let page = try Page(bytes: Array(text.utf8)).applying(ChangeSet(bytes: Array(changes.utf8)))
    #expect(page.version == "b")
    #expect(page.sections.first?.layout.style == .list)
  }

  /// Each is one member short, or of another type than the contract says.
  @Test(arguments: [
    (#"{"version":"a","locale":"en","sortRule":"default","sections":[]}"#, "/page"),
    (#"{"page":"home","version":7,"locale":"en","sortRule":"default","sections":[]}"#, "/version"),
    (#"{"page":"home","version":"a","locale":"en","sortRule":"default","sections":{}}"#, "/sections"),
    (#"{"page":"home","version":"a","locale":"en","sortRule":"default","sections":[7]}"#, "/sections/0"),
    (
      #"{"page":"home","version":"a","locale":"en","sortRule":"default","sections":[{"id":"a","kind":"x","layout":{}}]}"#,
      "/sections/0/index"
    ),
    (
      #"{"page":"home","version":"a","locale":"en","sortRule":"default","sections":[{"id":"a","kind":"x","index":1,"layout":{"style":"list"},"slots":{"hot":{"id":"h"}}}]}"#,
      "/sections/0/slots/hot/kind"
    ),
    (#"{"page":"home","page":"home"}"#, ""), ("", ""),
  ])
  func `a document that is no page is refused with its place`(text: String, pointer: String) {
    #expect {
      try Page(bytes: Array(text.utf8))
    } throws: { error in
      (error as? PayloadError)?.pointer == pointer
    }
  }

  @Test func `a page as deep as JSON may be has a change set that can be read`() throws {
    var item = Item(id: "i8", kind: "row")
    var content: JSON = ["x": 1]
    for _ in 0..<(JSON.depthMax - 23) { content = .array([content]) }
    item.content = ["deep": content]
    for depth in (0..<8).reversed() { item = Item(id: "i\(depth)", kind: "row", children: [item]) }
    let section = Section(id: "s", kind: "k", index: 0, layout: SectionLayout(style: .outline), items: [item])
    let old = Page(id: "home", version: "a", locale: "en", sortRule: "default", sections: [])
    let new = Page(id: "home", version: "b", locale: "en", sortRule: "default", sections: [section])
    #expect(try Page(bytes: new.canonicalBytes) == new)
    for (from, to) in [(old, new), (Self.emptied(new), new)] {
      let changes = try ChangeSet(bytes: ChangeSet.changes(from: from, to: to).canonicalBytes)
      #expect(try from.applying(changes) == to)
    }
  }

  private static func emptied(_ page: Page) -> Page {
    func emptied(_ item: Item) -> Item {
      Item(id: item.id, kind: item.kind, children: item.children.map { emptied($0) })
    }
    var page = page
    page.version = "a"
    page.sections[0].items = page.sections[0].items.map { emptied($0) }
    return page
  }

  private static let documented = #"""
    { "page": "home", "version": "3f9c0a7e51b2d684", "locale": "zh-Hans", "sortRule": "default",
      "sections": [
        { "id": "middleNav", "kind": "middleNav", "index": 7,
          "header": {"id": "middleNav.header", "kind": "title", "content": {"text": "频道"}},
          "layout": {
            "style": "grid", "rows": [5],
            "inset": {"top": 0, "leading": 13, "bottom": 0, "trailing": 13},
            "itemSpacing": 13, "lineSpacing": 0,
            "itemSize": {"width": "column", "height": {"points": 80}},
            "background": {"color": "#FFFFFF", "cornerRadius": 8}
          },
          "items": [
            { "id": "scan", "kind": "navigation",
              "content": {"title": "扫一扫", "image": {"url": "https://…", "width": 88, "height": 88}},
              "action": {"url": "app://scan", "event": "home_nav_tap", "attributes": {"slot": 1}} } ] },
        { "id": "faq", "kind": "outline", "index": 20, "layout": {"style": "outline"},
          "items": [ {"id": "q1", "kind": "outlineHeader", "content": {}, "expanded": true,
                      "children": [ {"id": "q1a", "kind": "outlineRow", "content": {}} ]} ] } ] }
    """#
}
