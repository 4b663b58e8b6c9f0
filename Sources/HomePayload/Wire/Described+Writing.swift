extension Described {
  func append(to bytes: inout [UInt8]) {
    var writer = MemberWriter(root: self)
    swap(&writer.bytes, &bytes)
    writer.bytes.append(UInt8(ascii: "{"))
    Self.describe(&writer)
    writer.bytes.append(UInt8(ascii: "}"))
    swap(&writer.bytes, &bytes)
  }

  /// The canonical bytes.
  var wireBytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }
}

/// Writes the members in their order.
private struct MemberWriter<Root>: MemberWalk {
  var bytes: [UInt8] = []
  let root: Root
  private(set) var isFirst = true

  @inline(__always)
  mutating func callAsFunction<Value: WireValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ traits: MemberTraits
  ) {
    let value = root[keyPath: path]
    if value.isAbsent, !traits.contains(.filled) { return }
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    // A name in the code needs no escape, and its bytes live as long as the program.
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    value.append(to: &bytes)
  }
}
