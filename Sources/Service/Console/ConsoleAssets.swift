import Compression
import Foundation
import HTTPServer
import Layout
import Publication

/// Files for the browser, read and compressed once.
struct ConsoleAssets: Sendable {
  /// One file, ready to send.
  struct Asset: Sendable {
    let type: String
    let identity: [UInt8]
    let gzip: [UInt8]
    /// Weak, and the same for both codings, as on the public listener.
    let tag: String
  }

  private let assets: [String: Asset]

  /// Reads every file of the folders that the build makes.
  ///
  /// - Parameter folders: Their names, by the paths that they have here.
  /// - Throws: What the file system says.
  init(folders: KeyValuePairs<String, String>) throws {
    var assets: [String: Asset] = [:]
    for (path, folder) in folders {
      let folder = Bundle.module.bundleURL.appendingPathComponent(folder)
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        guard let type = Self.types[(name as NSString).pathExtension] else { continue }
        let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
        assets[path + name] = Asset(
          type: type, identity: bytes, gzip: Gzip.compress(bytes), tag: "W/\"\(Fingerprint.of(bytes).prefix(16))\"")
      }
    }
    self.assets = assets
  }

  /// A file by its path; of a folder, which ends with an empty segment, its page.
  subscript(path: [String]) -> Asset? {
    let name = path.joined(separator: "/")
    return assets[name.isEmpty || name.hasSuffix("/") ? name + "index.html" : name]
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8",
  ]
}
