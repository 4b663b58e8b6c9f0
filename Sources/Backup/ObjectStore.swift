import Crypto
import Foundation
import HTTPClient
import Layout

/// A bucket of what speaks S3, asked by paths (`ENDPOINT/BUCKET/KEY`) with requests that are signed by Signature Version
/// 4 (https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html).
struct ObjectStore: BackupTarget {
  /// Who asks.
  struct Credentials {
    var accessKey: String
    var secretKey: String
    /// Of credentials that end by themselves.
    var sessionToken: String?

    /// Reads a file as the tools of AWS have it: `aws_access_key_id = …`, `aws_secret_access_key = …`, perhaps
    /// `aws_session_token = …`, the first of each; lines in brackets and those that begin with `#` are left out.
    init(ofFile path: String) throws(TargetFailure) {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw TargetFailure("\(path), which backup.credentialsFile names, cannot be read")
      }
      var found: [String: String] = [:]
      for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
        let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count == 2, found[parts[0]] == nil { found[parts[0]] = parts[1] }
      }
      guard let accessKey = found["aws_access_key_id"], let secretKey = found["aws_secret_access_key"] else {
        throw TargetFailure("\(path) must have the lines aws_access_key_id = … and aws_secret_access_key = …")
      }
      (self.accessKey, self.secretKey, sessionToken) = (accessKey, secretKey, found["aws_session_token"])
    }
  }

  /// Settings of requests: a piece has at most some megabytes, and may take a slow line a minute.
  private static let (timeout, answerBytesMax) = (Duration.seconds(60), 64 * 1024 * 1024)

  private let client: HTTPClient
  private let endpoint: String
  private let host: String
  private let bucket: String
  /// Empty, or ends with a slash.
  private let prefix: String
  private let region: String
  private let credentialsFile: String

  let name: String

  /// - Parameters:
  ///   - place: `BUCKET/PREFIX`, of `s3://BUCKET/PREFIX`.
  ///   - timeout: How long a request may take.
  init(
    _ place: Substring, _ settings: BackupSettings, timeout: Duration = Self.timeout
  ) throws(TargetFailure) {
    let parts = place.split(separator: "/", maxSplits: 1)
    guard let bucket = parts.first, !place.hasPrefix("/"),
      bucket.unicodeScalars.allSatisfy(Self.unreserved.contains)
    else {
      throw TargetFailure("backup.to must be s3://BUCKET/PREFIX, and is \"s3://\(place)\"")
    }
    var prefix = parts.count > 1 ? String(parts[1]) : ""
    while prefix.hasSuffix("/") { prefix.removeLast() }
    guard prefix.unicodeScalars.allSatisfy({ Self.unreserved.contains($0) || $0 == "/" }) else {
      throw TargetFailure(
        "the prefix of backup.to may have letters, digits, and -._~ between slashes, and is \"\(prefix)\"")
    }
    guard let endpoint = settings.endpoint, OutgoingURL(endpoint + "/") != nil, !endpoint.hasSuffix("/"),
      let host = endpoint.split(separator: "/").last, endpoint.split(separator: "/").count == 2
    else {
      throw TargetFailure(
        "backup.endpoint must be https://HOST of what speaks S3, such as https://s3.eu-central-1.amazonaws.com, and is "
          + "\"\(settings.endpoint ?? "")\"")
    }
    guard let credentialsFile = settings.credentialsFile else {
      throw TargetFailure("backup.credentialsFile must name the file with the keys for \(endpoint)")
    }
    (self.endpoint, self.host, self.bucket) = (endpoint, String(host), String(bucket))
    (self.prefix, region, self.credentialsFile) = (prefix.isEmpty ? "" : prefix + "/", settings.region, credentialsFile)
    name = "s3://\(bucket)/\(prefix)"
    _ = try Credentials(ofFile: credentialsFile)
    var outgoing = HTTPClientSettings()
    // The endpoint is of a setting, and not of somebody who works with the server: it may be in one's own network.
    outgoing.addressesAllowed = .all
    (outgoing.timeout, outgoing.answerBytesMax) = (timeout, Self.answerBytesMax)
    do { client = try HTTPClient(outgoing, program: "hearth") } catch { throw TargetFailure("\(error)") }
  }

  func put(_ name: String, _ bytes: [UInt8], replaces: Bool) throws(TargetFailure) {
    // What does not know the condition does without; a series has a name that nobody else draws.
    let condition = replaces ? [] : [("if-none-match", "*")]
    let answer = try send("PUT", name, fields: condition, body: bytes)
    switch answer.status {
    case 200...299: return
    case 409 where !replaces, 412 where !replaces:
      if try get(name) == bytes { return }
      throw TargetFailure("\(self.name)/\(name) is there already, and is another", isTaken: answer.status == 412)
    default: throw refusal("PUT", name, answer)
    }
  }

  func get(_ name: String) throws(TargetFailure) -> [UInt8]? {
    let answer = try send("GET", name)
    switch answer.status {
    case 200: return answer.body
    case 404 where Self.code(of: answer.body) != "NoSuchBucket": return nil
    default: throw refusal("GET", name, answer)
    }
  }

  func list(_ folder: String) throws(TargetFailure) -> [String] {
    var names: [String] = []
    var token: String?
    repeat {
      var query = [("delimiter", "/"), ("list-type", "2"), ("prefix", prefix + folder)]
      if let token { query.append(("continuation-token", token)) }
      let answer = try send("GET", nil, query: query)
      guard answer.status == 200 else { throw refusal("the list of", folder, answer) }
      let text = String(decoding: answer.body, as: UTF8.self)
      guard text.contains("<ListBucketResult"), text.contains("</ListBucketResult>") else {
        throw TargetFailure("\(self.name): the list of \(folder) is not one of S3")
      }
      let found =
        text.matches(of: /<Key>([^<]*)<\/Key>/).map { $0.1 }
        + text.matches(of: /<CommonPrefixes>\s*<Prefix>([^<]*)<\/Prefix>/).map { $0.1 }
      names += found.compactMap { key in
        key.hasPrefix(prefix + folder) ? String(key.dropFirst((prefix + folder).count)) : nil
      }
      let isCut = text.contains("<IsTruncated>true</IsTruncated>")
      token = isCut ? text.firstMatch(of: /<NextContinuationToken>([^<]+)</).map { Self.plain($0.1) } : nil
      guard !isCut || token != nil else { throw TargetFailure("\(self.name): the list of \(folder) does not go on") }
    } while token != nil
    return names.filter { !$0.isEmpty }.inOrderOfBytes
  }

  func remove(_ name: String) throws(TargetFailure) {
    let answer = try send("DELETE", name)
    guard (200...299).contains(answer.status) || answer.status == 404 else { throw refusal("DELETE", name, answer) }
  }

  private func refusal(_ what: String, _ name: String, _ answer: HTTPAnswer) -> TargetFailure {
    let code = Self.code(of: answer.body).map { ", \($0)" } ?? ""
    return TargetFailure("\(self.name): \(what) \(name) is answered with \(answer.status)\(code)")
  }

  /// The code of an error, such as `NoSuchBucket`.
  private static func code(of content: [UInt8]) -> String? {
    String(decoding: content.prefix(65_536), as: UTF8.self).firstMatch(of: /<Code>(\w+)<\/Code>/).map { String($0.1) }
  }

  /// Text of XML without its five entities.
  private static func plain(_ text: Substring) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")].reduce(String(text)) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}

/// Requests, and their signatures.
extension ObjectStore {
  private func send(
    _ method: String, _ name: String?, query: [(String, String)] = [], fields: [(String, String)] = [],
    body: [UInt8] = []
  ) throws(TargetFailure) -> HTTPAnswer {
    // Read each time: keys that change need no restart.
    let credentials = try Credentials(ofFile: credentialsFile)
    let path = "/\(bucket)" + (name.map { "/\(prefix)\($0)" } ?? "")
    let asked = query.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.sorted().joined(separator: "&")
    guard let url = OutgoingURL("\(endpoint)\(path)\(asked.isEmpty ? "" : "?\(asked)")") else {
      throw TargetFailure("\(self.name): \(path) is no address")
    }
    let time = BackupMoment.now.instant.description.replacing("-", with: "").replacing(":", with: "")
    var signed =
      [
        ("host", host), ("x-amz-content-sha256", SHA256.hash(data: body).hexadecimal), ("x-amz-date", time),
      ] + fields
    if let token = credentials.sessionToken { signed.append(("x-amz-security-token", token)) }
    let authorization = Self.authorization(
      method, path, asked, signed, time: time, region: region, accessKey: credentials.accessKey,
      secretKey: credentials.secretKey)
    let all =
      signed.filter { $0.0 != "host" } + [
        ("authorization", authorization), ("content-type", "application/octet-stream"),
      ]
    do {
      return try client.exchange(
        method, url, fields: all.map { (name: $0.0, value: $0.1) }, body: method == "PUT" ? body : nil)
    } catch { throw TargetFailure("\(self.name): \(error)") }
  }

  /// The field `Authorization` of a request.
  ///
  /// - Parameters:
  ///   - path: As it is sent.
  ///   - query: As it is sent, with its parts in their order.
  ///   - fields: Their names in lower case.
  ///   - time: `20261127T090000Z`.
  static func authorization(
    _ method: String, _ path: String, _ query: String, _ fields: [(String, String)], time: String, region: String,
    accessKey: String, secretKey: String
  ) -> String {
    let fields = fields.sorted { $0.0 < $1.0 }
    let names = fields.map(\.0).joined(separator: ";")
    let content = fields.first { $0.0 == "x-amz-content-sha256" }?.1 ?? ""
    let request = [method, path, query, fields.map { "\($0.0):\($0.1)\n" }.joined(), names, content]
      .joined(separator: "\n")
    let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(SHA256.hash(data: Array(request.utf8)).hexadecimal)"
    let key = scope.split(separator: "/").reduce(Array("AWS4\(secretKey)".utf8)) { code(of: $1, by: $0) }
    let signature = code(of: text, by: key).hexadecimal
    return "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
  }

  private static func code(of text: some StringProtocol, by key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key)))
  }

  /// What RFC 3986 reserves for nothing.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// With all else in hexadecimal.
  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
