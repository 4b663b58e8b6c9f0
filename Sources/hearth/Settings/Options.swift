import ArgumentParser
import Foundation
import JSON
import Layout
import Serving
import Service
import Storage

/// What most commands take.
struct Options: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help:
      "The folder of hearth.yaml, kinds.yaml and demo/ (default: config here or above the binary, else /etc/hearth).")
  var folder: String?

  @Option(help: "The SQLite file (default: data/hearth.db), or postgresql://USER@HOST/NAME.")
  var database: String?

  /// The settings, flags of one's own among them.
  ///
  /// - Parameter needsFolder: Whether it is a failure that there is no configuration.
  func settings(_ flags: [String: String?] = [:], needsFolder: Bool = true) throws -> Settings {
    try Settings(
      folder: folder, needsFolder: needsFolder,
      flags: flags.merging(["database": database]) { own, _ in own }.compactMapValues { $0 })
  }
}

extension Settings {
  /// Where the database is.
  var database: DatabaseLocation { DatabaseLocation(values.database) }

  /// The file of what a server has served: `served` in a folder of its own, beside the database with its name in front.
  var servedFile: String { nodeFile("served") }

  /// The file of what a server knows of tokens.
  var tokensFile: String { nodeFile("tokens") }

  /// Where the snapshot is that the next start begins with.
  var snapshotFile: String { nodeFile("snapshot") }

  /// The folder that pictures are sent from.
  var assetFolder: String { values.server.assets.cacheFolder ?? nodeFile("assets") }

  /// Where a node has its own files, when that is not beside an SQLite file.
  var nodeFolder: String? {
    if !values.snapshotFolder.isEmpty { return values.snapshotFolder }
    if case .file = database { return nil }
    return "/var/lib/hearth"
  }

  private func nodeFile(_ name: String) -> String {
    nodeFolder.map { "\($0)/\(name)" } ?? "\(values.database).\(name)"
  }

  /// Where a successor finds this process.
  var handoverFile: String {
    if case .file(let path) = database { return "\(path).handover" }
    return nodeFile("handover")
  }

  /// What tells who serves: beside an SQLite file, or of a node's own.
  var lockFile: String {
    if case .file(let path) = database { return "\(path).lock" }
    return nodeFile("lock")
  }

  /// What clients can draw.
  func kinds() throws -> Kinds { try kinds(at: folder + "/kinds.yaml") }

  /// The kinds of a file.
  func kinds(at path: String) throws -> Kinds {
    do { return try KindsFile(path: path, limits: values.layout).read() } catch {
      throw Failure(.configuration, error.description.replacing("\n", with: "\nhearth: "))
    }
  }

  /// The file of the kinds, to be read again.
  var kindsFile: KindsFile { KindsFile(path: folder + "/kinds.yaml", limits: values.layout) }

  /// The database, brought up to date.
  ///
  /// - Parameters:
  ///   - makes: Whether it is made when there is none. Only commands that say so do that: a volume that is not mounted must
  ///     not look like an empty home.
  ///   - connects: Whether a server that keeps it is waited for.
  func openStore(makes: Bool = false, connects: Bool = true) throws -> Store {
    if makes, case .file(let path) = database {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try? FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    return try Store(
      at: database, migrations: database.migrations(), makes: makes, connects: connects, context: context,
      writing: values.writing,
      server: values.databaseServer)
  }

  /// Makes the file of the database where there is none and its folder is empty.
  ///
  /// - Throws: ``Failure`` 74 when the folder has something else in it: then this is not the first start.
  func makeDatabaseOnEmptyVolume() throws {
    guard case .file(let path) = database else { return }
    guard FileIdentity(path: path) == nil else { return }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let others = names.filter { !$0.hasPrefix(".") && $0 != "lost+found" }.sorted()
    guard others.isEmpty else {
      throw Failure(
        .inputOutput,
        "\(database): there is no database, and --create makes none beside other files "
          + "(\(others.prefix(3).joined(separator: ", "))); put the database back, or make one with hearth migrate up")
    }
    _ = try openStore(makes: true)
  }

  /// A document of pages and audiences.
  ///
  /// - Throws: ``Failure`` 1 that names every problem with its line.
  func document(at path: String, kinds: Kinds) throws -> LayoutDocument {
    let bytes = try YAMLFile.bytes(of: path, .invalid)
    // JSON is YAML too, and is read many times faster as what it is. Where something is wrong with it, the lines are
    // wanted.
    if let json = try? JSON.parse(bytes),
      let document = try? LayoutDocument(json: json, for: kinds, in: context)
    {
      return document
    }
    let file = try YAMLFile.document(bytes, path, .invalid)
    let problems: [DocumentProblem]
    do { return try LayoutDocument(json: file.json, for: kinds, in: context) } catch { problems = error.problems }
    let lines = problems.map { "\(path):\(file.line(of: $0.pointer) ?? 1): \($0.pointer) \($0.detail)" }
    throw Failure(.invalid, lines.joined(separator: "\nhearth: "))
  }
}
