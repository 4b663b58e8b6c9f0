import Foundation
import HearthClient
import JSON
import Testing

@testable import HomePayload

/// The cases of Tests/LayoutCases, as Tests/TypeScriptClient/layout.test.mjs runs them.
@Suite struct SectionFramesTests {
  private static func cases() throws -> [JSON] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: folder.appendingPathComponent("LayoutCases/sections.json"))
    return try JSON.parse([UInt8](data)).array ?? []
  }

  @Test func `cells are where the cases say`() throws {
    let cases = try Self.cases()
    #expect(cases.count > 20)
    for aCase in cases {
      let name = Comment(rawValue: aCase["name"]?.string ?? "")
      let section = try Section.required(#require(aCase["section"]))
      let heights = aCase["heights"]
      let frames = SectionFrames(
        section, width: aCase["width"]?.number?.double ?? 0, scale: aCase["scale"]?.number?.double,
        measuring: { item, _ in heights?[item.id]?.number?.double ?? 0 },
        measuringWidth: { aCase["widths"]?[$0.id]?.number?.double ?? 0 })
      let cells = frames.cells.map { cell in
        [cell.part.rawValue, cell.item?.id ?? "null"] + [cell.x, cell.y, cell.width, cell.height].map(Self.rounded)
      }
      let expected = (aCase["cells"]?.array ?? []).map { cell in
        (cell.array ?? []).map { $0.string ?? $0.number.map { Self.rounded($0.double) } ?? "null" }
      }
      #expect(cells == expected, name)
      #expect(Self.rounded(frames.height) == Self.rounded(aCase["height"]?.number?.double ?? -1), name)
    }
  }

  /// Points that no screen can tell apart are the same.
  private static func rounded(_ points: Double) -> String { String((points * 1_000_000).rounded() / 1_000_000) }
}
