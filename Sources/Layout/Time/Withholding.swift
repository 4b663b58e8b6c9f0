public import JSON

/// Items or sections: the two lists of `config/kinds.yaml`.
public enum KindFamily: String, Hashable, Sendable, CaseIterable {
  /// Kinds of items.
  case items
  /// Kinds of sections.
  case sections
}

/// A kind that some clients do not get although they say that they can draw it: they get its fallback, or nothing.
public struct Withholding: Hashable, Sendable {
  /// Whether it is an item or a section kind.
  public var family: KindFamily
  /// The kind's name.
  public var kind: String
  /// The clients that do not get it.
  public var audience: Predicate
  /// The named audiences that the condition refers to, as they were when the kind was withheld. Redefining one later
  /// does not change who gets the kind.
  public var audiences: [String: Predicate]

  /// A kind that is withheld.
  ///
  /// - Parameter audiences: Named audiences; those that the condition does not refer to are not kept.
  public init(_ family: KindFamily, _ kind: String, from audience: Predicate, audiences: [String: Predicate] = [:]) {
    self.family = family
    self.kind = kind
    self.audience = audience
    let used = audiences.names(from: audience.audienceNames)
    self.audiences = audiences.filter { used.contains($0.key) }
  }

  /// `items/banner`
  public var name: String { "\(family.rawValue)/\(kind)" }

  /// What tells it from others in the links of long lists: a hash of all that it says.
  var mark: UInt64 { UInt64(Fingerprint.of(json).prefix(16), radix: 16) ?? 0 }

  /// What is wrong with the named audiences that the condition refers to.
  public var problems: [DocumentProblem] {
    let graph = AudienceGraph(audiences)
    return audience.audienceNames.sorted().compactMap { name in
      graph.problem(of: name).map { DocumentProblem(pointer: JSONPointer(["audience"]), $0) }
    }
  }

  /// Whether a client does not get the kind.
  func holds(for client: ClientAttributes) -> Bool { audience.holds(for: client, audiences: audiences) }

  /// As revisions and snapshots keep it.
  public var json: JSON {
    .object(
      JSONObject(present: [
        ("family", .string(family.rawValue)), ("kind", .string(kind)), ("audience", audience.json),
        ("audiences", audiences.isEmpty ? nil : .object(JSONObject(audiences.mapValues(\.json)))),
      ]))
  }

  /// What ``json`` wrote.
  ///
  /// - Throws: ``InvalidDocument``.
  public init(json: JSON, in context: DefinitionContext) throws(InvalidDocument) {
    var audiences: [String: Predicate] = [:]
    for member in json["audiences"]?.object ?? JSONObject() {
      audiences[member.name] = try Predicate(json: member.value, in: context)
    }
    guard let family = json["family"]?.string.flatMap(KindFamily.init), let kind = json["kind"]?.string else {
      let sentence = Sentence(.type, "is no kind that is withheld", ["allowed": ["object"]])
      throw InvalidDocument(problems: [.init(pointer: JSONPointer(), sentence)])
    }
    self.init(
      family, kind, from: try Predicate(json: json["audience"] ?? .null, in: context), audiences: audiences)
  }
}

extension Kinds {
  /// The names of a family's kinds, ascending.
  public func names(of family: KindFamily) -> [String] {
    switch family {
    case .items: items.keys.sorted()
    case .sections: sections.keys.sorted()
    }
  }

  /// Whether a page may show a kind: something on it is of the kind, or of one that has it as a fallback.
  public func mayShow(_ family: KindFamily, _ kind: String, on page: PageDefinition) -> Bool {
    let used = page.kinds
    switch family {
    case .items: return Self.withFallbacks(used.items, in: [items]).contains(kind)
    case .sections: return Self.withFallbacks(used.sections, in: [sections]).contains(kind)
    }
  }
}
