import JSON

/// How named audiences refer to each other, found in one walk: linear in their size, however deep and however often they
/// do.
public struct AudienceGraph: Sendable {
  /// The audiences that can be judged, each after the ones that it refers to.
  let sound: [(name: String, predicate: Predicate)]
  /// Of each name that cannot be judged the name that is why: it is not there, or refers to itself.
  private let culprits: [String: String]
  private let names: Set<String>

  /// The graph of audiences by name.
  public init(_ audiences: [String: Predicate]) {
    var walk = AudienceWalk(audiences: audiences)
    for name in audiences.keys.sorted() { walk.visit(name) }
    sound = walk.sound
    culprits = walk.culprits
    names = Set(audiences.keys)
  }

  /// The first name that is not there or refers to itself, of those that an audience refers to, also through others;
  /// `nil` when all is well.
  func culprit(of name: String) -> String? { names.contains(name) ? culprits[name] : name }

  /// The problem with a named audience's references; `nil` if there is none.
  public func problem(of name: String) -> Sentence? {
    guard let culprit = culprit(of: name) else { return nil }
    let values: JSONObject = ["name": .string(culprit), "known": .names(names.sorted())]
    return names.contains(culprit)
      ? Sentence(.circularAudience, "the audience \"\(culprit)\" refers to itself", values)
      : Sentence(.unknownAudience, "there is no audience \"\(culprit)\"", values)
  }

  /// Whether each audience matches a client, judged once. Audiences that depend on an attribute that the client does
  /// not send are left out.
  func verdicts(for client: ClientAttributes) -> [String: Bool] {
    var verdicts: [String: Bool] = [:]
    for (name, predicate) in sound { verdicts[name] = predicate.verdict(for: client, named: verdicts) }
    return verdicts
  }
}

/// Walks along references, deepest first, on a stack of its own: a chain may be as long as there are names.
private struct AudienceWalk {
  enum Mark { case open, closed }

  let audiences: [String: Predicate]
  private(set) var sound: [(name: String, predicate: Predicate)] = []
  private(set) var culprits: [String: String] = [:]
  var marks: [String: Mark] = [:]
  var path: [(name: String, references: [String])] = []

  mutating func visit(_ root: String) {
    if marks[root] == nil { open(root) }
    while !path.isEmpty {
      guard let next = path[path.count - 1].references.popLast() else {
        close()
        continue
      }
      switch marks[next] {
      case nil where audiences[next] != nil: open(next)
      // It is not there, or the way to it leads back to it.
      case nil, .open?: note(next)
      case .closed?: note(culprits[next])
      }
    }
  }

  private mutating func open(_ name: String) {
    marks[name] = .open
    path.append((name, audiences[name]?.audienceNames.sorted(by: >) ?? []))
  }

  private mutating func close() {
    let name = path.removeLast().name
    marks[name] = .closed
    if culprits[name] == nil, let predicate = audiences[name] { sound.append((name, predicate)) }
    note(culprits[name])
  }

  /// Notes why the name that the walk stands at cannot be judged: the first reason is reported.
  private mutating func note(_ culprit: String?) {
    guard let culprit, let name = path.last?.name, culprits[name] == nil else { return }
    culprits[name] = culprit
  }
}
