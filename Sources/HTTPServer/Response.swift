/// A header field of a response.
public struct ResponseField: Sendable, Hashable {
  /// The field's name, a token.
  public let name: String
  /// The field's value. Control characters in it are sent as spaces: they would break the framing.
  public let value: String

  /// A field with this name and value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A response that is made for one request and serialised by the engine, which adds Date, Content-Length and Connection.
public struct Response: Sendable {
  /// The status.
  public var status: Status
  /// All fields but Date, Content-Length, Connection and Transfer-Encoding, which are the engine's.
  public var fields: [ResponseField]
  /// The content. For HEAD its length is sent and the content is not; for 204 and 304 neither is.
  public var body: [UInt8]
  /// Whether the connection ends after this response.
  public var closesConnection = false

  /// A response with these fields and this content.
  public init(_ status: Status, fields: [ResponseField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A response with a short text.
  public init(_ status: Status, text: String, fields: [ResponseField] = []) {
    self.init(
      status, fields: fields + [ResponseField("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
  }
}
