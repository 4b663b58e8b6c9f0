import HomePayload
import JSON
import Testing

/// The canonical form, to the byte: versions are computed from it, so that a change of it is a new version of every page.
@Suite struct GoldenTests {
  @Test func `every member is written in its place, and left out when there is nothing to say`() throws {
    let action = Action(url: "app://scan", event: "tap", attributes: ["b": 1, "a": "\u{1F}\"é"])
    let child = Item(id: "c", kind: "row", action: Action(handler: "more"))
    let item = Item(
      id: "i", kind: "card", lists: ["new"], content: ["title": "频道", "n": 1], aspect: 2, action: action,
      actions: [
        .init(
          title: "删除", action: Action(handler: "delete", arguments: ["b": 1, "a": 2]), edge: .leading,
          role: .destructive),
        .init(title: "Share", action: Action(url: "app://share")),
      ], expanded: false,
      children: [child])
    let layout = SectionLayout(
      style: .grid, rows: [1, 5], inset: .init(top: 0, leading: 13, bottom: 0, trailing: 13), itemSpacing: 13,
      lineSpacing: 0, itemSize: .init(width: .column, height: .content(minimum: 44)),
      background: .init(color: "#FFFFFF", cornerRadius: .all(8)))
    let sizes: [SectionLayout.ItemSize] = [
      .init(width: .container, height: .points(80)), .init(width: .fraction(1), height: .aspect(2)),
      .init(width: .points(10), height: .points(1)),
      .init(width: .screenFraction(0.92), height: .screenFraction(0.5)),
      .init(
        width: .bounded(.screenFraction(0.92), minimum: .fraction(0.5), maximum: .points(340)),
        height: .bounded(.lines(2, minimum: 44), minimum: .points(50), maximum: .screenFraction(0.5))),
    ]
    let shelf = SectionLayout(
      style: .shelf, rows: [2], rowCount: 3, columns: .init(minimum: 160), alignment: .center,
      peek: .init(leading: 5, trailing: 20), paging: .anywhere,
      inset: .init(top: 0, leading: 1, bottom: 0, trailing: 1),
      separator: .init(color: .themed(light: "#EEEEEE", dark: "#222222"), width: 0.5, leading: 16, trailing: 0),
      stickyHeader: true, sticky: true,
      background: .init(
        gradient: .init(
          angle: 90,
          stops: [.init(at: 0, color: "#FFFFFF"), .init(at: 1, color: .themed(light: "#EEEEEE", dark: "#222222"))]),
        image: .themed(light: .init(url: "app://l"), dark: .init(fit: .contain, url: "app://d")),
        border: .init(color: "#000000", width: 0.5), shadow: .init(color: "#00000029", radius: 8, x: -1, y: 2)),
      backgroundFrame: .section)
    let sideways = Section(id: "x", kind: "k", index: 0, layout: shelf)
    let full = Section(
      id: "s", kind: "k", index: -7, header: Item(id: "h", kind: "title"), layout: layout,
      lists: [.init(id: "popular", title: "热门"), .init(id: "new", title: "New")], items: [item],
      slots: ["z": child, "a": child], footer: Item(id: "f", kind: "title"))
    let bare = sizes.enumerated().map { position, size in
      Section(id: "b\(position)", kind: "k", index: 0, layout: SectionLayout(style: .list, itemSize: size))
    }
    let page = Page(
      id: "home", version: "3f9c0a7e51b2d684", locale: "zh-Hans", sortRule: "default",
      sections: [full] + bare + [sideways],
      emptyState: Item(id: "e", kind: "empty"))
    #expect(String(decoding: page.canonicalBytes, as: UTF8.self) == Self.full)
    #expect(try Page(bytes: Array(Self.full.utf8)) == page)
    let frame = page.frame(version: nil)
    #expect(
      String(decoding: frame.head, as: UTF8.self)
        == #"{"page":"home","locale":"zh-Hans","sortRule":"default","sections":["#)
    #expect(String(decoding: frame.tail, as: UTF8.self) == #"],"emptyState":{"id":"e","kind":"empty","content":{}}}"#)
    let empty = Page(id: "home", version: "a", locale: "en", sortRule: "default", sections: [])
    #expect(
      String(decoding: empty.canonicalBytes, as: UTF8.self)
        == #"{"page":"home","version":"a","locale":"en","sortRule":"default","sections":[]}"#)
  }

  private static let child = #"{"id":"c","kind":"row","content":{},"action":{"handler":"more"}}"#
  private static let full =
    #"{"page":"home","version":"3f9c0a7e51b2d684","locale":"zh-Hans","sortRule":"default","sections":["#
    + #"{"id":"s","kind":"k","index":-7,"header":{"id":"h","kind":"title","content":{}},"#
    + #""layout":{"style":"grid","rows":[1,5],"inset":{"top":0,"leading":13,"bottom":0,"trailing":13},"#
    + #""itemSpacing":13,"lineSpacing":0,"itemSize":{"width":"column","height":{"content":{"minimum":44}}},"#
    + ##""background":{"color":"#FFFFFF","cornerRadius":8}},"##
    + #""lists":[{"id":"popular","title":"热门"},{"id":"new","title":"New"}],"#
    + #""items":[{"id":"i","kind":"card","lists":["new"],"content":{"n":1,"title":"频道"},"aspect":2,"#
    + #""action":{"url":"app://scan","event":"tap","attributes":{"a":"\u001f\"é","b":1}},"#
    + #""actions":[{"title":"删除","action":{"handler":"delete","arguments":{"a":2,"b":1}},"edge":"leading","#
    + #""role":"destructive"},{"title":"Share","action":{"url":"app://share"}}],"expanded":false,"#
    + #""children":[\#(child)]}],"slots":{"a":\#(child),"z":\#(child)},"#
    + #""footer":{"id":"f","kind":"title","content":{}}},"#
    + #"{"id":"b0","kind":"k","index":0,"layout":{"style":"list","#
    + #""itemSize":{"width":"container","height":{"points":80}}}},"#
    + #"{"id":"b1","kind":"k","index":0,"layout":{"style":"list","#
    + #""itemSize":{"width":{"fraction":1},"height":{"aspect":2}}}},"#
    + #"{"id":"b2","kind":"k","index":0,"layout":{"style":"list","#
    + #""itemSize":{"width":{"points":10},"height":{"points":1}}}},"#
    + #"{"id":"b3","kind":"k","index":0,"layout":{"style":"list","#
    + #""itemSize":{"width":{"fraction":0.92,"of":"screen"},"height":{"fraction":0.5,"of":"screen"}}}},"#
    + #"{"id":"b4","kind":"k","index":0,"layout":{"style":"list","itemSize":{"#
    + #""width":{"fraction":0.92,"maximum":340,"minimum":{"fraction":0.5},"of":"screen"},"#
    + #""height":{"content":{"lines":2,"minimum":44},"maximum":{"fraction":0.5,"of":"screen"},"minimum":50}}}},"#
    + #"{"id":"x","kind":"k","index":0,"layout":{"style":"shelf","rows":[2],"rowCount":3,"#
    + #""columns":{"minimum":160},"alignment":"center","peek":{"leading":5,"trailing":20},"paging":"none","#
    + #""inset":{"top":0,"leading":1,"bottom":0,"trailing":1},"#
    + ##""separator":{"color":{"light":"#EEEEEE","dark":"#222222"},"width":0.5,"leading":16,"trailing":0},"##
    + #""stickyHeader":true,"sticky":true,"#
    + ##""background":{"gradient":{"angle":90,"stops":[{"at":0,"color":"#FFFFFF"},"##
    + ##"{"at":1,"color":{"light":"#EEEEEE","dark":"#222222"}}]},"##
    + #""image":{"light":{"url":"app://l"},"dark":{"fit":"contain","url":"app://d"}},"#
    + ##""border":{"color":"#000000","width":0.5},"##
    + ##""shadow":{"color":"#00000029","radius":8,"x":-1,"y":2}},"backgroundFrame":"section"}}],"##
    + #""emptyState":{"id":"e","kind":"empty","content":{}}}"#

  @Test func `a change set is written in its order`() throws {
    let a = Item(id: "a", kind: "row", aspect: 1)
    let b = Item(id: "b", kind: "row", children: [a])
    var changed = b
    changed.kind = "card"
    changed.children = []
    let layout = SectionLayout(style: .list)
    var old = Page(
      id: "home", version: "1", locale: "en", sortRule: "x",
      sections: [
        Section(id: "s", kind: "k", index: 1, layout: layout, items: [a, b], footer: a),
        Section(id: "t", kind: "k", index: 2, layout: layout), Section(id: "u", kind: "k", index: 3, layout: layout),
      ], emptyState: a)
    var new = old
    new.version = "2"
    new.locale = "vi"
    new.emptyState = nil
    new.sections = [
      old.sections[2], Section(id: "s", kind: "k", index: 1, layout: layout, items: [changed, a]),
      Section(id: "v", kind: "k", index: 9, layout: layout),
    ]
    let text =
      #"{"page":"home","from":"1","to":"2","set":{"locale":"vi"},"unset":["emptyState"],"sections":{"deletes":[1],"#
      + #""inserts":[{"at":2,"section":{"id":"v","kind":"k","index":9,"layout":{"style":"list"}}}],"#
      + #""moves":[{"from":2,"to":0}],"updates":[{"at":0,"unset":["footer"],"items":{"moves":[{"from":1,"to":0}],"#
      + #""updates":[{"at":1,"set":{"kind":"card"},"children":{"deletes":[0]}}]}}]}}"#
    #expect(String(decoding: ChangeSet.changes(from: old, to: new).canonicalBytes, as: UTF8.self) == text)
    old = try old.applying(ChangeSet(bytes: Array(text.utf8)))
    #expect(old == new)
  }
}
