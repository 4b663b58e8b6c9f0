import JSON
import Layout

extension Change {
  /// Finds the pictures that a candidate refers to, and those that it lacks. Parts that stay as they are live are not checked.
  ///
  /// A removal looks for references in its own transaction, and ``requirePictures(of:)`` in the publishing one. So neither
  /// misses the other, in either order.
  ///
  /// - Parameters:
  ///   - bringsBack: Whether it may go live although its pictures were removed.
  ///   - texts: The texts that contain everything new, if known.
  func findPictures(of candidate: inout Candidate, bringsBack: Bool, bringing texts: [String]?) throws {
    let known = Set(candidate.liveFingerprints)
    var addresses: Set<String> = []
    if let texts {
      for text in texts { addresses.formUnion(AssetName.addresses(in: Array(text.utf8))) }
    } else {
      for (section, fingerprint) in zip(candidate.definition.sections, candidate.fingerprints)
      where !known.contains(fingerprint) {
        addresses.formUnion(AssetName.addresses(in: section.canonicalBytes))
      }
    }
    if candidate.definition.settings != candidate.live?.settings {
      addresses.formUnion(AssetName.addresses(in: candidate.definition.settings.json.canonicalBytes))
    }
    let there = try pictures(among: Set(addresses.compactMap { AssetName(address: $0) }))
    candidate.pictures = there
    let lacking = addresses.filter { address in AssetName(address: address).map { !there.contains($0) } ?? true }
    candidate.lacking = LackingPictures(removed: lacking)
    guard !lacking.isEmpty, !bringsBack else { return }
    let shown = (candidate.live?.sections ?? []).reduce(
      into: AssetName.addresses(in: candidate.live?.settings.json.canonicalBytes ?? [])
    ) { $0.formUnion(AssetName.addresses(in: $1.canonicalBytes)) }
    candidate.lacking = LackingPictures(unknown: lacking.subtracting(shown), removed: lacking.intersection(shown))
  }

  /// - Throws: ``Moved`` where a picture is gone that the candidate refers to.
  func requirePictures(of candidate: Candidate) throws {
    guard try pictures(among: candidate.pictures) == candidate.pictures else { throw Moved() }
  }

  /// The given names that have a picture.
  private func pictures(among names: Set<AssetName>) throws -> Set<AssetName> {
    // As many each time: every number of them would be a statement of its own that connections keep.
    let found = try names.map { "\($0)".sql }.filledParts(of: Self.namesMax).flatMap { part in
      let places = part.map { _ in "?" }.joined(separator: ", ")
      return try String.fetchAll(db, sql: "SELECT name FROM assets WHERE name IN (\(places))", arguments: .listed(part))
    }
    return Set(found.compactMap { AssetName($0) })
  }

  /// The names that are asked for at once.
  private static let namesMax = 64
}
