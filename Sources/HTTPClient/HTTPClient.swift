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

  /// What is wrong, and the remedy.
  public var description: String {
    switch self {
    case .libraryMissing(let why): "\(why); requests to others need it (Debian's package libcurl4)"
    case .unknownHost(let host): "the host \(host) cannot be looked up"
    case .addressRefused(let host, let address):
      "the host \(host) is at \(address), which is no public address; outgoing.addressesAllowed does not list it"
    case .noAnswer(let why): why
    }
  }
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
    let result: Result<Int, HTTPClientFailure> = await withCheckedContinuation { continuation in
      // libcurl and the look-up block; threads of Swift's tasks must not.
      Thread.detachNewThread { [self] in
        continuation.resume(returning: Result { () throws(HTTPClientFailure) in try send(url, fields, body) })
      }
    }
    return try result.get()
  }

  private func send(
    _ url: OutgoingURL, _ fields: [(name: String, value: String)], _ body: [UInt8]
  ) throws(HTTPClientFailure) -> Int {
    let end = ContinuousClock.now + settings.timeout
    var failure = HTTPClientFailure.unknownHost(url.host)
    for address in try addresses(of: url.host).prefix(Self.addressesTriedMax) {
      let left = Int((end - .now) / .milliseconds(1))
      guard left > 0 else { throw .noAnswer("there was no answer in \(settings.timeout)") }
      let answer = send(url, to: address, fields, body, milliseconds: left)
      if answer.failure.isEmpty { return answer.status }
      failure = .noAnswer(answer.failure)
      guard answer.isUnreachable else { break }
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
    _ url: OutgoingURL, to address: NetworkAddress, _ fields: [(name: String, value: String)], _ body: [UInt8],
    milliseconds: Int
  ) -> (status: Int, isUnreachable: Bool, failure: String) {
    let place = address.isVersion6 ? "::[\(address)]:\(url.port)" : "::\(address):\(url.port)"
    let lines = unsafe (fields + [("User-Agent", program)]).map { unsafe strdup("\($0.0): \($0.1)") }
    defer { unsafe lines.forEach { unsafe free($0) } }
    let pointers = unsafe lines.map { unsafe UnsafePointer($0) }
    var answer = hearth_curl_answer()
    unsafe url.text.withCString { text in
      unsafe place.withCString { place in
        unsafe pointers.withUnsafeBufferPointer { lines in
          unsafe body.withUnsafeBufferPointer { body in
            var request = unsafe hearth_curl_request(
              url: text, connect_to: place, fields: lines.baseAddress, count: lines.count, body: body.baseAddress,
              bytes: body.count, milliseconds: milliseconds, answer_bytes_max: settings.answerBytesMax)
            unsafe hearth_curl_post(&request, &answer)
          }
        }
      }
    }
    let failure = unsafe withUnsafeBytes(of: answer.failure) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return (answer.status, answer.is_unreachable != 0, failure)
  }
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
