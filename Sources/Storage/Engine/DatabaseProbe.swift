/// Looks whether the database can be used, by a connection of its own: as a writer finds it, and as the next start would.
public final class DatabaseProbe: Sendable {
  private let look: @Sendable () async -> StoreError.DatabaseFailure?
  private let failures: WriteFailures

  /// - Throws: ``StoreError`` when the database cannot be opened.
  public init(_ store: Store) throws {
    look = try store.engine.makeProbe()
    failures = store.writeFailures
  }

  /// The database's failure; `nil` if there is none. Takes some seconds while another process has the lock.
  public func examine() async -> StoreError.DatabaseFailure? { await look() ?? failures.recent(within: .seconds(10)) }
}
