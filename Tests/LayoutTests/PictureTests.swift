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

  @Test func `the largest of what a picture says counts, and what holds more than it says is no picture`() throws {
    func size(_ bytes: [UInt8]) -> [Int]? { Picture(bytes).map { [$0.width, $0.height] } }
    func little(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }

    // A frame of a GIF that reaches beyond its screen, behind a comment and a table of colours.
    let screen = Array("GIF89a".utf8) + [3, 0, 2, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    func frame(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> [UInt8] {
      [0x2C] + little(left, 2) + little(top, 2) + little(width, 2) + little(height, 2) + [0x80] + [0, 0, 0, 9, 9, 9]
        + [2, 2, 0x84, 0x5D, 0]
    }
    let comment: [UInt8] = [0x21, 0xFE, 2, 0x2C, 0x2C, 0]
    #expect(size(screen + comment + frame(0, 0, 3, 2) + [0x3B]) == [3, 2])
    #expect(size(screen + comment + frame(0, 0, 3, 2) + frame(10, 20, 4000, 5000) + [0x3B]) == [4010, 5020])

    // Chunks of a WebP.
    func webp(_ chunks: [(String, [UInt8])]) -> [UInt8] {
      var body: [UInt8] = []
      for (name, data) in chunks {
        body += Array(name.utf8) + little(data.count, 4) + data
        if data.count % 2 == 1 { body.append(0) }
      }
      return Array("RIFF".utf8) + little(4 + body.count, 4) + Array("WEBP".utf8) + body
    }
    func canvas(_ width: Int, _ height: Int) -> (String, [UInt8]) {
      ("VP8X", [0, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }
    func lossless(_ width: Int, _ height: Int) -> (String, [UInt8]) {
      ("VP8L", [0x2F] + little(width - 1 | (height - 1) << 14, 4))
    }
    func animated(_ left: Int, _ width: Int, _ height: Int, _ inner: (String, [UInt8])) -> (String, [UInt8]) {
      let chunk = Array(inner.0.utf8) + little(inner.1.count, 4) + inner.1
      return (
        "ANMF", little(left, 3) + [0, 0, 0] + little(width - 1, 3) + little(height - 1, 3) + [0, 0, 0, 0] + chunk
      )
    }
    #expect(size(webp([canvas(80, 60), lossless(80, 60)])) == [80, 60])
    #expect(size(webp([canvas(8, 6), ("ALPH", [0]), lossless(8000, 6000)])) == nil)
    #expect(size(webp([lossless(8, 6), lossless(8000, 6000)])) == nil)
    #expect(size(webp([canvas(80, 60), animated(10, 60, 60, lossless(60, 60))])) == [80, 60])
    #expect(size(webp([canvas(80, 60), animated(11, 60, 60, lossless(60, 60))])) == nil)
    #expect(size(webp([canvas(80, 60), animated(0, 60, 60, lossless(6000, 60))])) == nil)

    // Frames of a JPEG, one of them behind a scan.
    func sof(_ marker: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
      [0xFF, marker, 0, 11, 8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
    }
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4]
    let end: [UInt8] = [0xFF, 0xD9]
    #expect(size([0xFF, 0xD8] + sof(0xC0, 200, 100) + scan + scan + end) == [200, 100])
    #expect(size([0xFF, 0xD8] + sof(0xC0, 200, 100) + sof(0xC0, 9000, 9000) + scan + end) == nil)
    #expect(size([0xFF, 0xD8] + sof(0xC0, 200, 100) + scan + sof(0xC5, 9000, 9000) + end) == nil)
    #expect(size([0xFF, 0xD8] + sof(0xDE, 9000, 9000) + sof(0xC0, 200, 100) + scan + end) == nil)

    // An AVIF whose extent is less than its grid, its bitstream or its track.
    func box(_ name: String, _ body: [UInt8]) -> [UInt8] { big(8 + body.count, 4) + Array(name.utf8) + body }
    func extent(_ width: Int, _ height: Int) -> [UInt8] { box("ispe", big(0, 4) + big(width, 4) + big(height, 4)) }
    /// A reduced sequence header: 5 + 5 bits, twice 4 bits that say 16, then both sides less one.
    func sequence(_ width: Int, _ height: Int) -> [UInt8] {
      let bits = [0b000_1_1, 0b00000, 15, 15, width - 1, height - 1]
      let text =
        zip(bits, [5, 5, 4, 4, 16, 16]).map { value, count in
          String(repeating: "0", count: count - String(value, radix: 2).count) + String(value, radix: 2)
        }.joined() + "000000"
      let octets = stride(from: 0, to: text.count, by: 8).compactMap { UInt8(text.dropFirst($0).prefix(8), radix: 2) }
      return [0x12, 0, 0x0A, UInt8(octets.count)] + octets
    }
    func file(_ properties: [UInt8], type: String = "av01", idat: [UInt8] = [], movie: [UInt8] = []) -> [UInt8] {
      let entry = box("infe", big(2 << 24, 4) + big(7, 2) + big(0, 2) + Array(type.utf8) + [0])
      let place =
        [1, 0, 0, 0, 0x44, 0] + big(1, 2) + big(7, 2) + big(1, 2) + big(0, 2) + big(1, 2) + big(0, 4)
        + big(idat.count, 4)
      return box("ftyp", Array("avif".utf8) + [0, 0, 0, 0])
        + box(
          "meta",
          [0, 0, 0, 0] + box("iinf", big(0, 4) + big(1, 2) + entry) + box("iloc", place) + box("idat", idat)
            + box("iprp", box("ipco", properties))) + movie
    }
    let configuration = { (header: [UInt8]) in box("av1C", [0x81, 0, 0, 0] + header) }
    #expect(size(file(extent(640, 480), idat: sequence(640, 480))) == [640, 480])
    #expect(size(file(extent(64, 48), idat: sequence(6400, 4800))) == nil)
    #expect(size(file(extent(64, 48) + configuration(sequence(6400, 4800)))) == nil)
    #expect(size(file(extent(64, 48) + extent(70_000, 1))) == nil)
    #expect(size(file(extent(640, 480), type: "grid", idat: [0, 0, 1, 1] + big(640, 2) + big(480, 2))) == [640, 480])
    #expect(size(file(extent(64, 48), type: "grid", idat: [0, 1, 1, 1] + big(6400, 4) + big(4800, 4))) == nil)
    let sample = box(
      "av01", [UInt8](repeating: 0, count: 24) + big(6400, 2) + big(4800, 2) + [UInt8](repeating: 0, count: 50))
    let track = box("trak", box("mdia", box("minf", box("stbl", box("stsd", big(0, 4) + big(1, 4) + sample)))))
    #expect(size(file(extent(64, 48), movie: box("moov", track))) == nil)
    #expect(size(file(extent(6400, 4800), movie: box("moov", track))) == [6400, 4800])
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
