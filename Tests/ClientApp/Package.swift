// swift-tools-version: 6.2
import PackageDescription

/// An app as docs/client.md has it: the client, and nothing of the server. app.test.mjs says where the package is.
let package = Package(
  name: "App",
  platforms: [.iOS(.v15), .macOS(.v12), .watchOS(.v8)],
  dependencies: [
    .package(url: Context.environment["CLIENT_PACKAGE"] ?? "", exact: "0.0.1", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "App",
      dependencies: [
        .product(name: "HearthClient", package: "hearth"), .product(name: "HomePayload", package: "hearth"),
      ]),
    // What the client costs; tests do not run it.
    .executableTarget(
      name: "Figures",
      dependencies: [
        .product(name: "HearthClient", package: "hearth"), .product(name: "HomePayload", package: "hearth"),
      ]),
  ]
)
