/// The order of editions: by generation, which rises when an operator says that history was cut, and then by revision.
public struct EditionNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The database's generation: 1 at first, later mostly the seconds since 1970.
  public var generation: Int
  /// The revision's number, from 1.
  public var revision: Int

  /// A number.
  public init(generation: Int, revision: Int) {
    self.generation = generation
    self.revision = revision
  }

  /// As `Hearth-Revision` has it: `1.42`.
  public var description: String { "\(generation).\(revision)" }

  /// Whether one comes before the other.
  public static func < (left: EditionNumber, right: EditionNumber) -> Bool {
    (left.generation, left.revision) < (right.generation, right.revision)
  }
}
