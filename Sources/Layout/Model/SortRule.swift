/// A named map from section id to index (S1.2).
public struct SortRule: Hashable, Sendable {
  /// The name of the rule that every page has.
  public static let defaultName = "default"

  /// The rule's name, a slug.
  public var name: String
  /// The index of each section that the rule lists; the others take the default rule's.
  public var indices: [String: Int]
  /// Who the rule applies to. The default rule has none; any other must have one.
  public var audience: Predicate?
  /// When the rule applies; always when absent.
  public var schedule: Schedule?
  /// Among the rules that apply, the one with the highest priority wins; equal ones by name.
  public var priority: Int

  /// A rule.
  public init(
    name: String, indices: [String: Int] = [:], audience: Predicate? = nil, schedule: Schedule? = nil, priority: Int = 0
  ) {
    self.name = name
    self.indices = indices
    self.audience = audience
    self.schedule = schedule
    self.priority = priority
  }
}
