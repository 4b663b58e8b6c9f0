import Foundation
import Testing

/// Which room may enter which (docs/architecture.md), read from the imports themselves.
@Suite struct HouseRules {
  /// What each room may import of ours.
  private static let rooms: [String: Set<String>] = [
    "CLinux": [],
    "CBrotli": [],
    "CZlib": [],
    "CPostgreSQL": [],
    "CCurl": [],
    "HTTPClient": ["CCurl"],
    "Traces": ["HTTPClient", "JSON"],
    "BundleConsole": [],
    "BuildCommit": [],
    "NoteCommit": [],
    "PostgreSQL": ["CPostgreSQL"],
    "Compression": ["CBrotli", "CZlib"],
    "Dates": [],
    "Threads": [],
    "JSON": [],
    "HomePayload": ["JSON"],
    "JSONSchema": ["JSON", "Dates"],
    "Layout": ["HomePayload", "JSONSchema", "JSON", "Dates", "Compression"],
    "Generation": ["Layout", "JSONSchema", "JSON"],
    "HTTPServer": ["CLinux", "Dates"],
    "Storage": ["Layout", "JSON", "Threads", "PostgreSQL"],
    "Serving": ["HTTPServer", "HTTPClient", "Layout", "HomePayload", "JSON", "Storage", "Compression", "Threads"],
    "Backup": ["Storage", "HTTPClient", "Layout", "JSON", "Compression", "Threads"],
    "Service": [
      "Backup", "HTTPServer", "HTTPClient", "Serving", "Compression", "Storage", "Layout", "HomePayload", "JSONSchema",
      "JSON", "Threads", "Traces",
    ],
    "Polling": ["HomePayload", "JSON"],
    "HearthClient": ["Polling", "HomePayload", "JSON"],
    "http-echo": ["HTTPServer", "Compression"],
    "hearth": [
      "Service", "Backup", "HTTPServer", "HTTPClient", "Serving", "Storage", "Generation", "Layout", "HomePayload",
      "JSONSchema", "JSON", "Compression", "Polling", "CLinux", "Traces", "BuildCommit",
    ],
  ]

  /// Which libraries each room may import.
  private static let libraries: [String: Set<String>] = [
    "BundleConsole": ["PackagePlugin"],
    "NoteCommit": ["PackagePlugin"],
    "Layout": ["Crypto"],
    "Polling": ["Crypto", "CryptoKit"],
    // It needs libcurl wherever it runs: the server's machine has none.
    "HearthClient": ["FoundationNetworking", "UIKit"],
    "HTTPServer": ["Logging"],
    "Traces": ["Logging", "Tracing"],
    "Storage": ["GRDB", "GRDBSQLite", "Crypto", "Tracing"],
    "Serving": ["Crypto", "Logging", "Tracing"],
    "Backup": ["Crypto", "Logging"],
    "Service": ["Crypto", "Logging", "Tracing", "Yams", "CYaml"],
    "http-echo": ["Logging"],
    "hearth": ["ArgumentParser", "Logging", "ServiceLifecycle", "UnixSignals"],
  ]

  /// What comes with Swift.
  private static let standard: Set<String> = [
    "Foundation", "Glibc", "Synchronization", "Dispatch",
    // What the client has in place of Glibc on the systems of apps.
    "Darwin", "Musl", "Android",
  ]

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The Swift files of a room.
  private static func files(of room: String) -> [URL] {
    let folder = root.appendingPathComponent("Sources/\(room)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return (files ?? []).filter { $0.pathExtension == "swift" }
  }

  private static func text(of room: String) -> String {
    files(of: room).compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
  }

  /// Every import of a room, with the file it stands in.
  private static func imports(of room: String) -> [(file: String, module: String)] {
    files(of: room).flatMap { file in
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").compactMap { module(of: $0).map { (file.lastPathComponent, $0) } }
    }
  }

  /// The module that a line imports.
  private static func module(of line: Substring) -> String? {
    var words = line.split(separator: " ")[...]
    while let first = words.first, first.hasPrefix("@") || ["public", "internal", "package", "private"].contains(first)
    {
      words.removeFirst()
    }
    guard words.first == "import", let name = words.last else { return nil }
    return name.split(separator: ".").first.map(String.init)
  }

  @Test(arguments: rooms.keys.sorted()) func `a room enters only the rooms that it may`(room: String) {
    let allowed = (Self.rooms[room] ?? []).union(Self.libraries[room] ?? []).union(Self.standard)
    for (file, module) in Self.imports(of: room) {
      #expect(allowed.contains(module), "\(room)/\(file) imports \(module)")
    }
  }

  @Test func `every room is known to the rules, and every rule has its room`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent("Sources").path)
    #expect(Set(folders) == Set(Self.rooms.keys))
  }

  @Test func `the imports are found`() {
    #expect(Self.imports(of: "Storage").contains { $0.module == "GRDB" })
    #expect(Self.module(of: "@preconcurrency public import struct Foundation.URL") == "Foundation")
    #expect(Self.module(of: "let important = 1") == nil)
  }

  /// What systems before iOS 16 lack: apps on iOS 15, macOS 12 and watchOS 8 would not build, and nothing here would say so.
  @Test(arguments: ["JSON", "HomePayload", "Polling", "HearthClient"])
  func `what apps use needs no newer system than theirs`(room: String) {
    let newer =
      #/\b(?:Duration|ContinuousClock|SuspendingClock|U?Int128|Mutex|Atomic|Synchronization|Regex|InlineArray|UTF8Span|StaticBigInt|RangeSet|(?:With)?DiscardingTaskGroup|UUID\.v7)\b|\.(?:replacing|firstRange|firstMatch|wholeMatch|trimmingPrefix|milliseconds|microseconds)\(|filePath:|\.appending\(path|isolated deinit|\bany \w+</#
    for line in Self.text(of: room).split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
      #expect(line.firstMatch(of: newer) == nil, "\(room): \(line)")
    }
  }

  @Test func `SQL is kept in Storage alone`() {
    for room in Self.rooms.keys where room != "Storage" {
      #expect(!Self.imports(of: room).contains { $0.module == "GRDB" }, "\(room)")
    }
  }

  @Test func `an error that rooms hand on says in words what is wrong, since it comes into logs and answers`() throws {
    // Its cases are the codes of problems; `detail` has the words.
    let exempt: Set<String> = ["RequestFailure"]
    var found: [String] = []
    for room in Self.rooms.keys {
      let text = Self.text(of: room)
      for match in text.matches(of: #/(?m)^ *public (?:struct|enum|final class) (\w+): ([^{\n]*\bError\b[^{\n]*)\{/#) {
        let name = String(match.1)
        found.append(name)
        let isSaid =
          match.2.contains("CustomStringConvertible") || text.contains("extension \(name): CustomStringConvertible")
        #expect(isSaid || exempt.contains(name), "\(room)/\(name)")
      }
    }
    #expect(Set(found).isSuperset(of: ["StoreError", "ClientError", "FileFailure"]))
  }

  @Test func `the top level holds only what a repository needs`() throws {
    let allowed: Set<String> = [
      "Package.swift", "Sources", "Tests", "migrations", "config", "Dockerfile", "README.md", "scripts", "docs", ".ci",
      "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ".swift-format", ".gitignore", ".dockerignore",
      ".git", ".build", "Package.resolved", "data", "clients",
      // npm reads it there alone when it installs from a repository.
      "package.json",
    ]
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.root.path) where !name.hasPrefix(".build") {
      #expect(allowed.contains(name), "\(name)")
    }
  }
}
