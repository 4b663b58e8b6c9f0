import Foundation
import JSON
import Testing

@testable import Serving

@Suite struct JournalTests {
  private let file = JournalFile(path: NSTemporaryDirectory() + "/hearth-journal-\(UUID().uuidString)", setup: "setup")

  private static func record(_ number: Int, epoch: Int = 3, setup: String = "setup") -> [UInt8] {
    JournalRecord.bytes(
      epoch, setup, ["number": .number(JSONNumber(number))],
      [Array("piece \(number)".utf8), [UInt8](repeating: 10, count: 300)])
  }

  private func read(_ file: JournalFile) -> [Int] {
    file.read().records.compactMap { $0.contents.document["number"]?.int }
  }

  @Test func `records are read as they were written, over what was there before`() throws {
    defer { try? FileManager.default.removeItem(atPath: file.path) }
    #expect(read(file).isEmpty)
    var end = 0
    for number in 1...5 {
      try file.write(Self.record(number), at: end)
      end += Self.record(number).count
      #expect(file.read().end == end)
    }
    #expect(read(file) == [1, 2, 3, 4, 5])
    #expect(
      file.read().records.map { Array($0.contents.pieces.prefix(7)) } == (1...5).map { Array("piece \($0)".utf8) })
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // The next turn begins at the beginning, and what it has not reached yet is of the one before.
    try file.write(Self.record(6, epoch: 4), at: 0)
    #expect(read(file) == [6])
    try file.write(Self.record(7, epoch: 4), at: Self.record(6, epoch: 4).count)
    #expect(read(file) == [6, 7])
    #expect(file.read().dropped == nil)
    // A record of this turn ends anywhere in those of the one before, and nothing is torn by that.
    for size in stride(from: 1, to: 700, by: 7) {
      let piece = [UInt8](repeating: 33, count: size)
      try file.write(JournalRecord.bytes(5, "setup", ["number": 8], [piece]), at: 0)
      #expect(read(file) == [8] && file.read().dropped == nil, "\(size)")
    }
  }

  @Test func `what is torn, changed or foreign ends the journal there`() throws {
    defer { try? FileManager.default.removeItem(atPath: file.path) }
    let (first, second) = (Self.record(1), Self.record(2))
    for length in 0..<second.count {
      for filling in [0, 5_000] {
        let bytes = first + second.prefix(length) + [UInt8](repeating: 0, count: filling)
        try Data(bytes).write(to: URL(fileURLWithPath: file.path))
        #expect(read(file) == [1], "\(length)")
        // The first letters of a record may be anything.
        let dropped = file.read().dropped?.description
        if length >= 8 {
          #expect(dropped?.contains("\(file.path): the record at byte \(first.count) is torn or damaged") == true)
          #expect(dropped?.hasSuffix("the 1 before it are used") == true)
        } else {
          #expect(dropped == nil, "\(length)")
        }
      }
    }
    for place in stride(from: 0, to: second.count, by: 3) {
      var changed = second
      changed[place] ^= 0x20
      try Data(first + changed).write(to: URL(fileURLWithPath: file.path))
      #expect(read(file) == [1], "\(place)")
      // What it begins with tells it from what was there before, as far as it goes before nothing.
      let isTold = place >= "hearth-journal 1 3 setup ".utf8.count || place >= 8 && changed[place] == 0
      #expect((file.read().dropped != nil) == isTold, "\(place)")
    }
    // Nor is the first of a file kept from being told.
    try Data(first.dropLast(10)).write(to: URL(fileURLWithPath: file.path))
    #expect(read(file).isEmpty && file.read().dropped != nil)
    for foreign in [Self.record(2, setup: "another"), Array("\n\n\n".utf8), [UInt8](repeating: 0, count: 1_000)] {
      try Data(foreign + second).write(to: URL(fileURLWithPath: file.path))
      #expect(read(file).isEmpty && file.read().dropped == nil)
    }
    let folder = JournalFile(path: NSTemporaryDirectory(), setup: "setup")
    #expect(read(folder).isEmpty && folder.read().dropped?.description.hasSuffix("is no file") == true)
    #expect(throws: FileFailure.self) { try folder.write(first, at: 0) }
  }
}
