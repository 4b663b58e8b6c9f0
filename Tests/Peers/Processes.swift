import Foundation

/// What /proc says of the machine's processes: Debian's smallest system has no program that does.
public enum Processes {
  /// Those that a process has started and that are there still.
  public static func children(of parent: Int32) -> [Int32] {
    all.filter { process in
      // Behind the name, which is in parentheses and may have any: the state, and then the parent.
      let stat = read("\(process)/stat")
      return stat.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) } == parent
    }
  }

  /// Those whose command line has some words in it.
  public static func running(_ words: String) -> [Int32] {
    all.filter { read("\($0)/cmdline").replacingOccurrences(of: "\0", with: " ").contains(words) }
  }

  private static var all: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
  }

  /// Empty for a process that has ended meanwhile.
  private static func read(_ name: String) -> String {
    FileManager.default.contents(atPath: "/proc/\(name)").map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
