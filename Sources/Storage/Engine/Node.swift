public import Layout

/// A process that serves a database, as it tells the others.
public struct Node: Hashable, Sendable {
  /// What tells it from the others, and from the process that was there before it: 1 to 64 characters.
  public var instance: String
  /// What operators call it.
  public var name: String
  /// Where clients reach it, HOST:PORT.
  public var address: String
  /// When it started, by its own clock.
  public var since: Instant
  /// The version of its program.
  public var version: String
  /// The number of the newest migration that it knows.
  public var schema: Int
  /// The edition of each page that all of its loops serve.
  public var pages: [String: EditionNumber]
  /// Why it cannot serve what the database has; `nil` where it can.
  public var problem: Problem?

  /// Why a node cannot serve what the database has.
  public struct Problem: Hashable, Sendable {
    /// The reason's code, one of docs/errors.md.
    public var code: String
    /// The reason, of at most 500 characters.
    public var text: String

    /// A reason.
    public init(code: String, text: String) {
      self.code = code
      self.text = text
    }
  }

  /// A node.
  public init(
    instance: String, name: String, address: String, since: Instant, version: String, schema: Int,
    pages: [String: EditionNumber] = [:]
  ) {
    self.instance = instance
    self.name = name
    self.address = address
    self.since = since
    self.version = version
    self.schema = schema
    self.pages = pages
  }
}

/// A node of a database, and when the database heard of it last.
public struct SeenNode: Hashable, Sendable {
  /// Its report then.
  public var node: Node
  /// How long ago that was, by the database's clock.
  public var silence: Duration
}

extension Store {
  /// Tells the other nodes of the database what this one serves.
  ///
  /// - Parameter isFirst: Whether it has just started: a process of its name and address that was there before it is gone.
  /// - Returns: The nodes that were heard of within an hour, by name and address; `nil` where one process alone can serve
  ///   the database.
  public func announce(_ node: Node, isFirst: Bool) async throws -> [SeenNode]? {
    try await cluster?.announce(node, isFirst: isFirst)
  }

  /// The nodes that were heard of within an hour; `nil` where one process alone can serve the database.
  ///
  /// - Parameter deadline: Bounds the wait for the server, which is never longer than some seconds.
  public func nodes(until deadline: ContinuousClock.Instant) async throws -> [SeenNode]? {
    try await cluster?.nodes(until: deadline)
  }

  /// Tells the other nodes that one has ended.
  public func withdraw(_ instance: String) async throws { try await cluster?.withdraw(instance) }
}
