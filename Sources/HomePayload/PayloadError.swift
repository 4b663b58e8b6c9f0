/// Why a payload cannot be used.
public struct PayloadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the document, as a JSON Pointer (RFC 6901).
  public var pointer: String
  /// What is wrong.
  public var detail: String

  /// An error at a place.
  public init(_ pointer: String, _ detail: String) {
    self.pointer = pointer
    self.detail = detail
  }

  /// The place and what is wrong there.
  public var description: String { pointer.isEmpty ? detail : "\(pointer): \(detail)" }
}
