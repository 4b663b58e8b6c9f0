import Foundation
public import JSON
import Layout

/// A section, or an item of one, in whose draft something was found.
public struct SearchResult: Hashable, Sendable {
  /// A text that has it.
  public struct Match: Hashable, Sendable {
    /// Where the text is, in the settings or the item.
    public var pointer: JSONPointer
    /// The text, cut around what was found.
    public var text: String
  }

  /// The page's id.
  public var page: String
  /// The section's id.
  public var section: String
  /// What operators call the section.
  public var title: String?
  /// The item's id; `nil` for the section itself.
  public var item: String?
  /// The slot that the item is in; `nil` for the list.
  public var slot: String?
  /// The first texts that have it.
  public var matches: [Match]
}

/// Where a search goes on.
public struct SearchPlace: Hashable, Sendable {
  /// The page.
  public var page: String
  /// The section.
  public var section: String
  /// How many of the section's settings and items were looked at.
  public var rows: Int

  /// A place.
  public init(page: String, section: String, rows: Int) {
    self.page = page
    self.section = section
    self.rows = rows
  }
}

extension Store {
  /// Looks for a text in the drafts of all pages: in names, settings and contents, whatever the case of the letters
  /// and the marks of Latin ones.
  ///
  /// - Parameters:
  ///   - text: What to look for, not empty.
  ///   - page: The only page to look at.
  ///   - covers: Whether a section may be looked at.
  ///   - place: Where an earlier search ended.
  ///   - limit: The most results.
  ///   - bytesMax: About how many bytes of drafts to look at.
  /// - Returns: What was found, and where to go on; `nil` at the end.
  public func search(
    for text: String, in page: String? = nil, covers: @escaping @Sendable (_ page: String, _ section: String) -> Bool,
    after place: SearchPlace? = nil, limit: Int, bytesMax: Int
  ) async throws -> (results: [SearchResult], next: SearchPlace?) {
    try WholeText.check(text, page, place?.page, place?.section)
    let search = Search(text)
    return try await read { db in
      let sections = try Row.fetchAll(
        db,
        sql: """
          SELECT page, id, settings FROM sections
          WHERE (CAST(:page AS TEXT) IS NULL OR page = :page) AND (page, id) >= (:from, :section)
          ORDER BY page, id
          """, arguments: ["page": page, "from": place?.page ?? "", "section": place?.section ?? ""])
      var results: [SearchResult] = []
      var bytes = 0
      for row in sections {
        let (page, id): (String, String) = (row["page"], row["id"])
        guard covers(page, id) else { continue }
        let isBegun = page == place?.page && id == place?.section
        var rows = isBegun ? place?.rows ?? 0 : 0
        let settings: String = row["settings"]
        let title = try JSON.stored(settings).object?["title"]?.string
        if rows == 0 {
          bytes += settings.utf8.count
          rows = 1
          var matches = search.matches(in: settings)
          if search.isIn(id) { matches.insert(.init(pointer: JSONPointer(["id"]), text: id), at: 0) }
          if !matches.isEmpty {
            results.append(SearchResult(page: page, section: id, title: title, matches: matches))
          }
        }
        while true {
          guard results.count < limit, bytes < bytesMax else {
            return (results, SearchPlace(page: page, section: id, rows: rows))
          }
          let part = try Row.fetchAll(
            db,
            sql: """
              SELECT id, slot, document FROM items WHERE page = ? AND section = ? ORDER BY slot, position, id
              LIMIT \(Search.part) OFFSET ?
              """, arguments: [page, id, rows - 1])
          for item in part where results.count < limit {
            rows += 1
            let document: String = item["document"]
            bytes += document.utf8.count
            let matches = search.matches(in: document)
            guard !matches.isEmpty else { continue }
            let slot: String = item["slot"]
            results.append(
              SearchResult(
                page: page, section: id, title: title, item: item["id"], slot: slot.isEmpty ? nil : slot,
                matches: matches))
          }
          if part.count < Search.part, results.count < limit { break }
        }
      }
      return (results, nil)
    }
  }
}

/// Searches for a text, ignoring case, and marks on Latin letters.
private struct Search: Sendable {
  /// How many items are read at once.
  static let part = 200
  /// How many texts are told of one place.
  private static let matchesMax = 3
  /// The letters that are told before and behind what was found.
  private static let around = 40

  private let wanted: String
  /// As it stands within a text of JSON.
  private let written: String

  init(_ text: String) {
    wanted = text.folded
    written = String(JSON.string(wanted).canonicalText.dropFirst().dropLast())
  }

  func isIn(_ text: String) -> Bool { text.folded.contains(wanted) }

  /// The texts of a document that have it. A document is opened only when its text does.
  func matches(in document: String) -> [SearchResult.Match] {
    guard document.folded.contains(written), let json = try? JSON.stored(document) else { return [] }
    var found: [SearchResult.Match] = []
    look(at: json, JSONPointer(), &found)
    return found
  }

  private func look(at json: JSON, _ pointer: JSONPointer, _ found: inout [SearchResult.Match]) {
    guard found.count < Self.matchesMax else { return }
    switch json {
    case .string(let text):
      if let part = cut(text) { found.append(.init(pointer: pointer, text: part)) }
    case .object(let object):
      for member in object { look(at: member.value, pointer.appending(member.name), &found) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { look(at: element, pointer.appending(index), &found) }
    default: break
    }
  }

  /// The text around what was found.
  private func cut(_ text: String) -> String? {
    // Letters may have other lengths when they are folded: the place is counted, and is about right.
    let folded = text.folded
    guard let range = folded.firstRange(of: wanted) else { return nil }
    let start = max(folded.distance(from: folded.startIndex, to: range.lowerBound) - Self.around, 0)
    let length = wanted.count + 2 * Self.around
    let part = text.dropFirst(start).prefix(length)
    return (start > 0 ? "…" : "") + part + (part.endIndex < text.endIndex ? "…" : "")
  }
}

extension String {
  /// The Latin letters from U+00C0 to U+024F and from U+1E00 to U+1EFF without their marks; what is between as it is.
  private static let plain: [Unicode.Scalar] = (UInt32(0xC0)..<0x1F00).map { value in
    guard let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    guard value < 0x250 || value >= 0x1E00 else { return scalar }
    // The stroke through a letter is no mark of its own in Unicode.
    if scalar == "đ" { return "d" }
    return String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first ?? scalar
  }

  /// In lowercase, and Latin letters without their marks: few type those to find a word of Vietnamese.
  var folded: String {
    let lowered = lowercased()
    guard !lowered.utf8.allSatisfy({ $0 < 0x80 }) else { return lowered }
    var folded = UnicodeScalarView()
    folded.reserveCapacity(lowered.utf8.count)
    var isLatin = false
    for scalar in lowered.unicodeScalars {
      switch scalar.value {
      // A mark by itself belongs to the letter before it.
      case 0x300...0x36F where isLatin: continue
      case 0xC0..<0x250, 0x1E00..<0x1F00: folded.append(Self.plain[Int(scalar.value) - 0xC0])
      default: folded.append(scalar)
      }
      isLatin = scalar.value < 0x250 || (0x1E00..<0x1F00).contains(scalar.value)
    }
    return String(folded)
  }
}
