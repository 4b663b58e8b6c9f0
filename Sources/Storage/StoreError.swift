public import Layout

/// Why the store did not do what was asked.
public enum StoreError: Error, Sendable {
  /// There is no such thing; `known` lists what there is, when that helps.
  case notFound(what: String, name: String, known: [String])
  /// The thing has changed since the caller read it; `nil` when it is not there.
  case stale(Stale?)
  /// The thing is there, and a change of it needs a condition.
  case preconditionRequired
  /// The state does not allow it.
  case conflict(code: String, detail: String)
  /// The definition is wrong.
  case invalid([DocumentProblem])
  /// An order that cannot be had.
  case order(OrderError)
  /// The database cannot be used as it is.
  case database(DatabaseFailure)

  /// What is newer than the caller thought.
  public struct Stale: Hashable, Sendable {
    /// The entity tag now, quotes included.
    public var tag: String
    /// Who changed it last.
    public var changedBy: String
    /// When.
    public var changedAt: Instant
  }

  /// Why the database cannot be used.
  public enum DatabaseFailure: String, Hashable, Sendable {
    /// No room on the disk.
    case full
    /// The file or its folder may not be written.
    case readOnly = "read-only"
    /// The file is not an SQLite database.
    case notADatabase = "not-a-database"
    /// The file is damaged.
    case corrupt
    /// The file is shorter than it was.
    case truncated
    /// Another process holds it.
    case locked
    /// As many changes wait as may wait, or they take too long.
    case busy
    /// The file at the path is not the one that is open: it was removed, moved, replaced or written over.
    case gone
    /// There is no database at the path.
    case missing
    /// There is no database at the path, but the log of one.
    case logAlone = "log-alone"
    /// It cannot be opened.
    case cannotOpen = "cannot-open"
    /// Reading or writing failed.
    case inputOutput = "input-output"
  }
}

/// Who acts.
public struct Actor: Hashable, Sendable {
  /// The token's name, or what the process calls itself.
  public var name: String
  /// The token's selector.
  public var token: String?
  /// The address that the request came from.
  public var address: String?
  /// The request's id.
  public var request: String?

  /// An actor.
  public init(name: String, token: String? = nil, address: String? = nil, request: String? = nil) {
    self.name = name
    self.token = token
    self.address = address
    self.request = request
  }
}
