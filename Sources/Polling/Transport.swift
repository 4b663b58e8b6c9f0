public import Foundation

/// Sends a request and brings the whole answer; throws when none came, and ends when its task is cancelled.
public typealias PageTransport = @Sendable (TransportRequest) async throws -> TransportAnswer

/// A GET that a client makes.
public struct TransportRequest: Hashable, Sendable {
  /// What is asked for.
  public var url: URL
  /// The fields to send beside those of the transport itself.
  public var fields: [String: String] = [:]
  /// How many seconds the answer may take.
  public var timeout: TimeInterval
  /// The most bytes of a body, unpacked: a transport ends a longer one with ``ClientError/tooLong(_:)``.
  public var bodyMax = PageClientSettings.bodyMaxDefault

  /// The value of a field.
  public subscript(field: String) -> String? { fields[field] }
}

/// What a server, or something before it, answered.
public struct TransportAnswer: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The body, unpacked.
  public var body: [UInt8]
  private var fields: [String: String]

  /// An answer.
  ///
  /// - Parameter fields: By their names, in any case.
  public init(status: Int, fields: [String: String], body: [UInt8]) {
    self.status = status
    self.body = body
    self.fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a field by its name, in any case.
  public subscript(field: String) -> String? { fields[field.lowercased()] }
}
