import Foundation
import PackagePlugin

/// Has the build make one module of the console's modules, another of its tables, and one style sheet, so that a browser
/// gets it in few requests (docs/decisions/0061 and 0092).
@main struct BundleConsole: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    let script = package.appendingPathComponent("Sources/BundleConsole/bundle.sh")
    let assets = package.appendingPathComponent("Sources/Service/Console/assets")
    let client = package.appendingPathComponent("clients/typescript")
    let folder = context.pluginWorkDirectoryURL
    let made = folder.appendingPathComponent("made")
    return [
      .buildCommand(
        displayName: "Bundling the console", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: [script.path, assets.path, client.path, folder.path],
        inputFiles: try [script] + files(in: assets) + files(in: client),
        outputFiles: [
          "bundle.js", "bundle.js.map", "bundle.css", "bundle.css.map", "sheets.js", "sheets.js.map",
          "gallery.js", "gallery.js.map", "shared.js",
        ].map { made.appendingPathComponent($0) })
    ]
  }

  /// Every file of a folder, in an order that is always the same, and the folders in it: what is added or removed there
  /// changes them.
  private func files(in folder: URL) throws -> [URL] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return [folder] + names.sorted().map { folder.appendingPathComponent($0) }
  }
}
