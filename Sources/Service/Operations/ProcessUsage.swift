import Foundation

/// What this process uses of the machine, as Linux tells it in /proc.
struct ProcessUsage {
  /// Processor time spent, in user and kernel mode.
  var cpuSeconds: Double
  var residentBytes: Int
  var openDescriptors: Int

  /// `nil` where /proc is not what proc(5) describes.
  static var now: ProcessUsage? {
    guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
      let nameEnd = stat.lastIndex(of: ")")
    else { return nil }
    // The fields after the name start with the third.
    let fields = stat[nameEnd...].dropFirst(2).split(separator: " ")
    guard fields.count > 21, let user = Double(fields[11]), let kernel = Double(fields[12]), let pages = Int(fields[21])
    else { return nil }
    return ProcessUsage(
      cpuSeconds: (user + kernel) / Double(sysconf(Int32(_SC_CLK_TCK))),
      residentBytes: pages * sysconf(Int32(_SC_PAGESIZE)), openDescriptors: descriptors)
  }
}
