import Compression
import Foundation
import HTTPServer
import Layout
import Serving
import Storage
import Synchronization

/// Files for the browser, read once.
struct ConsoleAssets: Sendable {
  /// One file.
  final class Asset: Sendable {
    let type: String
    let identity: [UInt8]
    /// Weak, and the same for all codings, as on the public listener.
    let tag: String
    private let compressed = Mutex<[ContentCoding: [UInt8]]>([:])

    fileprivate init(_ bytes: [UInt8], type: String) {
      self.type = type
      identity = bytes
      tag = "W/\"\(Fingerprint.of(bytes).prefix(16))\""
    }

    /// The bytes in a coding: made when they are first asked for, by a task and not a loop, and kept. Most files never are,
    /// because the bundle has what is in them.
    func bytes(_ coding: ContentCoding) -> [UInt8] {
      guard coding != .identity else { return identity }
      return compressed.withLock { kept in
        if let made = kept[coding] { return made }
        let made = coding == .brotli ? Brotli.compress(identity) : Gzip.compress(identity)
        kept[coding] = made
        return made
      }
    }
  }

  private let assets: [String: Asset]

  /// Reads every file of the folders that the build copies, and what it makes of them.
  ///
  /// - Parameters:
  ///   - folders: Their names, by the paths that they have here.
  ///   - bundled: What the build makes: the paths of the files that it takes the place of (`Sources/BundleConsole`).
  /// - Throws: What the file system says.
  init(folders: KeyValuePairs<String, String>, bundled: [String]) throws {
    let root = ProgramFiles.folder(of: "Service")
    var assets: [String: Asset] = [:]
    func read(_ file: URL, as path: String) throws {
      guard let type = Self.types[file.pathExtension] else { return }
      assets[path] = Asset([UInt8](try Data(contentsOf: file)), type: type)
    }
    for (path, folder) in folders {
      let folder = root.appendingPathComponent(folder)
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        try read(folder.appendingPathComponent(name), as: path + name)
      }
    }
    for path in bundled { try read(root.appendingPathComponent((path as NSString).lastPathComponent), as: path) }
    self.assets = assets
  }

  /// A file by its path; of a folder, which ends with an empty segment, its page.
  subscript(path: [String]) -> Asset? {
    let name = path.joined(separator: "/")
    return assets[name.isEmpty || name.hasSuffix("/") ? name + "index.html" : name]
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "map": "application/json", "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8",
  ]
}
