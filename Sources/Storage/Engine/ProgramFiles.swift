public import Foundation

/// The files that the build puts beside the program: a folder for each module that has some.
public enum ProgramFiles {
  /// The folder of a module's files.
  ///
  /// `Bundle.module` would look for it in the place of the build as well, so that each program would name that place.
  public static func folder(of module: String) -> URL {
    Bundle.main.bundleURL.appendingPathComponent("hearth_\(module).resources")
  }
}
