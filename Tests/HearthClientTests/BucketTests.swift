import Foundation
import HearthClient
import Testing

@Suite struct BucketTests {
  private static let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/client.md")

  /// The rows of the table of vectors: an id, a salt, a bucket.
  private static func vectors() throws -> [(id: String, salt: String, bucket: Int)] {
    let text = try String(contentsOf: guide, encoding: .utf8)
    let table = text.components(separatedBy: "| device id | salt | bucket |\n").dropFirst().first ?? ""
    return table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }.compactMap { line in
      let cells = line.split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces).trimmingCharacters(in: CharacterSet(charactersIn: "`"))
      }
      guard cells.count == 3, let bucket = Int(cells[2]) else { return nil }
      return (cells[0], cells[1], bucket)
    }
  }

  @Test func `a device's bucket is that of the documented vectors`() throws {
    let vectors = try Self.vectors()
    #expect(vectors.count >= 12)
    for vector in vectors {
      #expect(Bucket.of(deviceID: vector.id, salt: vector.salt) == vector.bucket, "\(vector)")
    }
  }

  @Test func `buckets are even, and another salt deals them anew`() {
    var counts = [Int](repeating: 0, count: 100)
    var alike = 0
    for number in 0..<100_000 {
      let bucket = Bucket.of(deviceID: "device-\(number)", salt: "a")
      counts[bucket] += 1
      if bucket == Bucket.of(deviceID: "device-\(number)", salt: "b") { alike += 1 }
    }
    // A thousand each, five standard deviations either way.
    #expect(counts.allSatisfy { (840...1_160).contains($0) })
    #expect((840...1_160).contains(alike))
  }
}
