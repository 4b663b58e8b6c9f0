import Foundation
import Layout
import Testing

/// What the heads of pictures tell of their size.
@Suite struct PictureTests {
  private static func bytes(_ base64: String) throws -> [UInt8] { [UInt8](try #require(Data(base64Encoded: base64))) }

  /// A PNG's head, of any size.
  static func png(width: UInt32, height: UInt32) -> [UInt8] {
    func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13) + Array("IHDR".utf8) + big(width) + big(height)
      + [8, 6, 0, 0, 0]
  }

  @Test func `each format tells its size`() throws {
    let gif = "R0lGODlhAwACAIAAAP///wAAACwAAAAAAwACAAACAoRdADs="
    let lossless =
      Array("RIFF".utf8) + [26, 0, 0, 0] + Array("WEBPVP8L".utf8) + [13, 0, 0, 0, 0x2F, 0x02, 0x40, 0x00, 0x00]
    let extended =
      Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0] + [0x1F, 0x03, 0]
      + [0x57, 0x02, 0]
    let lossy =
      Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [10, 0, 0, 0] + [0, 0, 0] + [0x9D, 0x01, 0x2A]
      + [0x40, 0x01, 0xF0, 0x00]
    let png = try #require(Picture(Self.png(width: 375, height: 160)))
    #expect((png.format, png.width, png.height) == (.png, 375, 160))
    let small = try #require(Picture(try Self.bytes(gif)))
    #expect((small.format, small.width, small.height) == (.gif, 3, 2))
    #expect(Picture(lossless).map { [$0.width, $0.height] } == [3, 2])
    #expect(Picture(extended).map { [$0.width, $0.height] } == [800, 600])
    #expect(Picture(lossy).map { [$0.width, $0.height] } == [320, 240])
  }

  @Test func `a JPEG that is shown turned tells the size that is shown`() throws {
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 100, 0, 200, 1, 1, 0x11, 0]
    #expect(Picture([0xFF, 0xD8] + frame).map { [$0.width, $0.height] } == [200, 100])
    let exif =
      Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    let turned: [UInt8] = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
    #expect(Picture([0xFF, 0xD8] + turned + frame).map { [$0.width, $0.height] } == [100, 200])
  }

  @Test func `an AVIF tells the greatest of its extents, turned when it says so`() throws {
    func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(8 + body.count)] + Array(name.utf8) + body
    }
    func extent(_ width: UInt8, _ height: UInt8) -> [UInt8] {
      box("ispe", [0, 0, 0, 0] + [0, 0, 0, width] + [0, 0, 0, height])
    }
    func file(_ properties: [UInt8]) -> [UInt8] {
      box("ftyp", Array("avif".utf8) + [0, 0, 0, 0]) + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", properties)))
    }
    #expect(Picture(file(extent(64, 64) + extent(200, 100))).map { [$0.width, $0.height] } == [200, 100])
    #expect(Picture(file(extent(200, 100) + box("irot", [1]))).map { [$0.width, $0.height] } == [100, 200])
  }

  @Test func `what is no picture is none, and nothing that is cut off or overflows traps`() throws {
    #expect(Picture([]) == nil)
    #expect(Picture(Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>".utf8)) == nil)
    #expect(Picture(Self.png(width: 0, height: 1)) == nil)
    #expect(Picture(Self.png(width: .max, height: .max)) == nil)
    let whole =
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 40] + Array("Exif".utf8) + [0, 0] + Array("II".utf8) + [
        42, 0, 0xFF, 0xFF, 0xFF, 0xFF,
      ]
    for length in 0...whole.count { #expect(Picture(Array(whole.prefix(length))) == nil) }
    var generator = SystemRandomNumberGenerator()
    let heads: [[UInt8]] = [
      Self.png(width: 1, height: 1), [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("RIFF....WEBPVP8X".utf8),
      [0, 0, 0, 16] + Array("ftypavif".utf8) + [0, 0, 0, 0, 0, 0, 0, 90] + Array("meta".utf8),
    ]
    for head in heads {
      for _ in 0..<2_000 {
        _ = Picture(head + (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
      }
    }
  }

  @Test func `a name is a hash and a format, and is found in whatever stands around it`() throws {
    let name = AssetName(of: [1, 2, 3], format: .webp)
    #expect(AssetName(name.description) == name)
    #expect(AssetName(url: name.url) == name)
    for text in ["", name.hash, "\(name.hash).svg", "\(name.hash).WEBP", "\(name.hash.uppercased()).webp", "x\(name)"] {
      #expect(AssetName(text) == nil, "\(text)")
    }
    let other = AssetName(of: [4], format: .png)
    let text = #"{"a":"\#(name.url)","b":["https://cdn.example\#(other.url)?x"],"c":"/v1/assets/"}"#
    #expect(AssetName.mentioned(in: text) == [name, other])
    #expect(AssetName.mentioned(in: String(name.url.dropLast())) == [])
  }
}
