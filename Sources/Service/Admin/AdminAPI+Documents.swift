import Foundation
import HTTPServer
import JSON
import Layout
import Logging
import Serving
import Storage
import Synchronization

extension AdminAPI {
  var documentRoutes: [Route] {
    [
      Route("GET", "export", .viewer, query: ["assets"]) { [self] context in
        let takesAssets = try context.request.flag("assets", default: true)
        var document = try await store.export()
        document.pages.removeAll { !context.token.touches(page: $0.id) }
        // One at a time: it is in memory several times until it is sent.
        let isFirst = takesAssets && !isExporting.exchange(true, ordering: .acquiringAndReleasing)
        defer { if isFirst { isExporting.store(false, ordering: .releasing) } }
        if takesAssets {
          guard isFirst else { throw Problem.exportIsRunning }
          try await store.addAssets(to: &document, bytesMax: Self.exportedAssetBytesMax)
        }
        var response: Response
        switch context.request.documentFormat {
        case .json: response = .value(document.json)
        case .yaml: response = .yaml(Array(YAMLDocument.text(of: document.json).utf8))
        case nil: throw Problem.noFormat
        }
        response.fields.append(.varyByAccept)
        return response
      },
      Route("POST", "import", .admin, body: .document, query: ["dryRun", "delete"]) { [self] in
        try await importDocument($0)
      },
      Route("POST", "backup", .admin) { [self] context in
        guard let folder = settings.backupFolder else {
          throw Problem(409, "no-backup-folder", "Set admin.backupFolder to where backups may be written.")
        }
        let name = "hearth-\(clock().description.filter { $0 != ":" })-\(context.request.id.prefix(8)).sqlite"
        do {
          return try await context.change {
            try await store.backup(to: folder + "/" + name, by: context.actor, keeping: $0)
          } answering: { size in
            .value(["file": .string(name), "bytes": .number(JSONNumber(size))], 201)
          }
        } catch let error as BackupFailure {
          logger.error(
            "a backup cannot be written",
            metadata: ["folder": "\(folder)", "reason": "\(error)", "request": "\(context.request.id)"])
          throw Problem(
            503, "backup-failed",
            "The backup could not be written to admin.backupFolder; the server's log has the reason. The database is not affected.",
            fields: [ResponseField("Retry-After", "60")])
        }
      },
    ]
  }

  /// The most bytes of pictures in an answer, which is in memory several times while it is made.
  private static let exportedAssetBytesMax = 32 * 1024 * 1024

  private func importDocument(_ context: AdminContext) async throws -> Response {
    let request = context.request
    try context.requireMediaType()
    let json: JSON
    if request.contentType?.contains("yaml") == true {
      do { json = try YAMLDocument(request.body).json } catch {
        throw Problem(
          400, "invalid-yaml", "The body is not YAML: \(error.line.map { "line \($0): " } ?? "")\(error.detail).",
          values: error.line.map { ["line": .count($0)] } ?? [:])
      }
    } else {
      json = try request.json()
    }
    let document = try LayoutDocument(json: json, for: kinds, in: self.context)
    let now = clock()
    let (deletes, isDryRun) = (try request.flag("delete"), try request.flag("dryRun"))
    return try await context.change { keeping in
      let work = { [self] in
        try await store.import(
          document, deletes: deletes, dryRun: isDryRun, kinds: kinds, assets: assets.settings.limits,
          since: publisher.served.history, by: context.actor, keeping: keeping)
      }
      let result = deletes && !isDryRun ? try await publisher.removing(work, \.lastEditions) : try await work()
      // Committed: whoever asks for one of them reads which there are.
      if !document.assets.isEmpty, !isDryRun { try? await assets.refresh() }
      return result
    } answering: { [kinds] result in
      .value(result.json(at: now, kinds: kinds))
    }
  }
}

extension RequestBody {
  /// A document of pages and audiences.
  fileprivate static let document = RequestBody(
    schema: "LayoutDocument", mediaTypes: ["application/json", "application/yaml"])
}

extension ImportResult {
  /// What an import did or would do: pages by what happens to them, and the changes of each.
  func json(at instant: Instant, kinds: Kinds) -> JSON {
    let changes = after.map { page -> (String, JSON) in
      let differences = Differences(from: before[page.id], to: page, for: ClientAttributes(), at: instant, kinds: kinds)
      let told: JSON = [
        "changes": differences.json, "summary": differences.summary, "sentences": differences.sentences,
      ]
      return (page.id, told)
    }
    func array(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
    var json: JSONObject = [
      "added": array(added), "changed": array(changed), "unchanged": array(unchanged), "deleted": array(deleted),
      "audiences": [
        "added": array(audiences.added), "changed": array(audiences.changed), "deleted": array(audiences.deleted),
      ],
      "pages": .object(JSONObject(changes)),
    ]
    if !addedAssets.isEmpty || !changedAssets.isEmpty {
      json["assets"] = [
        "added": array(addedAssets.map(\.description)), "changed": array(changedAssets.map(\.description)),
      ]
    }
    return .object(json)
  }
}

extension ResponseField {
  fileprivate static let varyByAccept = ResponseField("Vary", "Accept")
}

extension Problem {
  fileprivate static let noFormat = Problem(
    406, "not-acceptable", "Accept forbids both application/json and application/yaml; allow one of them.",
    fields: [.varyByAccept])
}

extension Problem {
  fileprivate static let exportIsRunning = Problem(
    503, "overloaded", "Another export with pictures is being made; try again in a moment, or ask with ?assets=false.",
    fields: [ResponseField("Retry-After", "2")])
}
