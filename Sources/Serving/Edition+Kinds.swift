import Layout

extension Edition {
  /// The revision's kinds that this process does not know, since another process published it with other kinds. Clients
  /// do not get what uses them.
  public var unknownKinds: [String] { plan.kinds.unknown(in: plan.definition) }

  /// The kinds that some clients of the page do not get until that is lifted, such as `items/banner`. A revision keeps what
  /// was withheld when it was made; of that the kinds that the page may show.
  public var withheldKinds: [String] {
    let (definition, kinds) = (plan.definition, plan.kinds)
    return definition.withheld.filter { kinds.mayShow($0.family, $0.kind, on: definition) }.map(\.name)
  }
}
