/// The hundredth of all devices that this one is in, by which audiences and experiments are cut.
///
/// The device computes it, so that no id leaves the device and all devices of a bucket share one cached page.
public enum Bucket {
  /// The bucket of a device: the first eight bytes, big-endian, of the SHA-256 of `salt:id` modulo 100.
  ///
  /// The same on every platform and for ever; Tests/ClientCases/protocol/buckets.json has cases.
  ///
  /// - Parameters:
  ///   - deviceID: An id that the device keeps. `A` to `Z` count as `a` to `z`, as platforms differ in how they write
  ///     one and the same UUID.
  ///   - salt: What deals the buckets anew, such as a season's name; without one the id stands alone.
  /// - Returns: 0 to 99.
  public static func of(deviceID: String, salt: String = "") -> Int {
    let id = deviceID.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let input = salt.isEmpty ? id : Array(salt.utf8) + [UInt8(ascii: ":")] + id
    let number = Digest.sha256(input).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(number % 100)
  }
}
