import Foundation
import Testing

/// `hearth generate`, as a shell runs it.
@Suite struct GenerateTests {
  private func golden(_ name: String) throws -> String {
    try String(
      contentsOf: Documents.root.appending(path: "Tests/GenerationTests/Golden/\(name)"), encoding: .utf8)
  }

  @Test(arguments: [("swift", "Kinds.swift.txt"), ("kotlin", "Kinds.kt.txt"), ("typescript", "kinds.ts.txt")])
  func `the types of the configured kinds go to standard output`(language: String, file: String) throws {
    let workshop = try Workshop()
    let result = try workshop.run(["generate", language, "--config", workshop.config])
    #expect(result.output == (try golden(file)))
    #expect(result.status == 0)
    #expect(result.error.isEmpty)
  }

  @Test func `a file is written whole, left alone when it is right, and checked`() throws {
    let workshop = try Workshop()
    let file = workshop.folder + "/Kinds.swift"
    let arguments = ["generate", "swift", "--config", workshop.config, "--output", file]
    let missing = try workshop.run(arguments + ["--check"])
    #expect(missing.status == 1)
    #expect(missing.error.contains("is not what the kinds come to; write it with hearth generate swift"))
    #expect(!FileManager.default.fileExists(atPath: file), "a check writes nothing")
    #expect(try workshop.run(arguments).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == golden("Kinds.swift.txt"))
    let inode = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? UInt64
    #expect(try workshop.run(arguments).status == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? UInt64 == inode)
    #expect(try workshop.run(arguments + ["--check"]).status == 0)
    try workshop.shell("sed -i 's/maxLength: 8$/enum: [a, b]/' config/kinds.yaml")
    #expect(try workshop.run(arguments + ["--check"]).status == 1)
    #expect(try workshop.run(arguments + ["--name", "HomeKinds"]).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("public enum HomeKinds {"))
  }

  @Test func `what cannot be done is said`() throws {
    let workshop = try Workshop()
    let place = ["--config", workshop.config]
    for (arguments, said) in [
      (["rust"], "must be swift, kotlin, typescript"), (["swift", "--check"], "--check needs the file"),
      (["swift", "--name", "class"], "--name class cannot be a name in swift"),
      (["typescript", "--name", "Kinds"], "a TypeScript file is a namespace itself"),
    ] {
      let result = try workshop.run(["generate"] + arguments + place)
      #expect(result.status == 64)
      #expect(result.error.contains(said), "\(result.error)")
    }
    let nowhere = try workshop.run(["generate", "swift", "--output", "/nowhere/Kinds.swift"] + place)
    #expect(nowhere.status == 74)
    _ = try workshop.write("itemKinds: {a: {}}", to: "config/kinds.yaml")
    #expect(try workshop.run(["generate", "swift"] + place).status == 78)
  }

  @Test func `the kinds of a server that runs are taken over HTTP with a token`() throws {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let server = try workshop.serve()
    let asking = ["generate", "kotlin", "--server", "http://127.0.0.1:\(server.admin)"]
    let result = try workshop.run(asking, environment: ["HEARTH_TOKEN": token])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output == (try golden("Kinds.kt.txt")))
    let refused = try workshop.run(asking, environment: ["HEARTH_TOKEN": "hearth_wrong"])
    #expect(refused.status == 69)
    #expect(refused.error.contains("answers with 401"), "\(refused.error)")
    let bare = try workshop.run(asking)
    #expect(bare.status == 78)
    #expect(bare.error.contains("HEARTH_TOKEN must hold a token"))
    let ended = server.admin
    #expect(server.end() == 0)
    let gone = try workshop.run(
      ["generate", "swift", "--server", "http://localhost:\(ended)/"], environment: ["HEARTH_TOKEN": token])
    #expect(gone.status == 69)
    for server in ["https://127.0.0.1:8081", "127.0.0.1:8081", "http://127.0.0.1:8081/admin"] {
      let result = try workshop.run(["generate", "swift", "--server", server], environment: ["HEARTH_TOKEN": token])
      #expect(result.status == 64)
      #expect(result.error.contains("--server must be http://ADDRESS:PORT"), "\(result.error)")
    }
  }
}
