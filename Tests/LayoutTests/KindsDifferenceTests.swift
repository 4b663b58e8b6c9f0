import Foundation
import Layout
import Testing

/// What a change of the demo's kinds breaks.
@Suite struct KindsDifferenceTests {
  private static let noLines: [String] = []

  @Test(arguments: [
    ("title: OTC", "title: Ads", noLines),
    ("maxLength: 8\n", "maxLength: 6\n", ["content /itemKinds/navigation/content/badge"]),
    ("maxLength: 8\n", "maxLength: 9\n", [" /itemKinds/navigation/content/badge"]),
    ("required: [title]\n", "required: [title, image]\n", ["content /itemKinds/navigation/content/image"]),
    (
      "        subtitle: {$ref: \"#/$defs/text\"}\n        image:",
      "        caption: {$ref: \"#/$defs/text\"}\n        image:",
      ["content and apps /itemKinds/navigation/content/subtitle"]
    ),
    (
      "action: required\n    content:\n      type: object\n      required: [text]",
      "content:\n      type: object\n      required: [text]",
      ["apps /itemKinds/more/action"]
    ),
    (
      #"requires: {ios: "5.0", android: "5.1"}"#, #"requires: {ios: "5.2", android: "5.1"}"#,
      [" /itemKinds/video/requires/ios"]
    ),
    (
      #"requires: {ios: "5.0", android: "5.1"}"#, #"requires: {ios: "4.0", android: "5.1"}"#,
      ["apps /itemKinds/video/requires/ios"]
    ),
    (
      "items: {kinds: [ticker], maximum: 50}", "items: {kinds: [ticker], maximum: 5}",
      ["content /sectionKinds/marquee/items/maximum"]
    ),
    (
      "items: {kinds: [ticker], maximum: 50}", "items: {kinds: [ticker]}",
      [" /sectionKinds/marquee/items/maximum"]
    ),
    (
      "items: {kinds: [ticker], maximum: 50}", "items: {kinds: [ticker, banner], maximum: 50}",
      [" /sectionKinds/marquee/items/kinds"]
    ),
    (
      "smallWelfare: {kinds: [smallWelfare], required: true}", "smallWelfare: {kinds: [smallWelfare]}",
      ["apps /sectionKinds/walletCard/slots/smallWelfare/required"]
    ),
    ("height: {points: 32}", "height: {points: 40}", [" /sectionKinds/marquee/layout"]),
    ("  marquee:\n", "  tape:\n", ["content and apps /sectionKinds/marquee"]),
    ("style: ticker", "style: carousel", [" /sectionKinds/marquee/layout/style"]),
  ])
  func `each difference names its place and whom it breaks`(text: String, other: String, expected: [String]) throws {
    let old = try Demo.text("config/kinds.yaml")
    try #require(old.contains(text))
    let found = try Demo.kinds(old).differences(to: Demo.kinds(old.replacing(text, with: other, maxReplacements: 1)))
    let lines = found.map { difference in
      let parties = KindsDifference.Party.allCases.filter(difference.breaks.contains).map(\.rawValue)
      return "\(parties.joined(separator: " and ")) \(difference.place)"
    }
    #expect(lines == expected, "\(found)")
  }

  @Test func `what the settings limit is no difference of the kinds`() throws {
    let json = try Demo.yaml("kinds.yaml")
    let kinds = try [100, 10_000, Int.max].map { most in
      var limits = LayoutLimits()
      limits.itemsMax = most
      return try Kinds(json: json, limits: limits)
    }
    #expect(kinds[0].differences(to: kinds[1]).isEmpty)
    #expect(kinds[1].differences(to: kinds[2]).isEmpty)
    #expect(kinds[2].differences(to: kinds[0]).isEmpty)
  }

  @Test func `what only newer apps get breaks none that are out there`() throws {
    let old = try Demo.text("config/kinds.yaml")
    let wider = old.replacing("stream: {type: string, format: uri, maxLength: 2048}", with: "stream: {type: object}")
    let newer = wider.replacing(
      #"requires: {ios: "5.0", android: "5.1"}"#, with: #"requires: {ios: "9.0", android: "9.0"}"#)
    func broken(_ text: String) throws -> Set<KindsDifference.Party> {
      Set(try Demo.kinds(old).differences(to: Demo.kinds(text)).flatMap(\.breaks))
    }
    #expect(try broken(wider) == [.content, .apps])
    #expect(try broken(newer) == [.content])
  }

  private static let kinds = """
    itemKinds:
      old: {title: Old, content: {type: object}}
      new:
        title: New
        requires: {ios: "6.0", android: "6.0"}
        fallback: {kind: old, content: {text: /title, more: /subtitle}}
        content: {type: object}
    sectionKinds:
      plain: {title: Plain, layout: {style: list}, items: {kinds: [old, new]}}
      stage: {title: Stage, requires: {ios: "6.0"}, fallback: {kind: plain}, layout: {style: list}, items: {kinds: [new]}}
    """

  @Test(arguments: [
    // A fallback that apps of that age do not know is none to them.
    (
      "  old: {title: Old,", "  newest: {title: Newest, content: {type: object}}\n  old: {title: Old,",
      "fallback: {kind: old, content: {text: /title, more: /subtitle}}", "fallback: {kind: newest}",
      ["apps /itemKinds/new/fallback", " /itemKinds/newest"]
    ),
    // A fallback that they cannot draw either.
    (
      "old: {title: Old,", "old: {title: Old, requires: {ios: \"7.0\"},", "ios: \"6.0\", android",
      "ios: \"6.5\", android",
      ["apps /itemKinds/new/requires/ios", "apps /itemKinds/old/requires/ios"]
    ),
    // What the fallback is made of.
    ("more: /subtitle", "more: /title", "", "", [" /itemKinds/new/fallback/content/more"]),
    (", more: /subtitle", "", "", "", ["apps /itemKinds/new/fallback/content/more"]),
    (", content: {text: /title, more: /subtitle}", "", "", "", ["apps /itemKinds/new/fallback/content"]),
    ("fallback: {kind: plain}, ", "", "", "", ["apps /sectionKinds/stage/fallback"]),
    // A style that no kind had, unless only newer apps get it.
    (
      "Plain, layout: {style: list}", "Plain, layout: {style: grid, rows: [2]}", "", "",
      ["apps /sectionKinds/plain/layout/style"]
    ),
    (
      "fallback: {kind: plain}, layout: {style: list}", "fallback: {kind: plain}, layout: {style: grid, rows: [2]}",
      "requires: {ios: \"6.0\"}", "requires: {ios: \"9.0\", android: \"9.0\"}",
      [
        " /sectionKinds/stage/layout/style", " /sectionKinds/stage/requires/android",
        " /sectionKinds/stage/requires/ios",
      ]
    ),
  ])
  func `what apps that are out there get instead is looked at too`(
    text: String, other: String, second: String, secondOther: String, expected: [String]
  ) throws {
    try #require(Self.kinds.contains(text) && (second.isEmpty || Self.kinds.contains(second)))
    var newer = Self.kinds.replacing(text, with: other, maxReplacements: 1)
    if !second.isEmpty { newer = newer.replacing(second, with: secondOther, maxReplacements: 1) }
    let found = try Demo.kinds(Self.kinds).differences(to: Demo.kinds(newer))
    let lines = found.map { difference in
      "\(KindsDifference.Party.allCases.filter(difference.breaks.contains).map(\.rawValue).joined(separator: " and ")) \(difference.place)"
    }
    #expect(lines == expected, "\(found)")
  }

  @Test func `a kind that goes breaks content, and one that comes nobody`() throws {
    let old = try Demo.text("config/kinds.yaml")
    let start = try #require(old.range(of: "  marquee:\n"))
    let end = try #require(old.range(of: "  beltAndRoad:\n"))
    let without = String(old[..<start.lowerBound] + old[end.lowerBound...])
    let (more, less) = (try Demo.kinds(old), try Demo.kinds(without))
    #expect(more.differences(to: less).map(\.breaks) == [[.content]])
    #expect(less.differences(to: more).map(\.breaks) == [[]])
    #expect(more.differences(to: more).isEmpty)
  }
}
