import Foundation
import SeededRandom
import Testing

@testable import HTTPServer

@Suite struct SplitTests {
  @Test(arguments: RequestTable.all)
  func `the events are the same wherever the input is split`(_ line: RequestCase) {
    let input = line.input
    let whole = Feed.events([input[...]])
    for split in stride(from: 0, through: input.count, by: max(1, input.count / 512)) {
      let parts = Feed.events([input[..<split], input[split...]])
      #expect(parts == whole, "split at \(split)")
    }
  }

  @Test(arguments: RequestTable.all.filter { $0.input.count < 2_000 })
  func `the events are the same octet by octet`(_ line: RequestCase) {
    let octets = Feed.events(line.input.indices.map { line.input[$0...$0] })
    #expect(octets == Feed.events([line.input[...]]))
  }

  static let corpus: [URL] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "../Fuzzing/Corpus/requests")
    return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  }()

  @Test func `there is a corpus to fuzz from`() { #expect(!Self.corpus.isEmpty) }

  @Test(arguments: corpus)
  func `what fuzzing starts from has the same events wherever it is split`(_ file: URL) throws {
    let input = [UInt8](try Data(contentsOf: file).dropFirst())
    let whole = Feed.events([input[...]])
    for split in 0...input.count { #expect(Feed.events([input[..<split], input[split...]]) == whole) }
  }

  /// Random changes of the table's lines: cut, doubled, swapped and spliced, with octets that HTTP cares for.
  @Test(arguments: 0..<8)
  func `any input and any split have the same events`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lines = RequestTable.all.filter { $0.input.count < 400 }.map(\.input)
    for _ in 0..<400 {
      let input = random.mutated(lines)
      let whole = Feed.events([input[...]])
      var parts: [ArraySlice<UInt8>] = []
      var rest = input[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...max(1, min(rest.count, 40)), using: &random)
        parts.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(Feed.events(parts) == whole, "\(String(decoding: input, as: UTF8.self).debugDescription)")
    }
  }
}

extension SeededGenerator {
  mutating func mutated(_ lines: [[UInt8]]) -> [UInt8] {
    var input = (lines.randomElement(using: &self) ?? []) + (lines.randomElement(using: &self) ?? [])
    let octets = Array("\r\n\r\n :;,\t\0%?#/0aF".utf8) + [0x7F, 0x80, 0xFF]
    for _ in 0..<Int.random(in: 0...4, using: &self) where !input.isEmpty {
      let place = Int.random(in: 0..<input.count, using: &self)
      switch Int.random(in: 0..<3, using: &self) {
      case 0: input.remove(at: place)
      case 1: input.insert(octets.randomElement(using: &self) ?? 0, at: place)
      default: input[place] = octets.randomElement(using: &self) ?? 0
      }
    }
    return input
  }
}
