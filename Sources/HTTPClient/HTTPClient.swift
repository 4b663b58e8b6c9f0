private import CCurl
private import Foundation

/// What is set for all that leaves the machine.
public struct HTTPClientSettings: Sendable {
  /// The special addresses (``NetworkAddress/isSpecial``) that may be connected to.
  public var addressesAllowed = AddressRanges()
  /// How long a request may take, with the look-up of its host's name.
  public var timeout: Duration = .seconds(10)
  /// The bytes of an answer that are read.
  public var answerBytesMax = 65_536

  /// The default settings.
  public init() {}
}

/// Why there was no answer.
public enum HTTPClientFailure: Error, Hashable, CustomStringConvertible {
  /// libcurl cannot be used.
  case libraryMissing(String)
  /// The name could not be looked up.
  case unknownHost(String)
  /// The name stands for an address that may not be connected to.
  case addressRefused(host: String, address: NetworkAddress)
  /// Nothing, or nothing whole, came back; in libcurl's words.
  case noAnswer(String)
  /// More came back than may be read.
  case tooLong(bytesMax: Int)

  /// What is wrong, and the remedy.
  public var description: String {
    switch self {
    case .libraryMissing(let why): "\(why); requests to others need it (Debian's package libcurl4)"
    case .unknownHost(let host): "the host \(host) cannot be looked up"
    case .addressRefused(let host, let address):
      "the host \(host) is at \(address), which is no public address; outgoing.addressesAllowed does not list it"
    case .noAnswer(let why): why
    case .tooLong(let bytesMax): "the answer is longer than \(bytesMax) bytes"
    }
  }
}

/// What somebody has answered.
public struct HTTPAnswer: Hashable, Sendable {
  /// The status, whatever it is.
  public var status: Int
  /// The content.
  public var body: [UInt8]
  /// The field `ETag`, if it can be sent back.
  public var entityTag: String?
  /// The field `Last-Modified`, if it can be sent back.
  public var lastModified: String?
}

/// Sends requests to others, by libcurl.
///
/// It looks a host's name up itself, checks every address, and connects to one that it has checked: a name that answers
/// otherwise the next time changes nothing. No redirect is followed, no proxy is used, and no address but a public one is
/// connected to unless ``HTTPClientSettings/addressesAllowed`` lists it.
public final class HTTPClient: Sendable {
  /// The addresses of a host's name; throws where there are none.
  public typealias Resolver = @Sendable (String) throws -> [NetworkAddress]

  /// The most addresses of one host that are tried.
  static let addressesTriedMax = 4

  private let settings: HTTPClientSettings
  private let program: String
  private let resolve: Resolver

  /// Finds libcurl.
  ///
  /// - Parameters:
  ///   - program: What requests name as `User-Agent`.
  ///   - resolve: Looks names up; by default the system does.
  /// - Throws: ``HTTPClientFailure/libraryMissing(_:)``.
  public init(
    _ settings: HTTPClientSettings, program: String, resolve: @escaping Resolver = HTTPClient.system
  ) throws(HTTPClientFailure) {
    try Self.load()
    self.settings = settings
    self.program = program
    self.resolve = resolve
  }

  /// Looks whether libcurl is there.
  ///
  /// - Throws: ``HTTPClientFailure/libraryMissing(_:)``.
  public static func load() throws(HTTPClientFailure) {
    if let why = unsafe hearth_load_curl() { throw .libraryMissing(unsafe String(cString: why)) }
  }

  /// Why an address cannot be connected to, as far as that can be told without a look-up.
  public func refusal(of url: OutgoingURL) -> HTTPClientFailure? {
    NetworkAddress(url.host).flatMap { refusal(of: $0, url.host) }
  }

  /// Sends a POST.
  ///
  /// - Parameter fields: Names and values: visible ASCII and spaces.
  /// - Returns: The status of the answer, whatever it is.
  /// - Throws: ``HTTPClientFailure``.
  public func post(
    _ url: OutgoingURL, fields: [(name: String, value: String)], body: [UInt8]
  ) async throws(HTTPClientFailure) -> Int {
    try await answer(
      to: OutgoingRequest(
        url: url, fields: fields, body: body, timeout: settings.timeout, bytesMax: settings.answerBytesMax,
        keepsContent: false)
    ).status
  }

  /// Sends a GET.
  ///
  /// - Parameters:
  ///   - fields: Names and values: visible ASCII and spaces.
  ///   - timeout: How long it may take, with the look-up of the host's name.
  ///   - bytesMax: The bytes that the content may have.
  /// - Throws: ``HTTPClientFailure``, also where the content is longer, whatever the status is.
  public func get(
    _ url: OutgoingURL, fields: [(name: String, value: String)], timeout: Duration, bytesMax: Int
  ) async throws(HTTPClientFailure) -> HTTPAnswer {
    try await answer(
      to: OutgoingRequest(
        url: url, fields: fields, body: nil, timeout: timeout, bytesMax: bytesMax, keepsContent: true))
  }

  private func answer(to request: OutgoingRequest) async throws(HTTPClientFailure) -> HTTPAnswer {
    let result: Result<HTTPAnswer, HTTPClientFailure> = await withCheckedContinuation { continuation in
      // libcurl and the look-up block; threads of Swift's tasks must not.
      Thread.detachNewThread { [self] in
        continuation.resume(returning: Result { () throws(HTTPClientFailure) in try send(request) })
      }
    }
    return try result.get()
  }

  /// Sends a request, and reads its answer. Blocks.
  ///
  /// - Parameters:
  ///   - method: `GET`, `PUT` or `DELETE`.
  ///   - fields: Names and values: visible ASCII and spaces.
  ///   - body: The content of a `PUT`; `nil` of the others.
  /// - Throws: ``HTTPClientFailure``, also where the answer is longer than may be read.
  public func exchange(
    _ method: String, _ url: OutgoingURL, fields: [(name: String, value: String)], body: [UInt8]?
  ) throws(HTTPClientFailure) -> HTTPAnswer {
    try send(
      OutgoingRequest(
        method: method == "GET" ? nil : method, url: url, fields: fields, body: body, timeout: settings.timeout,
        bytesMax: settings.answerBytesMax, keepsContent: true))
  }

  private func send(_ request: OutgoingRequest) throws(HTTPClientFailure) -> HTTPAnswer {
    let end = ContinuousClock.now + request.timeout
    let host = request.url.host
    var failure = HTTPClientFailure.unknownHost(host)
    for address in try addresses(of: host).prefix(Self.addressesTriedMax) {
      let left = Int((end - .now) / .milliseconds(1))
      guard left > 0 else { throw .noAnswer("there was no answer in \(request.timeout)") }
      let came = send(request, to: address, milliseconds: left)
      if came.failure.isEmpty {
        guard !request.keepsContent || !came.isCut else { throw .tooLong(bytesMax: request.bytesMax) }
        return came.answer
      }
      failure = .noAnswer(came.failure)
      guard came.isUnreachable else { break }
    }
    throw failure
  }

  private func refusal(of address: NetworkAddress, _ host: String) -> HTTPClientFailure? {
    let isAllowed = !address.isSpecial || settings.addressesAllowed.contains(address)
    return isAllowed ? nil : .addressRefused(host: host, address: address)
  }

  /// The addresses of a host, all of which may be connected to: a name that stands for one that may not is not trusted with
  /// the others.
  private func addresses(of host: String) throws(HTTPClientFailure) -> [NetworkAddress] {
    let found: [NetworkAddress]
    if let address = NetworkAddress(host) {
      found = [address]
    } else {
      do { found = try resolve(host) } catch { throw .unknownHost(host) }
    }
    guard !found.isEmpty else { throw .unknownHost(host) }
    for address in found { if let refusal = refusal(of: address, host) { throw refusal } }
    return found
  }

  private func send(
    _ request: OutgoingRequest, to address: NetworkAddress, milliseconds: Int
  ) -> (answer: HTTPAnswer, isUnreachable: Bool, isCut: Bool, failure: String) {
    let port = request.url.port
    let place = address.isVersion6 ? "::[\(address)]:\(port)" : "::\(address):\(port)"
    var fields = request.fields
    fields.append((name: "User-Agent", value: program))
    let lines = unsafe fields.map { unsafe strdup("\($0.name): \($0.value)") }
    let method = unsafe request.method.map { unsafe strdup($0) } ?? nil
    defer {
      unsafe lines.forEach { unsafe free($0) }
      unsafe free(method)
    }
    let pointers = unsafe lines.map { unsafe UnsafePointer($0) }
    // With a byte behind it, so that an empty body has an address, too.
    let body = (request.body ?? []) + [0]
    var came = unsafe hearth_curl_answer()
    unsafe request.url.text.withCString { text in
      unsafe place.withCString { place in
        unsafe pointers.withUnsafeBufferPointer { lines in
          unsafe body.withUnsafeBufferPointer { body in
            var sent = unsafe hearth_curl_request(
              url: text, connect_to: place, fields: lines.baseAddress, count: lines.count,
              body: request.body == nil ? nil : body.baseAddress, bytes: body.count - 1, milliseconds: milliseconds,
              answer_bytes_max: request.bytesMax, keeps_content: request.keepsContent ? 1 : 0,
              method: method)
            unsafe hearth_curl_send(&sent, &came)
          }
        }
      }
    }
    defer { unsafe hearth_curl_free(&came) }
    let content = unsafe came.content.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: came.bytes)) }
    let answer = unsafe HTTPAnswer(
      status: came.status, body: content ?? [],
      entityTag: unsafe withUnsafeBytes(of: came.entity_tag) { unsafe Self.validator($0) },
      lastModified: unsafe withUnsafeBytes(of: came.last_modified) { unsafe Self.validator($0) })
    let failure = unsafe withUnsafeBytes(of: came.failure) { unsafe Self.text($0) }
    return unsafe (answer, came.is_unreachable != 0, came.is_cut != 0, failure)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// A field's value that can be sent as it came; `nil` where there is none.
  private static func validator(_ bytes: UnsafeRawBufferPointer) -> String? {
    let value = unsafe text(bytes)
    return !value.isEmpty && value.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? value : nil
  }
}

/// One request.
private struct OutgoingRequest: Sendable {
  /// `nil` of a POST, which has a body, and of a GET.
  var method: String?
  var url: OutgoingURL
  var fields: [(name: String, value: String)]
  /// What is sent; `nil` of a GET and a DELETE.
  var body: [UInt8]?
  var timeout: Duration
  var bytesMax: Int
  /// Whether the caller wants the content of the answer.
  var keepsContent: Bool
}

extension HTTPClient {
  /// Looks a name up as the system does, in the order of RFC 6724. Blocks.
  public static let system: Resolver = { host in
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { throw HTTPClientFailure.unknownHost(host) }
    defer { unsafe freeaddrinfo(list) }
    var found: [NetworkAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe address(of: entry.pointee) { found.append(address) }
      unsafe next = entry.pointee.ai_next
    }
    return found
  }

  private static func address(of entry: addrinfo) -> NetworkAddress? {
    guard let place = unsafe UnsafeRawPointer(entry.ai_addr) else { return nil }
    switch unsafe entry.ai_family {
    case AF_INET:
      return unsafe withUnsafeBytes(of: place.load(as: sockaddr_in.self).sin_addr) {
        NetworkAddress(octets: unsafe Array($0))
      }
    case AF_INET6:
      return unsafe withUnsafeBytes(of: place.load(as: sockaddr_in6.self).sin6_addr) {
        NetworkAddress(octets: unsafe Array($0))
      }
    default: return nil
    }
  }
}
