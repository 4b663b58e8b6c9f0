/// How large definitions may be.
public struct LayoutLimits: Hashable, Sendable {
  /// Sections a page.
  public var sectionsMax = 500
  /// Items a section, children not counted.
  public var itemsMax = 10_000
  /// Levels of children below an item.
  public var childrenDepthMax = 8
  /// Sort rules a page.
  public var sortRulesMax = 64
  /// Named audiences in all.
  public var audiencesMax = 1_000
  /// Scheduled publishes a page. A push goes into each.
  public var scheduledMax = 100
  /// Conditions nested in a predicate.
  public var predicateDepthMax = 16
  /// Objects and arrays nested in the content of an item, or in what its action tracks: so that a page, its change sets
  /// and the document that holds it stay within what readers of JSON take.
  public var valueDepthMax = 24
  /// The gzip'd bytes of a page above which lint warns.
  public var pageBytesMax = 256 * 1024

  /// The range of an index.
  public static let indexRange = -1_000_000...1_000_000
  /// The range of a sort rule's priority.
  public static let priorityRange = -1_000_000...1_000_000
  /// The range of a poll interval, in seconds.
  public static let pollIntervalRange = 1...86_400
  /// The range of the seconds for which a section's content counts after a push: two minutes to thirty days.
  public static let freshForRange = 120...2_592_000

  /// The default limits.
  public init() {}
}

/// What a definition is read against: the declared client attributes and the limits.
public struct DefinitionContext: Sendable {
  /// The client attributes that predicates may name, by name, the built-in ones among them.
  public var attributes: [String: AttributeDeclaration]
  /// How large definitions may be.
  public var limits: LayoutLimits

  /// A context with the built-in attributes and further ones.
  public init(attributes: [AttributeDeclaration] = [], limits: LayoutLimits = LayoutLimits()) {
    let all = AttributeDeclaration.builtIn + attributes
    self.attributes = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    self.limits = limits
  }
}

extension DefinitionContext {
  /// The context for what is stored: it was checked when it was written, by limits that may have changed since.
  public var withoutLimits: DefinitionContext {
    var context = self
    context.limits.sectionsMax = .max
    context.limits.itemsMax = .max
    context.limits.childrenDepthMax = .max
    context.limits.sortRulesMax = .max
    context.limits.audiencesMax = .max
    context.limits.predicateDepthMax = .max
    context.limits.valueDepthMax = .max
    return context
  }
}
