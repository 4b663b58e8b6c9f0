import Foundation

/// What a section's list for one client depends on, over all revisions of the page: the section as written, and the
/// results of its own conditions and schedules.
public struct ListKey: Hashable, Sendable {
  /// The section's id.
  public var section: String
  /// The section's fingerprint: 64 hexadecimal digits.
  public var fingerprint: String
  /// The hash of the kinds: 16 hexadecimal digits.
  public var setup: String
  /// The client's locale, and whether each of the section's own conditions holds, in the order in which they come in it.
  public var outcome: Outcome
  /// The section's kinds that are withheld from the client, by ``Withholding/mark``, ascending. Kinds withheld from
  /// others do not change the list.
  public var withheld: [UInt64] = []
  /// The page's default locale.
  public var defaultLocale: Locale
  /// The last instant up to the client's at which a schedule in the section began or ended; `nil` before the first.
  public var since: Instant?
}

/// A place in a section's list, as the links of pages have it.
///
/// It can be checked: nobody has one that no page gave, since none can be made without the key of the database. And with the
/// hash of the list it says what has to come of it.
public struct ListCursor: Hashable, Sendable {
  /// The list.
  public var list: ListKey
  /// The hash of the list's items: 16 hexadecimal digits.
  public var hash: String
  /// How many items come before.
  public var offset: Int

  /// A place in a list.
  public init(list: ListKey, hash: String, offset: Int) {
    self.list = list
    self.hash = hash
    self.offset = offset
  }

  /// The bytes that it takes in memory, about.
  public var byteCount: Int {
    384 + list.outcome.locale.tag.utf8.count + (list.outcome.conditions.count + list.withheld.count) * 8
  }

  /// The path and query of the items that follow.
  public func href(page: String, by key: LinkKey) -> String {
    "/v1/pages/\(page)/sections/\(list.section)/items?cursor=\(text(page: page, by: key))"
  }
}

extension ListCursor {
  private static let form: UInt8 = 2
  private static let checkSize = 16

  /// The cursor as text: base64url of its content and of a check that only the key's holder can make.
  func text(page: String, by key: LinkKey) -> String {
    let bytes = form
    return Data(bytes + key.code(of: Self.checked(bytes, page: page, section: list.section))).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// What it says, without what it is checked by.
  private var form: [UInt8] {
    var bytes: [UInt8] = [Self.form]
    bytes.append(number: UInt64(offset))
    bytes.append(hex: hash)
    bytes.append(hex: list.fingerprint)
    bytes.append(hex: list.setup)
    bytes.append(text: list.outcome.locale.tag)
    bytes.append(text: list.defaultLocale.tag)
    bytes.append(number: list.since.map { UInt64(bitPattern: $0.secondsSinceEpoch) &+ 1 } ?? 0)
    bytes.append(UInt8(truncatingIfNeeded: min(list.outcome.conditions.count, 255)))
    for word in list.outcome.conditions.prefix(255) { bytes.append(number: word) }
    for mark in list.withheld { bytes.append(number: mark) }
    return bytes
  }

  /// The bytes that a text stands for; `nil` where there are others that stand for the same, or none.
  private static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.count <= 4_096 else { return nil }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let base64 = text.utf8.map { $0 == 0x2D ? 0x2B : $0 == 0x5F ? 0x2F : $0 } + Array(padding.utf8)
    return Data(base64Encoded: Data(base64)).map(Array.init)
  }

  /// Whether a cursor has the form of an earlier version, which is no longer answered.
  public static func isOfEarlierForm(_ text: String) -> Bool {
    bytes(of: text).map { $0.count > checkSize && $0[0] < form } ?? false
  }

  /// The cursor that ``text(page:by:)`` wrote; `nil` for any other text, and for one of another page or section.
  public init?(_ text: String, page: String, section: String, by key: LinkKey) {
    guard let all = Self.bytes(of: text), all.count > Self.checkSize else { return nil }
    let bytes = Array(all.dropLast(Self.checkSize))
    let (given, code) = (
      Array(all.suffix(Self.checkSize)), key.code(of: Self.checked(bytes, page: page, section: section))
    )
    guard Secret.isSame(given.span, code.span) else { return nil }
    var reader = CursorReader(left: bytes[...])
    guard reader.byte() == Self.form, let offset = reader.number().flatMap({ Int(exactly: $0) }),
      let hash = reader.hex(count: 8), let fingerprint = reader.hex(count: 32), let setup = reader.hex(count: 8),
      let locale = reader.locale(), let fallback = reader.locale(), let since = reader.number(),
      let count = reader.byte()
    else { return nil }
    var outcome = Outcome(locale: locale, count: 0)
    for _ in 0..<count {
      guard let word = reader.number() else { return nil }
      outcome.conditions.append(word)
    }
    var withheld: [UInt64] = []
    while !reader.left.isEmpty {
      guard let mark = reader.number() else { return nil }
      withheld.append(mark)
    }
    let list = ListKey(
      section: section, fingerprint: fingerprint, setup: setup, outcome: outcome, withheld: withheld,
      defaultLocale: fallback, since: since == 0 ? nil : Instant(secondsSinceEpoch: Int64(bitPattern: since &- 1)))
    self.init(list: list, hash: hash, offset: offset)
    // One text for one place: what is kept by it cannot be made to grow by writing it otherwise.
    guard self.text(page: page, by: key) == text else { return nil }
  }

  /// The bytes that the check covers: the cursor's content, page and section.
  private static func checked(_ bytes: [UInt8], page: String, section: String) -> [UInt8] {
    bytes + Array("\(page)/\(section)".utf8)
  }
}

extension [UInt8] {
  /// Seven bits a byte, the lowest first.
  fileprivate mutating func append(number: UInt64) {
    var left = number
    while left > 127 {
      append(UInt8(left & 127) | 128)
      left >>= 7
    }
    append(UInt8(left))
  }

  fileprivate mutating func append(hex digits: String) {
    let digits = Array(digits.utf8)
    for place in stride(from: 0, to: digits.count - 1, by: 2) {
      append(UInt8(hexDigit: digits[place]) << 4 | UInt8(hexDigit: digits[place + 1]))
    }
  }

  fileprivate mutating func append(text: String) {
    append(UInt8(truncatingIfNeeded: text.utf8.count))
    self += Array(text.utf8)
  }
}

extension UInt8 {
  /// The value of a digit of a fingerprint.
  fileprivate init(hexDigit: UInt8) { self = hexDigit > 0x39 ? hexDigit &- 0x57 : hexDigit &- 0x30 }
}

/// Reads what a cursor is made of; `nil` where it is over.
private struct CursorReader {
  var left: ArraySlice<UInt8>

  mutating func byte() -> UInt8? { left.popFirst() }

  mutating func number() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = byte() else { return nil }
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return number }
    }
    return nil
  }

  mutating func hex(count: Int) -> String? { take(count)?.hexadecimal }

  mutating func locale() -> Locale? {
    byte().flatMap { take(Int($0)) }.flatMap { Locale(String(decoding: $0, as: UTF8.self)) }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard left.count >= count else { return nil }
    defer { left = left.dropFirst(count) }
    return left.prefix(count)
  }
}

extension Outcome {
  /// Whether it can be one of so many conditions, and says nothing of others.
  func isOf(conditions count: Int) -> Bool {
    let blank = Outcome(locale: locale, count: count)
    let unused = UInt64(count % 64 == 0 ? 0 : 64 - count % 64)
    return conditions.count == blank.conditions.count
      && (unused == 0 || conditions.last.map { $0 >> (64 - unused) == 0 } ?? true)
  }
}
