/// Why PostgreSQL did not do what was asked. It holds no password, and no value that was sent.
public struct PostgreSQLError: Error, Hashable, Sendable {
  /// What kind of failure it is.
  public enum Kind: Hashable, Sendable {
    /// libpq is not on this machine, or is too old.
    case libraryMissing
    /// The connection string cannot be read, or libpq does not take a value in it, or in a variable `PG*`.
    case connectionString
    /// No server answers, or none that takes connections now; nothing has happened.
    case unreachable
    /// The server does not let this role in, or has no such database; or libpq does not go on with it, for want of a password
    /// or a certificate.
    case refused
    /// The server is too old, or the database's encoding is not UTF8.
    case unsuitable
    /// The server, the role or the database has as many connections as it may have.
    case tooManyConnections
    /// No connection of the pool became free in time, or as many wait as may wait; nothing has happened.
    case busy
    /// The connection ended, or the server did not answer in time. Whether a commit that was under way took place is not
    /// known.
    case connectionLost
    /// The synchronous standby did not confirm the commit in time. Whether it takes place is not known.
    case unconfirmed
    /// Another commit has waited for the synchronous standby for seconds, and has the lock meanwhile; nothing has happened.
    case standbyMissing
    /// The statement took too long and was stopped.
    case timeout
    /// A lock that another transaction holds was not free in time.
    case lockTimeout
    /// The transaction cannot be ordered among others, or two wait for each other: it may be tried again.
    case serializationFailure
    /// There is such a row already.
    case uniqueViolation
    /// The server is a standby, or the role or the database is set to be read alone.
    case readOnly
    /// The role is missing a right.
    case notPermitted
    /// No room on the server's disk.
    case full
    /// A trigger refused the change (`RAISE EXCEPTION`).
    case raised
    /// The pool was closed.
    case closed
    /// Anything else that is wrong with a statement.
    case statement
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// The five characters that the server names the error by
  /// (https://www.postgresql.org/docs/15/errcodes-appendix.html); `nil` where no server spoke.
  public let sqlState: String?
  /// libpq's words, or the server's without the detail, which holds values.
  public let message: String

  init(_ kind: Kind, _ message: String, sqlState: String? = nil) {
    self.kind = kind
    self.sqlState = sqlState
    self.message = message
  }

  /// What the server said.
  init(sqlState: String, message: String) {
    self.init(Self.kind(of: sqlState), message, sqlState: sqlState)
  }

  private static func kind(of sqlState: String) -> Kind {
    switch sqlState {
    case "23505", "23P01": .uniqueViolation
    case "40001", "40P01": .serializationFailure
    case "55P03": .lockTimeout
    case "57014": .timeout
    case "25006": .readOnly
    case "42501": .notPermitted
    case "53100": .full
    case "53300": .tooManyConnections
    case "3D000": .refused
    case "22021", "22P05": .unsuitable
    // The server starts or stops.
    case "57P03": .unreachable
    // The transaction was left alone for too long, the server stops, or somebody has ended the connection.
    case "25P03", "57P01", "57P02", "57P05": .connectionLost
    case "P0001": .raised
    case _ where sqlState.hasPrefix("08"): .connectionLost
    case _ where sqlState.hasPrefix("28"): .refused
    default: .statement
    }
  }
}

extension PostgreSQLError: CustomStringConvertible {
  /// What is wrong, for the log and the command line.
  public var description: String {
    switch kind {
    case .libraryMissing: "libpq cannot be loaded: \(message)"
    case .connectionString: "the connection string cannot be read: \(message)"
    case .unreachable: "PostgreSQL cannot be reached: \(message)"
    case .refused: "PostgreSQL refuses the connection: \(message)"
    case .unsuitable: "this PostgreSQL cannot be used: \(message)"
    case .tooManyConnections: "PostgreSQL has no connection left: \(message)"
    case .connectionLost: "the connection to PostgreSQL was lost: \(message)"
    case .unconfirmed: "the synchronous standby of PostgreSQL did not confirm a commit: \(message)"
    case .standbyMissing: "the synchronous standby of PostgreSQL is missing: \(message)"
    case .notPermitted: "the role is missing a right: \(message)"
    case .readOnly: "PostgreSQL takes no changes here: \(message)"
    case .full: "PostgreSQL has no room: \(message)"
    default: "PostgreSQL: \(message)"
    }
  }
}
