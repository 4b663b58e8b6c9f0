/// A string as a name: the same as another when the code points are, in the order of its UTF-8 bytes (RFC 8259 §8.3).
///
/// Swift's own `String` takes canonically equivalent strings for equal, so that a dictionary or set of them keeps one of
/// `é` and `e` with an accent, and their order depends on a version of Unicode.
public struct ExactString: Hashable, Comparable, Sendable {
  /// The string.
  public let string: String

  /// A name.
  public init(_ string: String) { self.string = string }

  /// Whether the code points are the same.
  public static func == (left: ExactString, right: ExactString) -> Bool { JSON.isSame(left.string, right.string) }

  /// Whether the bytes of one come before those of another.
  public static func < (left: ExactString, right: ExactString) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    // No byte of UTF-8: names one after the other are not the same as one of all their bytes.
    hasher.combine(0xFF as UInt8)
  }
}

extension ExactString: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A name.
  public init(stringLiteral value: String) { self.init(value) }
  /// The string.
  public var description: String { string }
}
