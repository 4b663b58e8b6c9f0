import Compression
import Testing

/// What is kept is counted by its length, so that it must not take more room than that.
@Suite struct KeptBytesTests {
  @Test(arguments: [1, 100, 10_000, 1_000_000])
  func `a compressed body takes the room of what it holds, and not of what it was made of`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) }
    let gzip = Gzip.compress(bytes)
    for compressed in [gzip, Brotli.compressQuickly(bytes)] {
      // What malloc rounds up to.
      #expect(compressed.capacity <= compressed.count + max(64, compressed.count / 8))
    }
    #expect(Gzip.decompress(gzip, size: count) == bytes)
  }
}
