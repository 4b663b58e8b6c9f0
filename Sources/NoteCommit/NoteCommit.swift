import Foundation
import PackagePlugin

/// Has each build write down its commit (docs/decisions/0086).
@main struct NoteCommit: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    let script = package.appendingPathComponent("Sources/NoteCommit/note.sh")
    let folder = context.pluginWorkDirectoryURL.appendingPathComponent("noted")
    return [
      .prebuildCommand(
        displayName: "Noting the commit", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: [script.path, package.path, folder.path], outputFilesDirectory: folder)
    ]
  }
}
