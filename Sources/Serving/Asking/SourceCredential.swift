import Foundation
import HTTPClient
import Layout

/// The fields that are sent along to one server, as a file in ``SourceSettings/credentialsFolder`` has them: the server's
/// address in the first line, then a line `Name: value` for each.
///
/// The file says where they may go: whoever edits a section can send them nowhere else.
struct SourceCredential {
  let origin: String
  let fields: [(name: String, value: String)]

  private static let bytesMax = 16_384
  private static let fieldsMax = 16

  /// - Parameter name: The file's name, a slug.
  /// - Throws: ``SourceFailure``, without a word of what is in it.
  init(_ name: String, in folder: String) throws(SourceFailure) {
    guard !folder.isEmpty else {
      throw SourceFailure("the credential \(name) cannot be sent: sources.credentialsFolder is not set")
    }
    guard Slug.isValid(name) else { throw SourceFailure("a credential's name must be a slug") }
    guard let file = FileHandle(forReadingAtPath: "\(folder)/\(name)"),
      let data = try? file.read(upToCount: Self.bytesMax + 1)
    else { throw SourceFailure("there is no credential \(name) in sources.credentialsFolder that can be read") }
    guard data.count <= Self.bytesMax else {
      throw SourceFailure("the credential \(name) is longer than \(Self.bytesMax) bytes")
    }
    let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
    guard let place = lines.first.flatMap({ OutgoingURL($0) }) else {
      throw SourceFailure(
        "the first line of the credential \(name) must be the address of the server that it is for, such as "
          + "https://prices.example.com")
    }
    origin = place.origin
    let fields = lines.dropFirst().compactMap(Self.field)
    guard (1...Self.fieldsMax).contains(fields.count), fields.count == lines.count - 1 else {
      throw SourceFailure(
        "the credential \(name) must have 1 to \(Self.fieldsMax) lines such as \"Authorization: Bearer …\" below its "
          + "first, of visible ASCII, and none of the fields \(Self.own.sorted().joined(separator: ", "))")
    }
    self.fields = fields
  }

  /// The fields that the client sends itself, or that would make another request of it.
  private static let own: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "if-none-match", "if-modified-since",
  ]

  private static func field(_ line: String) -> (name: String, value: String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let name = String(line[..<colon])
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
      }
    guard isName, !own.contains(name.lowercased()), !value.isEmpty,
      value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    return (name, value)
  }
}
