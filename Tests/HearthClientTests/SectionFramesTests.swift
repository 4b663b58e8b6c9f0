import Foundation
import HearthClient
import JSON
import Testing

@testable import HomePayload

/// The cases of Tests/LayoutCases, as Tests/TypeScriptClient/layout.test.mjs runs them.
@Suite struct SectionFramesTests {
  private static func cases() throws -> [JSON] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try ["sections", "shelves", "chrome", "groups", "separators", "sizes", "tabs", "demo"].flatMap { name in
      let data = try Data(contentsOf: folder.appendingPathComponent("LayoutCases/\(name).json"))
      return try JSON.parse([UInt8](data)).array ?? []
    }
  }

  @Test func `cells are where the cases say`() throws {
    let cases = try Self.cases()
    #expect(cases.count > 600)
    for aCase in cases {
      let name = Comment(rawValue: aCase["name"]?.string ?? "")
      let section = try Section.required(#require(aCase["section"]))
      let heights = aCase["heights"]
      let frames = SectionFrames(
        section, width: aCase["width"]?.number?.double ?? 0, screen: Self.screen(of: aCase),
        scale: aCase["scale"]?.number?.double,
        measuring: { item, _ in heights?[item.id]?.number?.double ?? 0 },
        measuringWidth: { aCase["widths"]?[$0.id]?.number?.double ?? 0 },
        measuringLines: { aCase["lines"]?[$0.id]?["\($2)"]?.number?.double ?? 0 })
      let cells = frames.cells.map { cell in
        [cell.part.rawValue, cell.item?.id ?? "null"] + [cell.x, cell.y, cell.width, cell.height].map(Self.rounded)
      }
      let expected = (aCase["cells"]?.array ?? []).map { cell in
        (cell.array ?? []).map { $0.string ?? $0.number.map { Self.rounded($0.double) } ?? "null" }
      }
      #expect(cells == expected, name)
      #expect(Self.rounded(frames.height) == Self.rounded(aCase["height"]?.number?.double ?? -1), name)
      Self.expectScrolling(frames, aCase, name)
      Self.expectChrome(frames, aCase, name)
      let direction: Page.Direction? = aCase["direction"] == "rightToLeft" ? .rightToLeft : nil
      if let lefts = aCase["lefts"]?.array {
        let found = frames.cells.map {
          Self.rounded($0.left(in: aCase["width"]?.number?.double ?? 0, direction: direction))
        }
        #expect(found == lefts.map { Self.rounded($0) }, name)
      }
    }
  }

  private static func expectChrome(_ frames: SectionFrames, _ aCase: JSON, _ name: Comment) {
    let separators = frames.cells.compactMap(\.separator).map { [$0.x, $0.y, $0.width, $0.height].map(rounded) }
    let expected = (aCase["separators"]?.array ?? []).map { area in
      (area.array ?? []).compactMap(\.number).map { rounded($0.double) }
    }
    #expect(separators == expected, name)
    if let background = aCase["background"] {
      let found = frames.background.map { [$0.x, $0.y, $0.width, $0.height].map(rounded) }
      #expect(found == background.array.map { $0.map { rounded($0) } }, name)
    }
    let found = frames.sticky.map { [$0.y, $0.until].map(rounded) }
    #expect(found == aCase["sticky"]?.array.map { $0.map { rounded($0) } }, name)
  }

  @Test func `a header stays at the top until the end of its section pushes it away`() {
    let layout = SectionLayout(
      style: .list, inset: .init(top: 8, leading: 0, bottom: 0, trailing: 0),
      itemSize: .init(width: .container, height: .points(40)), stickyHeader: true)
    let section = Section(
      id: "s", kind: "k", index: 0, header: Item(id: "h", kind: "k"), layout: layout,
      items: (0..<5).map { Item(id: "i\($0)", kind: "k") })
    let sticky = SectionFrames(section, width: 100, measuring: { _, _ in 20 }).sticky
    #expect([-50, 0, 8, 60, 208, 500].map { sticky?.y(scrolledBy: $0) } == [8, 8, 8, 60, 208, 208])
  }

  @Test func `sections stay as the cases say`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: folder.appendingPathComponent("StickyCases/pages.json"))
    let cases = try JSON.parse([UInt8](data)).array ?? []
    #expect(cases.count >= 30)
    for aCase in cases {
      let name = Comment(rawValue: aCase["name"]?.string ?? "")
      let sections = try (aCase["sections"]?.array ?? []).map { section in
        (try SectionLayout.required(#require(section["layout"])), section["height"]?.number?.double ?? 0)
      }
      let stays = SectionFrames.stays(
        of: sections, from: aCase["top"]?.number?.double ?? 0, screen: Self.screen(of: aCase))
      let found = stays.map { [$0.sticky?.y ?? -1, $0.sticky?.until ?? -1, $0.above].map(Self.rounded) }
      let expected = (aCase["stays"]?.array ?? []).map { stay in
        (stay.array ?? []).map { Self.rounded($0.number?.double ?? -1) }
      }
      #expect(found == expected, name)
      for place in aCase["at"]?.array ?? [] {
        let numbers = (place.array ?? []).map { $0.number?.double ?? .nan }
        let sticky = stays[Int(numbers[0])].sticky
        #expect(sticky.map { Self.rounded($0.y(scrolledBy: numbers[1])) } == Self.rounded(numbers[2]), name)
      }
    }
  }

  @Test func `the source of a picture is the narrowest that is wide enough`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: folder.appendingPathComponent("PictureCases/sources.json"))
    let cases = try JSON.parse([UInt8](data)).array ?? []
    #expect(cases.count > 10)
    for aCase in cases {
      let picture = try #require(aCase["picture"])
      let (width, scale) = (aCase["width"]?.number?.double ?? 0, aCase["scale"]?.number?.double ?? 0)
      let name = Comment(rawValue: aCase["name"]?.string ?? "")
      #expect(PictureSource.url(of: picture, width: width, scale: scale) == aCase["url"]?.string, name)
      // A background's picture is chosen as an item's.
      guard let url = picture["url"]?.string else { continue }
      let sources = (picture["sources"]?.array ?? []).compactMap { source in
        source["url"]?.string.flatMap { url in source["width"]?.int.map { (url: url, width: $0) } }
      }
      let background = SectionLayout.BackgroundPicture(
        sources: sources.map { .init(url: $0.url, width: $0.width) }, url: url, width: picture["width"]?.int)
      #expect(background.url(width: width, scale: scale) == aCase["url"]?.string, name)
    }
  }

  private static func screen(of aCase: JSON) -> SectionFrames.Screen? {
    guard let width = aCase["screen"]?["width"]?.number, let height = aCase["screen"]?["height"]?.number else {
      return nil
    }
    return SectionFrames.Screen(width: width.double, height: height.double)
  }

  private static func expectScrolling(_ frames: SectionFrames, _ aCase: JSON, _ name: Comment) {
    if let leaves = aCase["leaves"]?.array {
      let found = frames.leaves.map { $0.items.map(\.id) + [rounded($0.x), rounded($0.width)] }
      #expect(
        found
          == leaves.map { leaf in
            let parts = leaf.array ?? []
            return (parts.first?.array ?? []).map { $0.string ?? "" } + parts.dropFirst().map { rounded($0) }
          }, name)
    }
    guard let scrolling = aCase["scrolling"] else {
      #expect(frames.scrolling == nil || aCase["section"]?["layout"]?["style"] == "carousel", name)
      return
    }
    let found = frames.scrolling.map { [$0.extent] + $0.stops } ?? []
    let expected = [scrolling["extent"]].compactMap { $0 } + (scrolling["stops"]?.array ?? [])
    #expect(found.map { rounded($0) } == expected.map { rounded($0) }, name)
  }

  private static func rounded(_ json: JSON) -> String { rounded(json.number?.double ?? -1) }

  /// Points that no screen can tell apart are the same.
  private static func rounded(_ points: Double) -> String { String((points * 1_000_000).rounded() / 1_000_000) }
}
