/// Why bytes are not the JSON that is asked for, and where.
public struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var detail: String
  /// The offset in bytes, from 0.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int
  /// The value that was being read.
  public var pointer: JSONPointer

  /// The sentence with its place.
  public var description: String { "line \(line), column \(column): \(detail)" }
}
