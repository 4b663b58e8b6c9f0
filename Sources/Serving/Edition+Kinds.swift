import Layout

extension Edition {
  /// The kinds that the revision uses and that this process does not know, so that clients do not get what is of them:
  /// another process published it, with other kinds.
  public var unknownKinds: [String] { plan.kinds.unknown(in: plan.definition) }

  /// The kinds that some clients of the page do not get until that is lifted, such as `items/banner`. A revision keeps what
  /// was withheld when it was made; of that the kinds that the page may show.
  public var withheldKinds: [String] {
    let (definition, kinds) = (plan.definition, plan.kinds)
    return definition.withheld.filter { kinds.mayShow($0.family, $0.kind, on: definition) }.map(\.name)
  }
}
