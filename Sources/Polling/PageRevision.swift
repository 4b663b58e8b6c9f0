/// Which edition of a page an answer is of: the server's generation, and the revision in it.
public struct PageRevision: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// How often the server's history was cut, from 1.
  public var generation: Int
  /// The revision's number, from 1.
  public var number: Int

  /// An edition.
  public init(generation: Int, number: Int) {
    self.generation = generation
    self.number = number
  }

  /// What `Hearth-Revision` says: `1.42`; `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard parts.count == 2, let generation = parts[0], let number = parts[1] else { return nil }
    self.init(generation: generation, number: number)
  }

  /// As `Hearth-Revision` has it.
  public var description: String { "\(generation).\(number)" }

  /// Whether one comes before the other.
  public static func < (left: PageRevision, right: PageRevision) -> Bool {
    (left.generation, left.number) < (right.generation, right.number)
  }
}
