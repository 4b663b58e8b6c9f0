import Foundation
public import JSON

/// Pages and audiences as one document: the form of the demo, of exports and of imports.
public struct LayoutDocument: Hashable, Sendable {
  /// The format's version that this binary reads and writes.
  public static let formatVersion = 1

  /// The named audiences.
  public var audiences: [String: Predicate]
  /// The pages in ascending order of their ids.
  public var pages: [PageDefinition]
  /// The pictures that the pages refer to and Hearth keeps, as far as the document brings them.
  public var assets: [AssetName: [UInt8]] = [:]
  /// What operators say of these pictures, or of others that are kept.
  public var assetDetails: [AssetName: AssetDetails] = [:]

  /// A document.
  public init(audiences: [String: Predicate], pages: [PageDefinition]) {
    self.audiences = audiences
    self.pages = pages.sorted { $0.id < $1.id }
  }

  /// Reads a document.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    self = try collector.finish(LayoutDocument(json, in: context, collector))
  }

  /// Reads a document of pages that are drawn with some kinds.
  ///
  /// - Throws: ``InvalidDocument`` with every problem, also with what kinds say of the rest where a place is wrong.
  public init(json: JSON, for kinds: Kinds, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    let document = LayoutDocument(json, in: context, collector)
    if let document { collector.add(later: kinds.problems(in: document)) }
    self = try collector.finish(document)
  }

  private init?(_ json: JSON, in context: DefinitionContext, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: JSONPointer(), collector) else { return nil }
    if let version = reader.required("hearth"), version != .number(JSONNumber(Self.formatVersion)) {
      collector.add(
        reader.place(of: "hearth"), .const, "must be \(Self.formatVersion), the format's version",
        ["allowed": [.count(Self.formatVersion)]])
    }
    let named = reader.named("audiences") { Predicate($1, at: $2, in: context, collector) }
    let audiences = Dictionary(uniqueKeysWithValues: named)
    let pages = reader.named("pages") { id, json, place in
      PageDefinition(json, id: id, at: place, audiences: audiences, in: context, collector)
    }.map(\.1)
    let assetsPlace = reader.place(of: "assets")
    var assets: [AssetName: [UInt8]] = [:]
    for member in reader.object("assets") ?? JSONObject() {
      guard let name = AssetName(member.name),
        let bytes = member.value.string.flatMap({ Data(base64Encoded: $0) }).map({ [UInt8]($0) }),
        Fingerprint.of(bytes) == name.hash
      else {
        collector.add(
          assetsPlace.appending(member.name), .noPicture,
          "must be a picture in Base64, named by the SHA-256 of its bytes and its format")
        continue
      }
      assets[name] = bytes
    }
    let detailsPlace = reader.place(of: "assetDetails")
    var details: [AssetName: AssetDetails] = [:]
    for member in reader.object("assetDetails") ?? JSONObject() {
      let place = detailsPlace.appending(member.name)
      guard let name = AssetName(member.name) else {
        collector.add(place, .noPicture, "must be the name of a picture: the SHA-256 of its bytes and its format")
        continue
      }
      details[name] = AssetDetails(member.value, at: place, collector)
    }
    reader.refuseOthers()
    self.init(audiences: audiences, pages: pages)
    self.assets = assets
    assetDetails = details
  }

  /// The canonical form.
  public var json: JSON {
    let pictures: [(String, JSON)] = [
      ("assets", .object(JSONObject(assets.map { ("\($0)", .string(Data($1).base64EncodedString())) }))),
      ("assetDetails", .object(JSONObject(assetDetails.map { ("\($0)", $1.json) }))),
    ]
    let pages: JSON = .object(JSONObject(pages.map { ($0.id, $0.json) }))
    return .object(JSONObject(ownMembers + [("pages", pages)] + pictures.filter { $0.1.object?.isEmpty == false }))
  }

  /// The members beside pages and pictures.
  var ownMembers: [(String, JSON)] {
    let named: [(String, JSON)] =
      audiences.isEmpty ? [] : [("audiences", .object(JSONObject(audiences.mapValues(\.json))))]
    return [("hearth", .number(JSONNumber(Self.formatVersion)))] + named
  }
}

extension Predicate {
  /// A predicate as an admin request's body gives it.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON, in context: DefinitionContext) throws(InvalidDocument) {
    let collector = ProblemCollector()
    self = try collector.finish(Predicate(json, at: JSONPointer(), in: context, collector))
  }
}
