import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  var assetRoutes: [Route] {
    [
      Route("GET", "assets", .viewer, query: ["limit", "cursor", "page", "q", "tag", "kind"]) { [self] in
        try await listAssets($0)
      },
      Route("POST", "assets", .source, body: .picture, query: ["name", "original"], isForAnyScope: true) { [self] in
        try await keepAsset($0)
      },
      Route("GET", "assets/{asset}", .viewer) { [self] context in
        let asset = try await store.asset(context.asset)
        return .value(asset.json, tag: asset.tag)
      },
      Route("PUT", "assets/{asset}", .source, condition: .always, body: .json("AssetDetails"), isForAnyScope: true) {
        [self] context in
        let details = try AssetDetails(json: context.json())
        let name = try context.asset
        return try await context.change {
          try await store.putDetails(
            details, of: name, if: context.precondition(),
            isOwnOnly: context.token.role == .source, by: context.actor, keeping: $0)
        } answering: { asset in
          .value(asset.json, tag: asset.tag)
        }
      },
      Route("GET", "assets/{asset}/uses", .viewer) { [self] context in
        let uses = try await store.uses(of: context.asset).filter { context.token.touches(page: $0.page) }
        return .value(["uses": uses.json, "count": .count(uses.count)])
      },
      Route(
        "POST", "assets/{asset}/replace", .editor, condition: .unlessDryRun, body: .json("AssetReplacementRequest"),
        query: ["dryRun"], isForAnyScope: true
      ) { [self] in
        try await replaceAsset($0)
      },
      Route("DELETE", "assets/{asset}", .publisher, query: ["fromHistory"]) { [self] context in
        let fromHistory = try context.request.flag("fromHistory")
        let name = try context.asset
        return try await context.change {
          try await assets.remove(
            name, fromHistory: fromHistory, since: publisher.served.history, by: context.actor, keeping: $0)
        }
      },
    ]
  }

  private func listAssets(_ context: AdminContext) async throws -> Response {
    let request = context.request
    let limit = try request.int("limit", in: 1...500, default: 100)
    // Whoever fills one section of a page reads its draft, and so the pictures that this refers to.
    let page = try context.queriedPage()
    var filter = AssetFilter()
    if let page { filter.names = try await store.assets(ofDraft: page) }
    if let kind = request.query["kind"] {
      guard Slug.isValid(kind) else { throw Problem.parameter("kind", "the name of an item kind") }
      filter.names = try await store.assets(ofKind: kind, page: page)
    }
    filter.text = try request.text("q", bytesMax: AssetDetails.nameBytesMax)
    filter.tag = try request.text("tag", bytesMax: AssetDetails.tagBytesMax)
    let before = try Cursor.number(request.query["cursor"]).map(Int64.init)
    let found = try await store.assets(filter, before: before, limit: limit + 1)
    var object: JSONObject = ["assets": .array(found.prefix(limit).map(\.json))]
    if found.count > limit { object["next"] = found.prefix(limit).last.map { Cursor.json(String($0.id)) } }
    // Of all pictures, for whoever may see all: what there is to choose from.
    if page == nil { object["tags"] = .names(try await store.assetTags(atMost: Self.listedTagsMax)) }
    let limits = assets.settings.limits
    object["limits"] = [
      "bytes": .number(JSONNumber(limits.bytesMax)), "pixels": .number(JSONNumber(limits.pixelsMax)),
    ]
    return .value(.object(object))
  }

  /// The most tags that the list names.
  private static let listedTagsMax = 500

  private func keepAsset(_ context: AdminContext) async throws -> Response {
    let request = context.request
    try context.requireMediaType()
    var asset = try NewAsset(request.body, within: assets.settings.limits)
    if let name = request.query["name"] {
      guard let details = try? AssetDetails(json: ["name": .string(name)]) else {
        throw Problem.parameter("name", "1 to \(AssetDetails.nameBytesMax) bytes of text without control characters")
      }
      asset.details = details
    }
    if let original = request.query["original"] {
      asset.original = AssetName(original)
      guard asset.original != nil else { throw Problem.parameter("original", "the name of a picture that is kept") }
    }
    let isOfSource = context.token.role == .source
    return try await context.change { [asset] in
      try await assets.keep(asset, isOfSource: isOfSource, by: context.actor, keeping: $0)
    } answering: { made in
      .value(made.asset.json, made.isNew ? 201 : 200, tag: made.asset.tag)
    }
  }

  private func replaceAsset(_ context: AdminContext) async throws -> Response {
    let name = try context.asset
    var body = try BodyReader(context.json())
    let expected = Sentence(.noPicture, "the url of another picture that is kept")
    let read = body.required("with", expected) { json -> AssetName? in
      json.string.flatMap(AssetName.init(url:)).flatMap { $0 == name ? nil : $0 }
    }
    try body.finish()
    guard let other = read else { throw Problem.notFound }
    let isDryRun = try context.request.flag("dryRun")
    let precondition = try context.precondition()
    let token = context.token
    return try await context.change {
      do {
        return try await store.replaceAsset(
          name, by: other, dryRun: isDryRun, kinds: kinds, if: precondition, by: context.actor,
          covers: { token.covers(page: $0, section: $1) }, keeping: $0)
      } catch StoreError.notFound(_, other.description, _) {
        throw Problem.invalid([DocumentProblem(pointer: JSONPointer(["with"]), expected.demanded)])
      }
    } answering: { made in
      .value(made.json, tag: made.tag)
    }
  }
}

extension RequestBody {
  fileprivate static let picture = RequestBody(
    mediaTypes: ["application/octet-stream"] + PictureFormat.allCases.map(\.mediaType))
}

extension AdminContext {
  /// The picture that the path names.
  fileprivate var asset: AssetName {
    get throws {
      guard let name = parameters["asset"].flatMap({ AssetName($0) }) else { throw Problem.notFound }
      return name
    }
  }
}

extension AdminRequest {
  /// A query parameter as text of 1 to so many bytes.
  fileprivate func text(_ name: String, bytesMax: Int) throws -> String? {
    guard let text = query[name] else { return nil }
    guard (1...bytesMax).contains(text.utf8.count) else {
      throw Problem.parameter(name, "1 to \(bytesMax) bytes of text")
    }
    return text
  }
}

extension AssetInUse {
  /// The places, for the problem document; `detail` tells the number of all.
  var json: JSON { uses.json }
}

extension [AssetUse] {
  /// The most places that an answer lists.
  private static let listedMax = 100

  /// The first places.
  fileprivate var json: JSON {
    .array(
      prefix(Self.listedMax).map { use in
        var object: JSONObject = ["place": .string(use.place.rawValue), "page": .string(use.page)]
        if let section = use.section { object["section"] = .string(section) }
        if let revision = use.revision { object["revision"] = .number(JSONNumber(revision)) }
        return .object(object)
      })
  }
}

extension AssetReplacement {
  fileprivate var json: JSON {
    func list(_ places: [Place]) -> JSON {
      .array(
        places.map { place in
          var object: JSONObject = ["page": .string(place.page), "count": .count(place.count)]
          object["section"] = place.section.map { .string($0) }
          object["reason"] = place.refusal.map { .string($0.rawValue) }
          return .object(object)
        })
    }
    return [
      "replaced": list(places.filter { $0.refusal == nil }), "refused": list(places.filter { $0.refusal != nil }),
      "remaining": remaining.json,
    ]
  }
}

extension Asset {
  fileprivate var json: JSON {
    var object = details.json.object ?? JSONObject()
    object["url"] = .string(name.url)
    object["width"] = .number(JSONNumber(width))
    object["height"] = .number(JSONNumber(height))
    object["bytes"] = .number(JSONNumber(size))
    object["createdAt"] = .string(createdAt.description)
    object["createdBy"] = .string(createdBy)
    object["original"] = original.map { .string($0.url) }
    return .object(object)
  }
}
