package import HTTPServer
import HomePayload

/// What a poll asks for beside its shape, copied for an answer later.
struct PollWants: Sendable {
  private enum Conditions {
    case fields(ifMatch: [UInt8]?, ifNoneMatch: [UInt8]?)
    /// It holds what has this tag, and asks for no more than what is other.
    case holding(WeakTag)
  }

  private var conditions: Conditions
  let codings: AcceptedCodings
  private let takesChanges: Bool
  /// Whether it asks for signatures.
  let wantsSignatures: Bool

  /// - Parameter tag: The tag that the client holds, where that is known to be the current one.
  init(_ request: borrowing Request, holding tag: WeakTag? = nil) {
    if let tag {
      conditions = .holding(tag)
    } else {
      conditions = .fields(ifMatch: request.joinedValue(.ifMatch), ifNoneMatch: request.joinedValue(.ifNoneMatch))
    }
    codings = request.acceptedCodings
    takesChanges = request.takesChanges
    wantsSignatures = request.wantsSignatures
  }

  /// From now on the client holds what has a tag.
  mutating func hold(_ tag: WeakTag) { conditions = .holding(tag) }

  /// The versions that the client holds, when it takes changes from one of them.
  var heldVersions: [String] {
    guard takesChanges else { return [] }
    return switch conditions {
    case .holding(let tag): [tag.opaque]
    case .fields(_, let ifNoneMatch): EntityTags.versions(in: ifNoneMatch ?? [])
    }
  }

  /// RFC 9110 §13.2.2, for a resource with a weak tag.
  func precondition(_ tag: WeakTag) -> Precondition {
    let octets = tag.octets
    switch conditions {
    case .holding(let held): return held == tag ? .notModified : .proceed
    case .fields(let ifMatch, let ifNoneMatch):
      if let ifMatch, !EntityTags.list(ifMatch.span, contains: octets.span, weakly: false) { return .failed }
      if let ifNoneMatch, EntityTags.list(ifNoneMatch.span, contains: octets.span, weakly: true) { return .notModified }
      return .proceed
    }
  }
}

extension EntityTags {
  /// The opaque parts of a list's tags that can be versions of ours: 16 hexadecimal digits; at most eight.
  static func versions(in list: [UInt8]) -> [String] {
    var versions: [String] = []
    forEach(in: list.span) { opaque, _ in
      let version = opaque.string.dropFirst().dropLast()
      let isOurs = version.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      if isOurs, version.utf8.count == 16 { versions.append(String(version)) }
      return versions.count < 8
    }
    return versions
  }
}

extension Request {
  /// Whether the client takes change sets (RFC 3229 §10.5.3): `A-IM: hearth-changes`.
  var takesChanges: Bool {
    guard method == .get, has(.acceptInstanceManipulation), has(.ifNoneMatch) else { return false }
    var takes = false
    forEachMember(of: .acceptInstanceManipulation) { member in
      guard let weighted = Weighted(member), weighted.value.equalsIgnoringCase("hearth-changes") else { return }
      takes = weighted.weight > 0
    }
    return takes
  }

  /// The values of a name in the query, as they are sent.
  func queryValues(_ name: StaticString) -> [String] {
    var values: [String] = []
    query.forEachQueryPair { other, value in
      if other.equals(name) { values.append(value.string) }
    }
    return values
  }

  /// Whether the client asks for signatures, by the one value that there is.
  var wantsSignatures: Bool {
    has(.acceptSignature) && !isRepeated(.acceptSignature)
      && value(.acceptSignature).equals(PageSignature.acceptedBytes.span)
  }

  /// The seconds that the client is willing to wait for a change (RFC 7240 §4.3): `Prefer: wait=30`.
  package var wait: Int? {
    guard has(.prefer) else { return nil }
    var seconds: Int?
    forEachMember(of: .prefer) { member in
      guard seconds == nil, let equals = member.first(UInt8(ascii: "=")) else { return }
      guard member.extracting(..<equals).trimmed.equalsIgnoringCase("wait") else { return }
      let end = member.first(UInt8(ascii: ";")) ?? member.count
      guard equals < end else { return }
      let digits = String(decoding: member.extracting((equals + 1)..<end).trimmed.array, as: UTF8.self)
      seconds = Int(digits.hasPrefix("\"") ? digits.filter { $0 != "\"" } : digits)
    }
    return seconds
  }
}

extension PageSignature {
  fileprivate static let acceptedBytes = Array(accepted.utf8)
}
