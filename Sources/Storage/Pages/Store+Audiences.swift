import JSON
public import Layout

extension Store {
  /// The named audiences with their tags.
  public func audiences() async throws -> [String: Tagged<Predicate>] {
    try await read { [self] db in
      var audiences: [String: Tagged<Predicate>] = [:]
      for row in try Row.fetchAll(db, sql: "SELECT * FROM audiences ORDER BY name") {
        audiences[row["name"]] = Tagged(
          try Predicate(json: JSON.stored(row["predicate"] as String), in: context), tag: EntityTag.text(row["changed"])
        )
      }
      return audiences
    }
  }

  /// Makes a named audience, or redefines it: the pages that use it differ from what is live until they are published.
  ///
  /// - Returns: The new tag, and whether it is new.
  public func putAudience(
    _ name: String, _ predicate: Predicate, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<(tag: String, isNew: Bool)>? = nil
  ) async throws -> (tag: String, isNew: Bool) {
    try await write(
      "audience.put", by: actor, keeping: keeping, reading: .common + .draft(),
      making: { [self] change, _ in
        let reader = reader(change.db)
        var audiences = try reader.audiences()
        let before = audiences[name].map { Fingerprint.of($0.json) }
        audiences[name] = predicate
        return (
          before: before, count: audiences.count, problem: AudienceGraph(audiences).problem(of: name),
          users: try reader.pages(using: [name])
        )
      }
    ) { [self] change, made in
      let changed = try reader(change.db).audienceChanged(name)
      try change.check(precondition, of: changed)
      change.before = made.before
      try requireAtMost(made.count)
      if let problem = made.problem {
        throw StoreError.invalid([DocumentProblem(pointer: JSONPointer(), problem)])
      }
      change.detail = name
      change.after = Fingerprint.of(predicate.json)
      try change.storeAudience(name, predicate, onlyIfAbsent: false)
      for page in made.users { try change.touchDraft(of: page) }
      return (change.tag, changed == nil)
    }
  }

  /// Removes a named audience that nothing uses.
  public func deleteAudience(
    _ name: String, if precondition: WritePrecondition, by actor: Actor, keeping: AnswerKeeper<Void>? = nil
  ) async throws {
    try await write(
      "audience.delete", by: actor, keeping: keeping, reading: .common + .draft(),
      making: { [self] change, _ in
        let reader = reader(change.db)
        let audiences = try reader.audiences()
        let others = audiences.filter { $0.value.audienceNames.contains(name) }.keys.sorted()
        return (audiences: audiences, users: try reader.pages(using: [name]) + others)
      }
    ) { [self] change, made in
      guard let changed = try reader(change.db).audienceChanged(name) else {
        throw StoreError.notFound(what: "audience", name: name, known: made.audiences.keys.sorted())
      }
      try change.check(precondition, of: changed)
      guard made.users.isEmpty else {
        throw StoreError.conflict(
          code: "in-use", detail: "the audience is used by \(made.users.joined(separator: ", "))",
          values: ["users": .array(made.users.map { .string($0) })])
      }
      change.detail = name
      change.before = made.audiences[name].map { Fingerprint.of($0.json) }
      try change.db.execute(sql: "DELETE FROM audiences WHERE name = ?", arguments: [name])
    }
  }
}

extension PageReader {
  func audiences() throws -> [String: Predicate] {
    var audiences: [String: Predicate] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT name, predicate FROM audiences") {
      audiences[row["name"]] = try Predicate(json: JSON.stored(row["predicate"] as String), in: context)
    }
    return audiences
  }

  /// The number of an audience's last change; `nil` when it is not there.
  func audienceChanged(_ name: String) throws -> Int64? {
    try WholeText.check(name)
    return try Int64.fetchOne(db, sql: "SELECT changed FROM audiences WHERE name = ?", arguments: [name])
  }

  /// Audiences as revisions and schedules keep them.
  func storedAudiences(_ text: String) throws -> [String: Predicate] {
    var audiences: [String: Predicate] = [:]
    for member in try JSON.stored(text).object ?? JSONObject() {
      audiences[member.name] = try Predicate(json: member.value, in: context)
    }
    return audiences
  }
}

extension Store {
  /// - Throws: ``StoreError`` for more named audiences than there may be.
  func requireAtMost(_ audiences: Int) throws {
    guard audiences <= limits.audiencesMax else {
      throw StoreError.conflict(
        code: "too-many-audiences", detail: "there may be at most \(limits.audiencesMax) named audiences",
        values: ["most": .count(limits.audiencesMax)])
    }
  }
}

extension Change {
  func storeAudience(_ name: String, _ predicate: Predicate, onlyIfAbsent: Bool) throws {
    try db.execute(
      sql: """
        INSERT INTO audiences (name, predicate, changed) VALUES (:name, :predicate, :id)
        ON CONFLICT (name) DO \(onlyIfAbsent ? "NOTHING" : "UPDATE SET predicate = :predicate, changed = :id")
        """, arguments: ["name": name, "predicate": predicate.json.canonicalText, "id": id])
  }
}

extension PageReader {
  /// The pages that use one of these audiences, also through others.
  ///
  /// - Parameter audiences: The named audiences; the current ones if `nil`.
  func pages(using names: Set<String>, in audiences: [String: Predicate]? = nil) throws -> [String] {
    try pageIDs().filter { page in
      var definition = try definition(page).definition
      if let audiences { definition.audiences = audiences }
      return !definition.audienceNames.isDisjoint(with: names)
    }
  }
}
