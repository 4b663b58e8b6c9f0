// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The `.yaml` files that targets exclude are the text of docs/openapi.yaml, beside the code that it describes.

/// Every room is built by the same strict rules. A warning is an error.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library of the server's: an app that depends on the client with `traits: []` neither fetches nor builds it.
func server(_ product: String, of package: String) -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let argumentParser: Target.Dependency = server("ArgumentParser", of: "swift-argument-parser")
let crypto: Target.Dependency = server("Crypto", of: "swift-crypto")
let grdb: Target.Dependency = server("GRDB", of: "GRDB.swift")
let sqlite: Target.Dependency = server("GRDBSQLite", of: "GRDB.swift")
let logging: Target.Dependency = server("Logging", of: "swift-log")
let lifecycle: Target.Dependency = server("ServiceLifecycle", of: "swift-service-lifecycle")
let tracing: Target.Dependency = server("Tracing", of: "swift-distributed-tracing")
let unixSignals: Target.Dependency = server("UnixSignals", of: "swift-service-lifecycle")
let yams: Target.Dependency = server("Yams", of: "Yams")

let package = Package(
  name: "hearth",
  // The server runs on Linux; these are for apps with HearthClient.
  platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .visionOS(.v1), .watchOS(.v8)],
  products: [
    .executable(name: "hearth", targets: ["hearth"]),
    .executable(name: "http-echo", targets: ["http-echo"]),
    .library(name: "HearthClient", targets: ["HearthClient"]),
    .library(name: "HomePayload", targets: ["HomePayload", "JSON"]),
  ],
  traits: [
    .default(enabledTraits: ["Server"]),
    .trait(name: "Server", description: "The libraries of the server, which apps do without."),
    .trait(
      name: "PostgreSQL", description: "Does nothing any more: every build takes a database of PostgreSQL.",
      enabledTraits: ["Server"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.8.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
  ],
  targets: [
    .target(name: "CLinux"),
    .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Compression", dependencies: ["CBrotli", "CZlib"], swiftSettings: strict),
    // Loads libpq when a database of PostgreSQL is named: neither a build nor SQLite needs it.
    .target(name: "CPostgreSQL"),
    .target(name: "PostgreSQL", dependencies: ["CPostgreSQL"], swiftSettings: strict),
    // Loads libcurl when something is sent out: neither a build nor a server that sends nothing needs it.
    .target(name: "CCurl"),
    .target(name: "HTTPClient", dependencies: ["CCurl"], swiftSettings: strict),
    .target(name: "Traces", dependencies: ["HTTPClient", "JSON", logging, tracing], swiftSettings: strict),
    .target(name: "Dates", swiftSettings: strict),
    .target(name: "Threads", swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict),
    .target(
      name: "HomePayload", dependencies: ["JSON"],
      exclude: [
        "Action.yaml", "ChangeSet.yaml", "Item.yaml", "Page.yaml", "SectionLayout.yaml",
      ],
      swiftSettings: strict),
    .target(name: "JSONSchema", dependencies: ["JSON", "Dates"], swiftSettings: strict),
    .target(
      name: "Layout", dependencies: ["HomePayload", "JSONSchema", "JSON", "Dates", "Compression", crypto],
      exclude: [
        "Assembly/LayoutResolver.yaml", "Conditions/Predicate.yaml", "Content/ItemDefinition.yaml",
        "Content/SectionContent.yaml", "Kinds/Kinds.yaml", "Lint/LintProblem.yaml", "Locales/Locale.yaml",
        "Model/Asking.yaml", "Model/PageDefinition.yaml", "Model/SectionDefinition.yaml", "Summary/Sentence.yaml",
        "Time/Schedule.yaml",
      ],
      swiftSettings: strict),
    .target(name: "Generation", dependencies: ["Layout", "JSONSchema", "JSON"], swiftSettings: strict),
    .target(
      name: "HTTPServer", dependencies: ["CLinux", "Dates", logging],
      // Only here: `Request` lends spans of the loop's memory, which nobody can keep.
      // Exclusive access is checked in debug builds, where all tests run; in release the checks were a fifth of the
      // instructions of a poll (docs/decisions/0010).
      swiftSettings: strict + [
        .enableExperimentalFeature("Lifetimes"),
        .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
      ]),
    .target(
      name: "Storage", dependencies: ["Layout", "JSON", "Threads", "PostgreSQL", grdb, sqlite, crypto, tracing],
      resources: [.copy("../../migrations")],
      swiftSettings: strict),
    .target(
      name: "Serving",
      dependencies: [
        "HTTPServer", "HTTPClient", "Layout", "HomePayload", "JSON", "Storage", "Compression", "Threads", crypto,
        logging, tracing,
      ],
      exclude: [
        "Assets/AssetHandler.yaml", "Poll/PollHandler.yaml", "Problem.yaml",
      ],
      swiftSettings: strict),
    .target(
      name: "Backup",
      dependencies: ["Storage", "HTTPClient", "Layout", "JSON", "Compression", "Threads", crypto, logging],
      swiftSettings: strict),
    .target(
      name: "Service",
      dependencies: [
        "Backup", "HTTPServer", "HTTPClient", "Serving", "Compression", "Storage", "Layout", "HomePayload",
        "JSONSchema", "JSON", "Threads", "Traces", crypto, logging, tracing, yams,
      ],
      exclude: [
        "Admin/AdminAPI+Asking.yaml", "Admin/AdminAPI+Assets.yaml", "Admin/AdminAPI+Audiences.yaml",
        "Admin/AdminAPI+Audit.yaml", "Admin/AdminAPI+Content.yaml", "Admin/AdminAPI+Documents.yaml",
        "Admin/AdminAPI+Kinds.yaml", "Admin/AdminAPI+Nodes.yaml", "Admin/AdminAPI+Order.yaml",
        "Admin/AdminAPI+Pages.yaml", "Admin/AdminAPI+Preview.yaml", "Admin/AdminAPI+PreviewLinks.yaml",
        "Admin/AdminAPI+Publishing.yaml", "Admin/AdminAPI+Revisions.yaml", "Admin/AdminAPI+Scheduled.yaml",
        "Admin/AdminAPI+Search.yaml", "Admin/AdminAPI+Sections.yaml", "Admin/AdminAPI+Tokens.yaml",
        "Admin/AdminAPI+Webhooks.yaml", "Admin/AdminAPI+Withheld.yaml", "Admin/OpenAPIDocument.yaml",
        "Console/ConsoleHandler.yaml", "Operations/Operations.yaml",
      ],
      resources: [
        .copy("Console/assets"), .copy("Console/demo"), .copy("../../clients/typescript"),
        .copy("../../docs/openapi.yaml"),
      ],
      swiftSettings: strict,
      plugins: ["BundleConsole"]),
    // Of its own, since each commit changes it: only what imports it is compiled again.
    .target(name: "BuildCommit", swiftSettings: strict, plugins: ["NoteCommit"]),
    .plugin(name: "NoteCommit", capability: .buildTool(), path: "Sources/NoteCommit", exclude: ["note.sh"]),
    .plugin(name: "BundleConsole", capability: .buildTool(), path: "Sources/BundleConsole", exclude: ["bundle.sh"]),
    .target(name: "Polling", dependencies: ["HomePayload", "JSON", crypto], swiftSettings: strict),
    .target(name: "HearthClient", dependencies: ["Polling", "HomePayload", "JSON"], swiftSettings: strict),
    .executableTarget(
      name: "hearth",
      dependencies: [
        "Service", "Backup", "HTTPServer", "HTTPClient", "Serving", "Storage", "Generation", "Layout", "JSONSchema",
        "JSON", "Compression", "Polling", "HomePayload", "CLinux", "Traces", "BuildCommit", argumentParser,
        logging, lifecycle, unixSignals,
      ],
      // What `hearth init` begins with.
      resources: [.copy("../../config")],
      swiftSettings: strict),
    .executableTarget(name: "http-echo", dependencies: ["HTTPServer", "Compression", logging], swiftSettings: strict),
    // Programs that others wrote, for tests to stand beside the server.
    .target(name: "Peers", dependencies: ["HTTPServer", logging], path: "Tests/Peers", swiftSettings: strict),
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
    .testTarget(
      name: "HTTPServerTests", dependencies: ["HTTPServer", "Peers", "SeededRandom", "http-echo", logging],
      swiftSettings: strict),
    .testTarget(
      name: "HearthTests",
      dependencies: ["hearth", "HTTPServer", "HomePayload", "JSON", "Peers", argumentParser, logging],
      swiftSettings: strict),
    .testTarget(
      name: "GenerationTests",
      dependencies: ["Generation", "Layout", "HomePayload", "JSONSchema", "JSON", "Service", "SeededRandom"],
      exclude: ["Golden", "Apps"],
      swiftSettings: strict),
    .testTarget(name: "HouseRules", swiftSettings: strict),
    .testTarget(name: "JSONSchemaTests", dependencies: ["JSON", "JSONSchema", "SeededRandom"], swiftSettings: strict),
    .testTarget(
      name: "LayoutTests",
      dependencies: [
        "Layout", "HomePayload", "JSONSchema", "JSON", "Service", "Serving", "Storage", "SeededRandom",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Service", "HTTPServer", "HTTPClient", "Serving", "Compression", "Storage", "Layout", "HearthClient",
        "HomePayload", "JSON",
        "Peers", "SeededRandom", crypto, grdb, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HearthClientTests",
      dependencies: [
        "HearthClient", "Polling", "HomePayload", "HTTPServer", "Compression", "JSON", crypto, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HomePayloadTests", dependencies: ["Polling", "HomePayload", "JSON", "Peers", "SeededRandom"],
      swiftSettings: strict),
    .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "HTTPServer", "Peers"], swiftSettings: strict),
    .testTarget(
      name: "TracesTests", dependencies: ["Traces", "HTTPClient", "HTTPServer", "JSON", "Peers", logging, tracing],
      swiftSettings: strict),
    .testTarget(name: "PostgreSQLTests", dependencies: ["PostgreSQL", "Peers"], swiftSettings: strict),
    .testTarget(
      name: "StorageTests", dependencies: ["Storage", "PostgreSQL", "Layout", "JSON", "Peers", "SeededRandom", grdb],
      swiftSettings: strict),
    .testTarget(
      name: "BackupTests",
      dependencies: ["Backup", "HTTPClient", "Storage", "Layout", "JSON", "Peers", "SeededRandom", grdb, logging],
      swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
    // In the place of Dispatch and of the clocks, for the threads of simulations.
    .target(name: "CSimulation", path: "Tests/CSimulation"),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["CSimulation", "Serving", "Storage", "Layout", "HomePayload", "JSON", "SeededRandom", grdb],
      swiftSettings: strict),
  ]
)

// The image is built without the tests' sources.
if !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests") {
  package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}
