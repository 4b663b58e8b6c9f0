import CPostgreSQL

/// What a statement answered.
public struct PostgreSQLResult: Sendable {
  /// The columns' names, in their order.
  public let columns: [String]
  /// The rows, each value as the server writes it, `nil` for NULL.
  public let rows: [[String?]]
  /// How many rows the statement has found, inserted, changed or deleted; 0 where it does nothing of that.
  public let changesCount: Int

  /// Copies a result of libpq, which goes on to be the caller's.
  init(_ result: OpaquePointer) {
    let columns = unsafe PQnfields(result)
    self.columns = (0..<columns).map { unsafe String(cString: PQfname(result, $0)) }
    rows = (0..<(unsafe PQntuples(result))).map { row in
      (0..<columns).map { column in
        guard unsafe PQgetisnull(result, row, column) == 0 else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(
          start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return unsafe String(decoding: bytes, as: UTF8.self)
      }
    }
    changesCount = unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
  }
}
