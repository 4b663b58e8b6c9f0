import Compression
import Foundation
import HTTPServer
import Layout
import Publication

/// The console's files, read and compressed once.
struct ConsoleAssets: Sendable {
  /// One file, ready to send.
  struct Asset: Sendable {
    let type: String
    let identity: [UInt8]
    let gzip: [UInt8]
    /// Weak, and the same for both codings, as on the public listener.
    let tag: String
  }

  /// Where the build puts them.
  static var folder: URL { Bundle.module.bundleURL.appendingPathComponent("assets") }

  private let assets: [String: Asset]

  /// Reads every file of a folder.
  ///
  /// - Throws: What the file system says.
  init(folder: URL = folder) throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var assets: [String: Asset] = [:]
    for name in names {
      guard let type = Self.types[(name as NSString).pathExtension] else { continue }
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      assets[name] = Asset(
        type: type, identity: bytes, gzip: Gzip.compress(bytes), tag: "W/\"\(Fingerprint.of(bytes).prefix(16))\"")
    }
    self.assets = assets
  }

  /// A file by its path below `/console/`; the page itself when the path is empty.
  subscript(path: [String]) -> Asset? {
    let name = path.joined(separator: "/")
    return assets[name.isEmpty ? "index.html" : name]
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8",
  ]
}
