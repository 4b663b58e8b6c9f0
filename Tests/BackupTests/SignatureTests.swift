import Foundation
import Testing

@testable import Backup

/// Requests to buckets are signed as Amazon's documentation shows
/// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
@Suite struct SignatureTests {
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private func signature(_ path: String, _ query: String = "", _ fields: [(String, String)] = []) -> String {
    let all = [
      ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-date", "20130524T000000Z"),
      ("x-amz-content-sha256", Self.empty),
    ]
    let text = ObjectStore.authorization(
      "GET", path, query, all + fields, time: "20130524T000000Z", region: "us-east-1",
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    return String(text.suffix(64))
  }

  @Test func `an object is asked for as in the first example`() {
    #expect(
      signature("/test.txt", "", [("range", "bytes=0-9")])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func `a list is asked for as in the last example`() {
    #expect(
      signature("/", "max-keys=2&prefix=J") == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test func `a wrong setting says what would be right`() {
    func problem(_ to: String, endpoint: String? = nil, file: String? = nil) -> String {
      var settings = BackupSettings()
      (settings.to, settings.endpoint, settings.credentialsFile) = (to, endpoint, file)
      do {
        _ = try settings.target()
        return ""
      } catch { return "\(error)" }
    }
    #expect(problem("s3:///prefix").hasPrefix("backup.to must be s3://BUCKET/PREFIX"))
    #expect(problem("s3://bucket/a b").hasPrefix("the prefix of backup.to may have letters"))
    #expect(problem("s3://bucket").hasPrefix("backup.endpoint must be https://HOST"))
    #expect(problem("s3://bucket", endpoint: "https://host/path").hasPrefix("backup.endpoint must be https://HOST"))
    #expect(problem("s3://bucket", endpoint: "https://host").hasPrefix("backup.credentialsFile must name the file"))
    #expect(
      problem("s3://bucket", endpoint: "https://host", file: "/dev/null").hasPrefix("/dev/null"))
    #expect(problem("file://host/folder").hasPrefix("backup.to must be file:///FOLDER or s3://"))
  }
}
