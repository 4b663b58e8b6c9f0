import Foundation
import HomePayload
import JSON
import Layout
import Service
import Testing

/// A folder of its own, where generated files are compiled and run.
final class Workbench {
  let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "hearth-generated-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ text: String, to name: String) throws {
    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
  }

  /// Runs a program of the machine in the folder, and expects that it ends well.
  ///
  /// - Returns: What it printed.
  @discardableResult func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(program): \(printed.prefix(4_000))")
    return printed
  }

  /// Compiles Swift against the payload's library, whose modules and objects stand beside the tests, and runs it.
  func runSwift(_ files: [String]) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let built = URL(filePath: tests).deletingLastPathComponent()
    let objects = try ["JSON", "HomePayload"].flatMap { module in
      let folder = built.appending(path: "\(module).build")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".o") }.sorted()
        .map { folder.appending(path: $0).path }
    }
    try run(
      "swiftc",
      [
        "-swift-version", "6", "-warnings-as-errors", "-strict-memory-safety", "-Onone", "-wmo", "-o", "app", "-I",
        built.appending(path: "Modules").path,
      ] + files + objects)
    return try run(folder.appending(path: "app").path, [])
  }

  /// Checks TypeScript as strictly as the compiler can, and runs what comes of a file.
  func runTypeScript(_ files: [String]) throws -> String {
    try run(
      "tsc",
      [
        "--strict", "--noUnusedLocals", "--noUnusedParameters", "--noImplicitReturns", "--target", "es2020", "--module",
        "es2020", "--moduleResolution", "node", "--outDir", "out",
      ] + files)
    try write(#"{"type": "module"}"#, to: "out/package.json")
    return try run(
      "node", ["out/" + files[0].replacing(".ts", with: ".js")])
  }
}

/// Files of the repository.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The code of an app that docs/kinds.md shows.
  static func example(_ language: String) throws -> String {
    let parts = try text("docs/kinds.md").components(separatedBy: "<!-- generated: \(language) -->\n```")
    let block = try #require(parts.dropFirst().first?.components(separatedBy: "\n```").first)
    return block.drop { $0 != "\n" } + "\n"
  }

  /// The kinds of the demo.
  static func kinds() throws -> Kinds { try Kinds(json: YAMLDocument(text("config/kinds.yaml")).json) }

  /// A page of the demo, as clients get it.
  static func page(_ id: String) throws -> Page {
    let document = try LayoutDocument(json: YAMLDocument(text("config/demo/\(id).yaml")).json, in: DefinitionContext())
    let plan = PagePlan(try #require(document.pages.first { $0.id == id }), kinds: try kinds())
    var page = plan.assemble(plan.outcome(for: ClientAttributes()), at: Instant(secondsSinceEpoch: 1_773_144_000)).page
    page.version = "0123456789abcdef"
    return page
  }
}
