import Foundation
import HomePayload
import JSON
import Testing

@testable import Polling

/// The vectors of docs/protocol.md; Tests/TypeScriptClient/protocol.test.mjs and `check.py` beside them run them, too.
@Suite struct ProtocolTests {
  private static let vectors: JSON = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("ClientCases/protocol/vectors.json")
    return (try? JSON.parse([UInt8](Data(contentsOf: file)))) ?? .null
  }()

  private static func cases(_ name: String) throws -> [JSON] {
    let cases = try #require(vectors[name]?.array)
    #expect(!cases.isEmpty)
    return cases
  }

  private static func bytes(_ aCase: JSON, _ name: String) throws -> [UInt8] {
    Array(try #require(aCase[name]?.string).utf8)
  }

  @Test func `strings and numbers are written as the vectors say`() throws {
    for aCase in try Self.cases("strings") {
      #expect(try #require(aCase["value"]).canonicalText == aCase["text"]?.string)
    }
    for aCase in try Self.cases("numbers") {
      #expect(JSONNumber(text: try #require(aCase["value"]?.string))?.text == aCase["text"]?.string)
    }
  }

  @Test func `a page agrees with its hash or does not, and is written as it came`() throws {
    for aCase in try Self.cases("pages") {
      let bytes = try Self.bytes(aCase, "text")
      let page = try Page(bytes: bytes)
      #expect(page.isVersion(of: bytes) == aCase["agrees"]?.bool, "\(aCase["name"]?.string ?? "")")
      if aCase["agrees"]?.bool == true { #expect(page.canonicalBytes == bytes) }
    }
  }

  @Test func `changes lead to the page that they say, byte for byte`() throws {
    for aCase in try Self.cases("changes") {
      let old = try Page(bytes: Self.bytes(aCase, "old"))
      let new = try old.applying(ChangeSet(bytes: Self.bytes(aCase, "changes")))
      #expect(new.canonicalBytes == (try Self.bytes(aCase, "new")), "\(aCase["name"]?.string ?? "")")
    }
  }

  @Test func `what does not fit is refused, at the latest by the hash of what comes of it`() throws {
    for aCase in try Self.cases("refused") {
      let old = try Page(bytes: Self.bytes(aCase, "old"))
      let new = try? old.applying(ChangeSet(bytes: Self.bytes(aCase, "changes")))
      #expect(new.map { $0.isVersion(of: $0.canonicalBytes) } ?? false == false, "\(aCase["name"]?.string ?? "")")
    }
  }

  @Test func `what is signed is what the vectors say`() throws {
    for aCase in try Self.cases("signatures") {
      let fields = try #require(aCase["fields"])
      let read = PageSignature.read(
        input: fields["Signature-Input"]?.string ?? "", signature: fields["Signature"]?.string ?? "")
      let signature = try #require(read.first?.signature)
      let validator = (signature.content == .page ? fields["Unencoded-Digest"] : fields["ETag"])?.string ?? ""
      let base = signature.base(validator, revision: fields["Hearth-Revision"]?.string ?? "")
      #expect(String(decoding: base, as: UTF8.self) == aCase["base"]?.string, "\(aCase["name"]?.string ?? "")")
    }
  }
}
