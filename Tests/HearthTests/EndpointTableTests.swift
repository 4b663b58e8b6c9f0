import Testing

@Suite struct EndpointTableTests {
  /// The operations of the OpenAPI document with the least role of each, as `GET /admin/v1/pages viewer`.
  private func described() throws -> Set<String> {
    var path = ""
    var method: String?
    var operations: [String: String] = [:]
    for line in try Documents.lines("docs/openapi.yaml").drop(while: { $0 != "paths:" }).dropFirst() {
      if line.first.map({ $0 != " " && $0 != "#" }) ?? false { break }
      if line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
      if line.hasPrefix("    "), !line.hasPrefix("     "), line.hasSuffix(":") {
        let name = line.dropFirst(4).dropLast()
        method = ["get", "put", "post", "delete"].contains(name) ? "\(name.uppercased()) \(path)" : nil
        if let method { operations[method] = "none" }
      }
      if let method, line.hasPrefix("      x-hearth-role: ") {
        operations[method] = line.split(separator: " ").last.map(String.init)
      }
    }
    return Set(operations.map { "\($0.key) \($0.value)" })
  }

  /// The operation in a row's first cell, such as `` `GET /v1/home` ``.
  private func operation(_ cell: String, below prefix: String) -> String {
    let code = cell.split(separator: "`").first.map(String.init) ?? ""
    return code.replacing(" /", with: " \(prefix)/")
  }

  @Test func `the reference lists every admin operation with its least role, and no other`() throws {
    let listed = try Documents.table("method and least role", in: "docs/reference.md").flatMap { row in
      row[1].split(separator: ", ").flatMap { path in
        row[0].split(separator: ", ").map { each in
          let words = each.filter { $0 != "†" }.split(separator: " ")
          return operation("`\(words[0]) \(path.filter { $0 != "`" })`", below: "/admin/v1") + " \(words[1])"
        }
      }
    }
    #expect(Set(listed).count == listed.count)
    let expected = try described().filter { $0.contains(" /admin/v1/") }
    #expect(Set(listed).subtracting(expected) == [])
    #expect(expected.subtracting(listed) == [])
  }

  @Test func `the reference lists every operation of the public listener, and no other`() throws {
    let listed = try Documents.table("path | answers", in: "docs/reference.md").map { operation($0[0], below: "") }
    // On the admin listener, beside its operations.
    let others = ["GET /status", "GET /metrics", "GET /console/"]
    let expected = Set(
      try described().filter { !$0.contains(" /admin/v1/") }.map {
        $0.split(separator: " ").prefix(2).joined(separator: " ")
      })
    #expect(Set(listed) == expected.subtracting(others))
  }
}
