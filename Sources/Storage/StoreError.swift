public import JSON
public import Layout

/// Why the store did not do what was asked.
public enum StoreError: Error, Sendable, CustomStringConvertible {
  /// There is no such thing; `known` lists what there is, when that helps.
  case notFound(what: String, name: String, known: [String] = [])
  /// The thing has changed since the caller read it; `nil` when it is not there.
  case stale(Stale?)
  /// The thing is there, and a change of it needs a condition.
  case preconditionRequired
  /// The state does not allow it; the values are what the detail names.
  case conflict(code: String, detail: String, values: JSONObject = [:])
  /// What is to be published waits in a schedule, and the request does not say what becomes of that.
  case waiting([Waiting])
  /// The definition is wrong.
  case invalid([DocumentProblem])
  /// An order that cannot be had.
  case order(OrderError)
  /// The database cannot be used as it is.
  case database(DatabaseFailure)

  /// Describes the newer state than the caller's.
  public struct Stale: Hashable, Sendable {
    /// The entity tag now, quotes included.
    public var tag: String
    /// Who changed it last.
    public var changedBy: String
    /// When.
    public var changedAt: Instant
  }

  /// The problem, in words.
  public var description: String {
    switch self {
    case .notFound(let what, let name, let known):
      "there is no \(what) \"\(name)\"" + (known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))")
    case .stale(nil): "what was to be changed is not there"
    case .stale(let stale?): "it was changed by \(stale.changedBy) at \(stale.changedAt)"
    case .preconditionRequired: "it is there, and a change of it needs a condition"
    case .conflict(_, let detail, _): detail
    case .waiting(let waiting):
      "what is to be published waits in a schedule: "
        + waiting.map { "\($0.places.text) at \($0.at)" }.joined(separator: "; ")
    case .invalid(let problems): problems.map(\.description).joined(separator: "; ")
    case .order(let error): error.description
    case .database(let failure): failure.description
    }
  }

  /// Why the database cannot be used.
  public enum DatabaseFailure: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// No room on the disk.
    case full
    /// The file or its folder may not be written.
    case readOnly = "read-only"
    /// The file is not an SQLite database.
    case notADatabase = "not-a-database"
    /// The file is damaged.
    case corrupt
    /// Another process holds it.
    case locked
    /// Too many changes wait, or they take too long.
    case busy
    /// The file at the path is not the one that is open: it was removed, moved, replaced or written over.
    case gone
    /// The path has no database.
    case missing
    /// The path has no database, but the log of one.
    case logAlone = "log-alone"
    /// It cannot be opened.
    case cannotOpen = "cannot-open"
    /// The connection to the server ended: whether what was under way took place is not known.
    case connectionLost = "connection-lost"
    /// The disk failed while a change was committed: whether it was made is not known.
    case inDoubt = "in-doubt"
    /// The synchronous standby did not confirm the change in time: whether it takes place is not known.
    case unconfirmed
    /// A commit waits for the synchronous standby, and nobody else can change anything meanwhile.
    case standbyMissing = "standby-missing"
    /// Reading or writing failed.
    case inputOutput = "input-output"
    /// The server that keeps the database does not answer, or takes no more connections.
    case unreachable
    /// The server that keeps the database does not let this role do it.
    case notPermitted = "not-permitted"
    /// The server lets this program not in, or has nothing for it: ``Store/unsuitableReason`` says why.
    case unsuitable

    /// The problem, in words.
    public var description: String {
      switch self {
      case .full: "the disk is full"
      case .readOnly: "the database is read-only"
      case .notADatabase: "the file is not an SQLite database"
      case .corrupt: "the database is damaged"
      case .locked: "the database is locked by another process"
      case .busy: "the database is busy"
      case .gone: "the database file was removed, moved, replaced or overwritten"
      case .missing: "there is no database"
      case .logAlone: "there is no database, but the log of one beside it (-wal)"
      case .cannotOpen: "the database cannot be opened"
      case .connectionLost:
        "the connection to the server that keeps the database was lost; whether the change was made is not known"
      case .inDoubt: "the disk failed while the change was committed; whether it was made is not known"
      case .unconfirmed:
        "the synchronous standby of the database did not confirm the change; whether it was made is not known"
      case .standbyMissing:
        "the synchronous standby of the database is missing: a commit waits for it, and nothing else can be changed"
      case .inputOutput: "the database cannot be read or written"
      case .unreachable: "the server that keeps the database does not answer"
      case .notPermitted: "the database's server does not let this role do that"
      case .unsuitable:
        "the server that keeps the database answers, and this program cannot use it; /status and the log say why"
      }
    }

    /// Whether the server that keeps the database cannot be asked now, and may be later.
    public var isAway: Bool {
      [.unreachable, .connectionLost, .unconfirmed, .standbyMissing, .busy, .unsuitable].contains(self)
    }
  }
}

extension StoreError {
  /// Whether a change that ends with an error may have been made.
  static func leavesInDoubt(_ error: any Error) -> Bool {
    guard case StoreError.database(let failure) = error else { return false }
    return [.connectionLost, .inDoubt, .unconfirmed].contains(failure)
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
