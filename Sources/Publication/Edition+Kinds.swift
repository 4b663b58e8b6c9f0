import Layout

extension Edition {
  /// The kinds that the revision uses and that this process does not know, so that clients do not get what is of them:
  /// another process published it, with other kinds.
  public var unknownKinds: [String] { plan.kinds.unknown(in: plan.definition) }
}
