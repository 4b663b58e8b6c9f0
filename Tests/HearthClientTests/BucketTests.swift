import Foundation
import HearthClient
import JSON
import Testing

@Suite struct BucketTests {
  /// An id, a salt, a bucket: of each case.
  private static func cases() throws -> [(id: String, salt: String, bucket: Int)] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("ClientCases/protocol/buckets.json")
    let cases = try #require(try JSON.parse([UInt8](Data(contentsOf: file)))["cases"]?.array)
    return try cases.map { aCase in
      (
        try #require(aCase["id"]?.string), try #require(aCase["salt"]?.string),
        try #require(aCase["bucket"]?.int)
      )
    }
  }

  @Test func `a device's bucket is that of the cases`() throws {
    let cases = try Self.cases()
    #expect(cases.count >= 12)
    for aCase in cases {
      #expect(Bucket.of(deviceID: aCase.id, salt: aCase.salt) == aCase.bucket, "\(aCase)")
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
