import Testing

@Suite struct EndpointTableTests {
  /// The operations of the OpenAPI document, as `GET /v1/home`.
  private func described() throws -> Set<String> {
    var path = ""
    var operations: Set<String> = []
    for line in try Documents.lines("docs/openapi.yaml").drop(while: { $0 != "paths:" }).dropFirst() {
      if line.first.map({ $0 != " " && $0 != "#" }) ?? false { break }
      if line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
      if line.hasPrefix("    "), !line.hasPrefix("     "), line.hasSuffix(":") {
        let name = line.dropFirst(4).dropLast()
        if ["get", "put", "post", "delete"].contains(name) { operations.insert("\(name.uppercased()) \(path)") }
      }
    }
    return operations
  }

  /// The operation in a row's first cell, such as `` `GET /v1/home` ``.
  private func operation(_ cell: String) -> String { cell.split(separator: "`").first.map(String.init) ?? "" }

  @Test func `the reference lists every operation of the public listener, and no other`() throws {
    let listed = try Documents.table("path | answers", in: "docs/reference.md").map { operation($0[0]) }
    // On the admin listener, beside its operations.
    let others = ["GET /status", "GET /metrics", "GET /console/"]
    let expected = try described().filter { !$0.contains(" /admin/v1/") }
    #expect(Set(listed) == expected.subtracting(others))
  }
}
