import ArgumentParser
import JSON
import Layout
import Serving
import Service

/// `hearth keys`
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Make, list and retire the keys that sign pages.",
    discussion: """
      A running server takes a change at SIGHUP. Two keys sign at most: the one that apps pin, and the one that is to take \
      its place.
      """,
    subcommands: [Create.self, List.self, Retire.self])

  /// Where the keys are.
  struct Place: ParsableArguments {
    @Option(name: .customLong("folder"), help: "The folder of the keys (default: signing.keysFolder).")
    var path: String?

    @OptionGroup var options: Options

    /// - Throws: ``Failure`` 78 where nothing names a folder.
    func folder() throws -> SigningKeyFolder {
      guard let path = try path ?? settings().keysFolder else {
        throw Failure(.configuration, "no folder of keys is named; use --folder DIR, or set signing.keysFolder")
      }
      return SigningKeyFolder(path: path)
    }

    func settings() throws -> SigningSettings { try options.settings(needsFolder: false).values.server.signing }
  }

  /// `hearth keys create`
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a key, and its folder where there is none; print its id and the public key that apps pin.")

    @OptionGroup var place: Place

    func run() async throws {
      try await reporting {
        let key = try place.folder().create(at: .now)
        print("\(key.id)  \(key.publicKey)")
      }
    }
  }

  /// `hearth keys list`
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the keys with their public parts, those that sign first.")

    @OptionGroup var place: Place

    @Flag(help: "Write JSON: an array of {id, state, publicKey, created, retired}.")
    var json = false

    func run() async throws {
      try await reporting {
        var keys: [JSON] = []
        let settings = try place.settings()
        if place.path == nil, settings.keys != nil {
          keys = try settings.read().map {
            ["id": .string($0.id), "state": .string("active"), "publicKey": .string($0.publicKey)]
          }
        } else {
          keys = try place.folder().entries.map(\.json)
        }
        guard !json else { return print(JSON.array(keys).canonicalText) }
        for key in keys {
          let text = { (name: String) in key[name]?.string ?? "" }
          let created = text("created").isEmpty ? "" : "  created \(text("created"))"
          let retired = text("retired").isEmpty ? "" : "  retired \(text("retired"))"
          print("\(text("id"))  \(text("state"))  \(text("publicKey"))\(created)\(retired)")
        }
      }
    }
  }

  /// `hearth keys retire`
  struct Retire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a key's private part, so that it signs no more; the key stays listed. Then send SIGHUP.")

    @Argument(help: "The key's id, as hearth keys list shows it.")
    var id: String

    @OptionGroup var place: Place

    func run() async throws {
      try await reporting { try place.folder().retire(id, at: .now) }
    }
  }
}

extension SigningKeyFolder.Entry {
  fileprivate var json: JSON {
    var json: JSONObject = [
      "id": .string(id), "state": .string(retired == nil ? "active" : "retired"), "publicKey": .string(publicKey),
      "created": .string("\(created)"),
    ]
    if let retired { json["retired"] = .string("\(retired)") }
    return .object(json)
  }
}
