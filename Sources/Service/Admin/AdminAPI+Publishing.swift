import HTTPServer
import JSON
import Layout
import Serving
import Storage
import Synchronization

extension AdminAPI {
  var publishingRoutes: [Route] {
    [
      Route(
        "POST", "pages/{page}/publish", .publisher, condition: .always, body: .optional("PublishRequest"),
        query: ["dryRun"]
      ) { [self] in
        try await publish($0)
      },
      Route(
        "POST", "pages/{page}/rollback", .publisher, condition: .always, body: .json("RollbackRequest"),
        query: ["dryRun"]
      ) { [self] in
        try await rollBack($0)
      },
    ]
  }

  private func publish(_ context: AdminContext) async throws -> Response {
    var body = try BodyReader(context.json())
    let parts = body.parts()
    let waiting = body.waiting(otherwise: .ask)
    let message = body.message()
    try body.finish()
    let scope: PublishScope = parts.map { .parts($0) } ?? .draft
    let precondition = try context.precondition()
    if try context.request.flag("dryRun") { return try await dryRun(scope, if: precondition, context) }
    let effects = Mutex<[AudienceEffect]>([])
    let made = try await publisher.publish(
      context.page, scope, message: message, if: precondition, waiting: waiting, by: context.actor,
      keeping: context.keeping { made in Response(published: made, effects: effects.withLock { $0 }) },
      review: { [self] candidate, edition in
        effects.withLock { $0 = candidate.effects(beyond: scope) }
        return try review(candidate, edition)
      })
    let nodes = await nodesServing([made.revision], context)
    return Response(published: made, effects: effects.withLock { $0 }, nodes: nodes)
  }

  private func rollBack(_ context: AdminContext) async throws -> Response {
    var body = try BodyReader(context.json())
    let number = body.revision(isRequired: true)
    let message = body.message()
    let expected = Sentence(.enum, "\"keep\" or \"reset\"", ["allowed": ["keep", "reset"]])
    let resets = body.optional("draft", expected) { ["keep": false, "reset": true][$0.string ?? ""] }
    // A rollback is for emergencies: nobody has to say what becomes of what waits.
    let waiting = body.waiting(otherwise: .leave)
    try body.finish()
    let scope = PublishScope.revision(number ?? 0, resetsDraft: resets ?? false)
    let precondition = try context.precondition()
    if try context.request.flag("dryRun") { return try await dryRun(scope, if: precondition, context) }
    let made = try await publisher.publish(
      context.page, scope, message: message, if: precondition, waiting: waiting, by: context.actor,
      keeping: context.keeping { Response(published: $0) }, review: { [self] in try review($0, $1) })
    return Response(published: made, nodes: await nodesServing([made.revision], context))
  }

  /// What a publish would change, and what lint says of it; its tag lets exactly that be published.
  private func dryRun(
    _ scope: PublishScope, if precondition: WritePrecondition, _ context: AdminContext
  ) async throws -> Response {
    let candidate = try await store.candidate(context.page, scope, if: precondition)
    let problems = findings(candidate, publisher.makeEdition(candidate))
    let lost = candidate.live?.disappearances(in: candidate.definition, at: clock()) ?? []
    let changes = Differences(
      from: candidate.live, to: candidate.definition, for: ClientAttributes(), at: clock(), kinds: kinds, losing: lost)
    var object: JSONObject = [
      "revision": .number(JSONNumber(candidate.number)),
      "isPublishable": .bool(problems.allSatisfy { $0.severity != .error }),
      "problems": .array(problems.map(\.json)), "changes": changes.json, "summary": changes.summary,
      "sentences": changes.sentences,
    ]
    let effects = candidate.effects(beyond: scope)
    if !effects.isEmpty { object["alsoChanged"] = .array(effects.map(\.json)) }
    if !lost.isEmpty { object["disappears"] = .array(lost.map(\.json)) }
    if !candidate.waiting.isEmpty { object["waiting"] = .array(candidate.waiting.map(\.json)) }
    if let problems = NodeList.problems(of: nodes.failing) { object["nodes"] = ["problems": problems] }
    return .value(.object(object), tag: candidate.tag)
  }

  /// Stops a publish whose page has errors; the warnings are kept with the revision.
  ///
  /// - Parameter isOfContent: Whether a source publishes: what is live already and stays as it is does not stop it.
  func review(_ candidate: Candidate, _ edition: Edition, isOfContent: Bool = false) throws -> JSON {
    let problems = findings(candidate, edition)
    var errors = problems.filter { $0.severity == .error }
    if isOfContent, !errors.isEmpty, let live = candidate.live {
      let known = Set(
        live.lasting(
          live.lint(
            kinds: kinds, at: clock(), in: context, lacking: candidate.lacking,
            cache: (lintCache, candidate.liveFingerprints))))
      errors = zip(errors, candidate.definition.lasting(errors)).filter { !known.contains($1) }.map(\.0)
    }
    guard errors.isEmpty else {
      throw Problem(
        422, "not-publishable", "The page cannot go live: lint found \(errors.count) error(s).",
        values: ["count": .count(errors.count)],
        errors: errors.map(\.place))
    }
    return .array(problems.map(\.json))
  }

  func lint(_ candidate: Candidate, _ edition: Edition) -> [LintProblem] {
    candidate.definition.lint(
      kinds: kinds, at: clock(), in: context, compressedBytes: edition.largestDocument,
      lacking: candidate.lacking, withoutSource: candidate.withoutSource, cache: (lintCache, candidate.fingerprints))
  }

  /// What lint says of a page, and of what a publish of it takes off.
  private func findings(_ candidate: Candidate, _ edition: Edition) -> [LintProblem] {
    let losses = candidate.live.flatMap { LintProblem.losses(from: $0, to: candidate.definition, at: clock()) }
    return lint(candidate, edition) + [losses].compactMap { $0 }
  }
}

extension Response {
  /// - Parameters:
  ///   - effects: What else of the page is for others than before.
  ///   - nodes: Which nodes serve it; `nil` when nobody asked.
  fileprivate init(
    published made: Published, effects: [AudienceEffect] = [], nodes: ServingNodes? = nil
  ) {
    var object = made.revision.json.object ?? JSONObject()
    if !effects.isEmpty { object["alsoChanged"] = .array(effects.map(\.json)) }
    object["nodes"] = nodes?.json
    self = .value(.object(object), tag: made.tag)
    fields.append(.edition(made.revision.edition))
  }
}

extension PageDefinition {
  /// Problems at places that stay the same while items of its sections come and go.
  fileprivate func lasting(_ problems: [LintProblem]) -> [LintProblem] {
    var opened: [Int: SectionContent] = [:]
    return problems.map { problem in
      let tokens = problem.pointer.tokens
      guard tokens.count > 2, tokens[0] == "sections", let position = Int(tokens[1]) else { return problem }
      let content = opened[position] ?? sections[position].content.opened
      opened[position] = content
      var problem = problem
      let place = content.lasting(JSONPointer(Array(tokens.dropFirst(2))))
      problem.pointer = JSONPointer(tokens.prefix(2) + place.tokens)
      return problem
    }
  }
}

extension Disappearance {
  fileprivate var json: JSON {
    var object: JSONObject = ["section": .string(section)]
    object["returns"] = returns.map { .string($0.description) }
    return .object(object)
  }
}

extension Candidate {
  /// What changes of the live page by an audience although it is not among the sections that are published.
  fileprivate func effects(beyond scope: PublishScope) -> [AudienceEffect] {
    guard case .parts(let parts) = scope, let live else { return [] }
    return definition.audienceEffects(since: live).filter { effect in
      switch effect.part {
      case .section(let id): !parts.sections.contains(id)
      case .rule(let name): !parts.rules.contains(name)
      }
    }
  }
}
