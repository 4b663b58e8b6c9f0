import Foundation
import HomePayload
import JSON

/// A page as it is kept: a line with the form and the SHA-256 of the rest, a line about the page, and the page's bytes.
struct StoredPage {
  /// Where it was asked for, with what the client told of itself.
  var address: String
  /// The edition that it was of.
  var revision: PageRevision?
  /// When the server last said that it is the page to show.
  var since: Date
  /// The page as the server sent it, where that is known: a later version of the library may read more of it.
  var bytes: [UInt8]
  /// The signature of the bytes, where the client asks for one.
  var signed: SignedFields?
  /// The highest edition that each pinned key signed, by their ids.
  var highest: [String: PageRevision] = [:]

  /// Changed whenever a record means something else: another form is as good as none.
  private static let form = "hearth-page 1 "

  /// The server and the page of an address.
  static func place(_ address: String) -> Substring { address.prefix { $0 != "?" } }

  /// Whether another one of the same page is newer: of a later edition, or of the same one and confirmed later.
  ///
  /// - Parameter date: Today. What is of another day is of a clock that was wrong.
  func isOlder(than other: StoredPage, at date: Date) -> Bool {
    guard Self.place(address) == Self.place(other.address), other.since <= date else { return false }
    if let revision, let later = other.revision, revision < later { return true }
    return revision == other.revision && address == other.address && since < other.since
  }

  /// The record of a page.
  var record: Data {
    var head = JSONObject()
    head["address"] = .string(address)
    head["revision"] = revision.map { .string($0.description) }
    head["since"] = .number(JSONNumber(Int(since.timeIntervalSince1970)))
    head["signed"] = signed.map(\.json)
    if !highest.isEmpty { head["highest"] = .object(JSONObject(highest.mapValues { .string($0.description) })) }
    var rest: [UInt8] = []
    JSON.object(head).append(to: &rest)
    rest.append(UInt8(ascii: "\n"))
    rest += bytes
    return Data(Array((Self.form + Digest.hexadecimal(Digest.sha256(rest)) + "\n").utf8) + rest)
  }
}

extension StoredPage {
  /// Reads a record; `nil` for what is cut, damaged, of another form or no record at all.
  init?(record: Data) {
    let record = Array(record)
    let seal = Self.form.utf8.count + 64
    guard record.count > seal, record[seal] == UInt8(ascii: "\n") else { return nil }
    let rest = Array(record[(seal + 1)...])
    let expected = Array((Self.form + Digest.hexadecimal(Digest.sha256(rest))).utf8)
    guard record.prefix(seal).elementsEqual(expected), let end = rest.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSON.parse(Array(rest[..<end])), let address = head["address"]?.string,
      let since = head["since"]?.number?.double
    else { return nil }
    self.init(
      address: address, revision: head["revision"]?.string.flatMap(PageRevision.init),
      since: Date(timeIntervalSince1970: since), bytes: Array(rest[(end + 1)...]),
      signed: head["signed"].map(SignedFields.init(json:)),
      highest: (head["highest"]?.object ?? JSONObject()).reduce(into: [:]) {
        $0[$1.name] = $1.value.string.flatMap(PageRevision.init)
      })
  }
}
