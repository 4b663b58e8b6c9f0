import HTTPServer
import JSON
import Layout
import Publication
import Storage

extension AdminAPI {
  var assetRoutes: [Route] {
    [
      Route("GET", "assets", .viewer, query: ["limit", "cursor", "page"]) { [self] in try await listAssets($0) },
      Route("POST", "assets", .source, isForAnyScope: true) { [self] context in
        try context.request.requireMediaType(["application/octet-stream"] + PictureFormat.allCases.map(\.mediaType))
        let asset = try NewAsset(context.request.body, within: assets.settings.limits)
        let isOfSource = context.token.role == .source
        let (kept, isNew) = try await assets.keep(asset, isOfSource: isOfSource, by: context.actor)
        return .value(kept.json, isNew ? 201 : 200)
      },
      Route("DELETE", "assets/{asset}", .publisher, query: ["fromHistory"]) { [self] context in
        let fromHistory = try context.request.flag("fromHistory")
        guard let name = context.parameters["asset"].flatMap({ AssetName($0) }) else { throw Problem.notFound }
        try await assets.remove(
          name, fromHistory: fromHistory, since: publisher.served.history, by: context.actor)
        return .done()
      },
    ]
  }

  private func listAssets(_ context: AdminContext) async throws -> Response {
    let request = context.request
    let limit = try request.int("limit", in: 1...500, default: 100)
    // Whoever fills one section of a page reads its draft, and so the pictures that this refers to.
    let page = try context.queriedPage()
    var names: Set<AssetName>?
    if let page { names = try await store.assets(ofDraft: page) }
    let before = try Cursor.number(request.query["cursor"]).map(Int64.init)
    let found = try await store.assets(named: names, before: before, limit: limit + 1)
    var object: JSONObject = ["assets": .array(found.prefix(limit).map(\.json))]
    if found.count > limit { object["next"] = found.prefix(limit).last.map { Cursor.json(String($0.id)) } }
    let limits = assets.settings.limits
    object["limits"] = [
      "bytes": .number(JSONNumber(limits.bytesMax)), "pixels": .number(JSONNumber(limits.pixelsMax)),
    ]
    return .value(.object(object))
  }
}

extension AssetInUse {
  /// The most places that an answer lists; `detail` tells the number of all.
  private static let usesMax = 100

  /// The places, for the problem document.
  var json: JSON {
    .array(
      uses.prefix(Self.usesMax).map { use in
        var object: JSONObject = ["place": .string(use.place.rawValue), "page": .string(use.page)]
        if let section = use.section { object["section"] = .string(section) }
        if let revision = use.revision { object["revision"] = .number(JSONNumber(revision)) }
        return .object(object)
      })
  }
}

extension Asset {
  fileprivate var json: JSON {
    [
      "url": .string(name.url), "width": .number(JSONNumber(width)), "height": .number(JSONNumber(height)),
      "bytes": .number(JSONNumber(size)), "createdAt": .string(createdAt.description), "createdBy": .string(createdBy),
    ]
  }
}
