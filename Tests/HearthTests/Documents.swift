import Foundation

/// The documents of the repository, as a reader finds them.
enum Documents {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  static func lines(_ path: String) throws -> [Substring] {
    try text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Every Markdown file: of the root and of `docs`.
  static let markdown: [String] = {
    let files = FileManager.default
    let top = (try? files.contentsOfDirectory(atPath: root.path)) ?? []
    let below = files.enumerator(atPath: root.appendingPathComponent("docs").path)?.compactMap { $0 as? String } ?? []
    return (top + below.map { "docs/\($0)" }).filter { $0.hasSuffix(".md") }.sorted()
  }()

  /// The rows of a table below its header's first cell, each split into its cells.
  static func table(_ header: String, in path: String) throws -> [[String]] {
    try lines(path).drop { !$0.hasPrefix("| \(header) |") }.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
      line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The lines inside fences of code.
  static func code(in path: String) throws -> [Substring] {
    var isCode = false
    return try lines(path).filter { line in
      guard !line.hasPrefix("```") else {
        isCode.toggle()
        return false
      }
      return isCode
    }
  }

  /// The lines outside fences of code.
  static func prose(in path: String) throws -> [Substring] {
    var isCode = false
    return try lines(path).filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode
    }
  }
}
