/// An app's version: numbers separated by dots, compared number by number, absent ones being zero.
public struct AppVersion: Hashable, Sendable {
  /// The numbers, without trailing zeros.
  public let numbers: [Int]

  /// A version.
  public init(numbers: [Int]) {
    let significant = numbers.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    self.numbers = Array(numbers.prefix(significant))
  }

  /// A version such as `5.2.0`: 1 to 8 numbers of up to 9 digits; what follows `-` or `+` does not count.
  public init?(_ text: String) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...8).contains(parts.count),
      parts.allSatisfy({ (1...9).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    self.init(numbers: parts.compactMap { Int($0) })
  }
}

extension AppVersion: Comparable {
  /// Whether one version is before another.
  public static func < (left: AppVersion, right: AppVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}

extension AppVersion: CustomStringConvertible {
  /// The numbers with dots, at least two.
  public var description: String {
    let padded = numbers + Array(repeating: 0, count: max(0, 2 - numbers.count))
    return padded.map(String.init).joined(separator: ".")
  }
}
