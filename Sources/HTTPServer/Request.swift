/// A request as its handler sees it: borrowed from the loop's memory for the length of one call, nothing copied.
public struct Request: ~Copyable, ~Escapable {
  private let bytes: Span<UInt8>
  private let parsed: RequestHead

  /// The content; empty without any.
  public let body: Span<UInt8>
  /// The client's end of the connection.
  public let peer: PeerAddress
  /// What names this exchange when it is answered later.
  public let exchange: ExchangeID

  @_lifetime(copy bytes, copy body)
  init(bytes: Span<UInt8>, parsed: RequestHead, body: Span<UInt8>, peer: PeerAddress, exchange: ExchangeID) {
    self.bytes = bytes
    self.parsed = parsed
    self.body = body
    self.peer = peer
    self.exchange = exchange
  }

  /// The method; ``methodToken`` says which one ``Method/other`` is.
  public var method: Method { parsed.method }

  /// The method as it was sent.
  public var methodToken: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.bytes(parsed.methodToken) }
  }

  /// The path as it was sent, percent-encoding and dot segments untouched; `*` for `OPTIONS *`.
  public var path: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.bytes(parsed.path) }
  }

  /// The bytes after the first `?`, as sent; empty without one.
  public var query: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.bytes(parsed.query ?? RequestHead.Place(0, 0)) }
  }

  /// Whether this is an OPTIONS for the server as a whole (RFC 9110 §9.3.7).
  public var isServerWide: Bool { parsed.isServerWide }

  /// The host, and its port where it is given: the target's where it is absolute, else that of Host (RFC 9112 §3.2.2).
  public var authority: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.bytes(parsed.authority ?? parsed.first(.host) ?? RequestHead.Place(0, 0)) }
  }

  /// 1 for HTTP/1.1, 0 for HTTP/1.0.
  public var minorVersion: UInt8 { parsed.minorVersion }

  /// Whether there is a field with this name, if only an empty one.
  public func has(_ known: KnownField) -> Bool { parsed.has(known) }

  /// Whether there are several fields with this name; ``forEachMember(of:_:)`` reads them as the one list they are.
  public func isRepeated(_ known: KnownField) -> Bool { parsed.isRepeated(known) }

  /// The value of the first field with this name, without blanks around it; empty without such a field.
  @_lifetime(copy self)
  public func value(_ known: KnownField) -> Span<UInt8> {
    bytes.bytes(parsed.first(known) ?? RequestHead.Place(0, 0))
  }

  /// The values of all fields with this name, joined by `, ` (RFC 9110 §5.3); `nil` without such a field. Allocates.
  public func joinedValue(_ known: KnownField) -> [UInt8]? {
    guard parsed.has(known) else { return nil }
    var joined: [UInt8] = []
    for field in parsed.fields where field.known == known {
      if !joined.isEmpty { joined += [ASCII.comma, ASCII.space] }
      joined.append(bytes.bytes(field.value))
    }
    return joined
  }

  /// Calls `body` with each non-empty member of the comma-separated list that all fields with this name make.
  public func forEachMember(of known: KnownField, _ body: (Span<UInt8>) -> Void) {
    parsed.forEachMember(of: known, in: bytes, body)
  }

  /// How many fields there are, for ``fieldName(_:)`` and ``fieldValue(_:)``.
  public var fieldCount: Int { parsed.fields.count }

  /// Whether the field at this place from 0 is one with this name.
  public func isField(_ index: Int, _ known: KnownField) -> Bool {
    parsed.fields.indices.contains(index) && parsed.fields[index].known == known
  }

  /// The name of a field by its place from 0, as it was sent; empty beyond the last.
  @_lifetime(copy self)
  public func fieldName(_ index: Int) -> Span<UInt8> {
    bytes.bytes(parsed.fields.indices.contains(index) ? parsed.fields[index].name : RequestHead.Place(0, 0))
  }

  /// The value of a field by its place from 0; empty beyond the last.
  @_lifetime(copy self)
  public func fieldValue(_ index: Int) -> Span<UInt8> {
    bytes.bytes(parsed.fields.indices.contains(index) ? parsed.fields[index].value : RequestHead.Place(0, 0))
  }
}
