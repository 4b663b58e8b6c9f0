/// What clients can ask for of a page.
public enum Resource: Hashable, Sendable {
  /// The assembled page.
  case page
  /// The sort rule that applies (S1.3).
  case sortRule
  /// One section as it stands in the page (S1.3, S5.5).
  case section(String)
}
