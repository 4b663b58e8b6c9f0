import Foundation
public import JSON
public import Layout
import Serving

/// The file of the kinds that this node was given, which is read again when it is asked to reload it.
public struct KindsFile: Sendable {
  /// Where it is.
  public let path: String
  private let limits: LayoutLimits

  /// A file that need not be there yet.
  public init(path: String, limits: LayoutLimits = LayoutLimits()) {
    self.path = path
    self.limits = limits
  }

  /// Reads the file.
  ///
  /// - Throws: ``InvalidKindsFile``.
  public func read() throws(InvalidKindsFile) -> Kinds {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw InvalidKindsFile(path: path, problems: [InvalidKindsFile.Problem(detail: "cannot be read")])
    }
    let document: YAMLDocument
    do { document = try YAMLDocument(Array(data)) } catch {
      throw InvalidKindsFile(
        path: path, problems: [InvalidKindsFile.Problem(line: error.line, keyword: "yaml", detail: error.detail)])
    }
    do { return try Kinds(json: document.json, limits: limits) } catch {
      throw InvalidKindsFile(
        path: path, problems: error.problems.map { InvalidKindsFile.Problem($0, line: document.line(of: $0.pointer)) })
    }
  }
}

/// A file of kinds that cannot be read, or is wrong.
public struct InvalidKindsFile: Error, Sendable, CustomStringConvertible {
  /// One thing that is wrong.
  public struct Problem: Sendable {
    /// The line, from 1, where it is known.
    public var line: Int?
    /// The place in the document, where it is one.
    public var pointer: JSONPointer?
    /// The kind that it is about.
    public var kind: String?
    /// The member or the keyword of JSON Schema that is wrong, or `yaml`.
    public var keyword: String?
    /// The problem and what would be right, in words.
    public var detail: String

    init(line: Int? = nil, keyword: String? = nil, detail: String) {
      (self.line, self.keyword, self.detail) = (line, keyword, detail)
    }

    init(_ problem: DocumentProblem, line: Int?) {
      let tokens = problem.pointer.tokens
      self.init(line: line ?? 1, keyword: tokens.count > 2 ? tokens.last : nil, detail: problem.detail)
      pointer = problem.pointer
      if tokens.count > 1, ["itemKinds", "sectionKinds"].contains(tokens[0]) { kind = tokens[1] }
    }
  }

  /// The file.
  public let path: String
  /// Everything that is wrong, at least one.
  public let problems: [Problem]

  /// A line for each problem, with file and line number, without repetitions.
  public var description: String {
    var lines: [String] = []
    for problem in problems {
      let place = problem.pointer.map { "\($0) " } ?? ""
      let line =
        problem.line == nil && problem.pointer == nil && problem.keyword == nil
        ? "\(path) \(problem.detail)" : "\(path)\(problem.line.map { ":\($0)" } ?? ""): \(place)\(problem.detail)"
      if !lines.contains(line) { lines.append(line) }
    }
    return lines.joined(separator: "\n")
  }
}
