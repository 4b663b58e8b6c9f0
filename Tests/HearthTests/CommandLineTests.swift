import ArgumentParser
import Testing

@testable import hearth

@Suite struct CommandLineTests {
  /// The arguments of a line that runs `hearth`, `nil` when it runs something else.
  private func arguments(_ line: Substring) -> [String]? {
    var words = line.split(separator: " ").map(String.init)[...]
    if words.first == "$" { words.removeFirst() }
    guard let program = words.popFirst(), program.split(separator: "/").last == "hearth" else { return nil }
    let rest = words.prefix { !["#", ">", "|", "&&", "&", "\\"].contains($0) && !$0.hasSuffix(";") }
    // What a shell would make of quotes and variables does not matter to the parser.
    return rest.map { $0.filter { $0 != "\"" && $0 != "'" } }
  }

  private func check(_ arguments: [String], in path: String) {
    do { _ = try Hearth.parseAsRoot(arguments) } catch {
      guard Hearth.exitCode(for: error) != .success else { return }
      Issue.record("\(path): hearth \(arguments.joined(separator: " ")): \(Hearth.message(for: error))")
    }
  }

  @Test(arguments: Documents.markdown) func `every hearth command in a document can be parsed`(path: String) throws {
    for arguments in try Documents.code(in: path).compactMap(arguments) { check(arguments, in: path) }
  }

  @Test func `the commands of the reference are there, and every command is in the reference`() throws {
    let rows = try Documents.table("command", in: "docs/reference.md").map { $0[0].filter { $0 != "`" } }
    for row in rows { check(arguments(row[...]) ?? ["no command: \(row)"], in: "docs/reference.md") }
    for command in Hearth.configuration.subcommands {
      let name = command._commandName
      #expect(rows.contains { $0.hasPrefix("hearth \(name)") }, "\(name)")
    }
  }
}
