internal import CLinux

/// The bytes that a loop is about to write to one connection: the answers to the requests of one read. Each loop has one
/// and empties it before it turns to another connection.
///
/// It owns raw memory, not an array: a response is copied in and patched in place some hundred thousand times a second,
/// and an array's uniqueness and bounds checks showed in the profile.
@safe final class Outgoing {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0
  /// The current second's date.
  private var date = HTTPDate(seconds: 0)
  private var dateSecond: Int64 = -1

  init(capacity: Int) {
    self.capacity = capacity
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
  }

  deinit { unsafe base.deallocate() }

  /// What is to be written, valid until the next change.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }

  func removeAll() { count = 0 }

  /// Sets the date to `realtime`, in nanoseconds since 1970.
  func setTime(_ realtime: Int64) {
    let second = realtime / 1_000_000_000
    guard second != dateSecond else { return }
    dateSecond = second
    date = HTTPDate(seconds: second)
  }

  // MARK: - Responses

  /// Appends the head of `response`, with more fields where there are, and its content unless `headOnly`.
  func append(
    _ response: ReadyResponse, with fields: ReadyFields? = nil, now: Int64, connection: ConnectionOption, headOnly: Bool
  ) {
    let start = count
    let head = response.head
    var from = 0
    if let place = head.maxAgeStart {
      append(head.bytes, from, place)
      let maxAge = response.freshness.maxAge(at: now)
      append(decimal: fields?.maxAge(maxAge, at: now) ?? maxAge)
      from = place
    }
    let shift = count - start - from
    if let place = head.lengthStart {
      append(head.bytes, from, place)
      append(decimal: Int64(response.content.count))
      from = place
    }
    if connection == .unsaid, fields == nil {
      append(head.bytes, from, head.bytes.count)
    } else {
      append(head.bytes, from, head.emptyLineStart)
      if let fields { append(fields.lines) }
      append(connection.line)
      append(head.bytes, head.emptyLineStart, head.bytes.count)
    }
    if !headOnly { append(response.content) }
    write(date.bytes, at: start + head.dateStart)
    if let place = head.tagStart { write(response.tag.octets, at: start + shift + place) }
  }

  /// Appends the head of `response`; its content is the caller's to send.
  func appendHead(_ response: Response, connection: ConnectionOption) {
    append(Self.statusLine(response.status))
    append("Date: ")
    for index in 0..<HTTPDate.bytesCount { append(date.bytes[index]) }
    append("\r\n")
    for field in response.fields { append(Self.line(field)) }
    if response.status.hasContent { append(Array("Content-Length: \(response.body.count)\r\n".utf8)) }
    append(connection.line)
    append("\r\n")
  }

  static func statusLine(_ status: Status) -> [UInt8] {
    Array("HTTP/1.1 \(status.code) \(status.reason)\r\n".utf8)
  }

  static func line(_ field: ResponseField) -> [UInt8] {
    Array("\(safe(field.name)): \(safe(field.value))\r\n".utf8)
  }

  /// A control character in a field would let a value end its line and start another: it becomes a space.
  static func safe(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    return String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? ASCII.space : $0 }, as: UTF8.self)
  }

  // MARK: - Bytes

  func append(_ bytes: [UInt8]) {
    append(bytes, 0, bytes.count)
  }

  func append(_ text: StaticString) {
    reserve(text.utf8CodeUnitCount)
    unsafe (base + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    count += text.utf8CodeUnitCount
  }

  /// Appends the bytes from `start` to before `end`, which a response's own offsets are; a wrong one is cut.
  private func append(_ source: [UInt8], _ start: Int, _ end: Int) {
    let end = min(end, source.count)
    guard start < end else { return }
    reserve(end - start)
    unsafe source.withUnsafeBytes { bytes in
      if let from = bytes.baseAddress {
        unsafe (base + count).copyMemory(from: from + start, byteCount: end - start)
      }
    }
    count += end - start
  }

  private func append(decimal number: Int64) {
    guard number >= 10 else {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: max(number, 0)))
      return
    }
    append(decimal: number / 10)
    append(decimal: number % 10)
  }

  private func append(_ byte: UInt8) {
    reserve(1)
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Writes over what was appended; what would not fit is left out.
  private func write<let size: Int>(_ bytes: InlineArray<size, UInt8>, at offset: Int) {
    guard offset >= 0, offset + size <= count else { return }
    unsafe base.storeBytes(of: bytes, toByteOffset: offset, as: InlineArray<size, UInt8>.self)
  }

  private func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    let larger = max(capacity * 2, count + more)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 64)
    unsafe moved.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
  }
}

/// What a response says of its connection (RFC 9112 §9.3): nothing where 1.1 persists, keep-alive to a 1.0 client that
/// asked for it, close before an end.
enum ConnectionOption {
  case unsaid, keepAlive, close

  var line: StaticString {
    switch self {
    case .unsaid: ""
    case .keepAlive: "Connection: keep-alive\r\n"
    case .close: "Connection: close\r\n"
    }
  }
}
