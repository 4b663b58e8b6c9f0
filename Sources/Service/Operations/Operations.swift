import Backup
import HTTPServer
import JSON
import Layout
import Serving
import Storage

/// What the one on call looks at: `/status`, `/metrics`, `/healthz` and `/readyz` of the admin listener.
struct Operations: Sendable {
  let health: DatabaseHealth
  let publisher: Publisher
  let asker: SourceAsker
  let assets: AssetShelf
  let nodes: NodeList
  let tokens: TokensFile
  let backup: BackupSender?
  let version: ProgramVersion
  let clock: @Sendable () -> Instant
  /// Whether the file of this node's kinds is another than what the nodes go by.
  let kindsDiffer: @Sendable () -> Bool
  let linesDropped: @Sendable () -> Int
  let signing: PageSigning?
  let adminTimes: AdminTimes
  let spans: @Sendable () -> (sent: Int, dropped: Int)
  let startedAt: Instant

  private var store: Store { publisher.store }

  /// What answers a request that does not read, or whose path is none of these; `nil` for the others.
  func answerUnlessRead(_ request: AdminRequest) -> Response? {
    let routes = ["status", "metrics", "healthz", "readyz"]
    guard request.segments.count == 1, let name = request.segments.first, routes.contains(name) else {
      return Problem.notFound.response(requestID: request.id)
    }
    return request.answerUnlessRead
  }

  func answer(_ request: AdminRequest) async -> Response {
    if let response = answerUnlessRead(request) { return response }
    switch request.segments.first {
    case "status": return .value(await status())
    case "metrics":
      return Response(
        200, text: await metrics(), fields: [ResponseField("Cache-Control", "no-store")])
    case "readyz":
      guard let text = request.query["fresh"] else { break }
      if let refusal = nodes.age.refusal(ofFresh: Array(text.utf8).span) {
        return refusal.response(requestID: request.id)
      }
    default: break
    }
    return .value(["status": .string("ok")])
  }

  /// What the server can be degraded by, beside its database, as `hearth_degraded` names it.
  private enum Reason: String, CaseIterable {
    case unconfirmed, tokens, clock, lock, due, unsuitable, kinds, served, snapshot, pictures, backup
    case schedulesHeld = "schedules-held"
    case historyCut = "history-cut"
    case unknownKinds = "unknown-kinds"
  }

  /// Why the server is degraded, beside its database: each with what to do.
  private var reasons: [(reason: Reason, text: String)] {
    let unknownKinds = publisher.live.lineup.inOrder.filter { !$0.unknownKinds.isEmpty }.map { edition in
      """
      revision \(edition.revision) of \(edition.page) uses kinds that this server does not know \
      (\(edition.unknownKinds.joined(separator: ", "))); give it the kinds.yaml that declares them, and reload it
      """
    }
    let unconfirmed =
      publisher.isUnconfirmed
      ? "the database has not been there since the start: the snapshot is served until it can be compared" : nil
    let held = publisher.heldPublishes
    let heldReason =
      held.isEmpty
      ? nil
      : "what is scheduled is held, since the generation was raised or lint refused it when it was due (the audit says "
        + "which), and does not go live: release it, or take it off "
        + "(\(held.prefix(20).map { "\($0.page) \($0.id)" }.joined(separator: ", ")))"
    let due = publisher.dueFailure.map { "what is due stays scheduled, since this node cannot publish it: \($0)" }
    let found: [(Reason, String?)] = [
      (.unconfirmed, unconfirmed), (.schedulesHeld, heldReason), (.tokens, tokens.failure?.description),
      (.clock, store.clock.failure), (.lock, store.lockHeld?.description), (.due, due),
      (.unsuitable, store.unsuitableReason), (.kinds, publisher.kindsFailure?.description),
      (.historyCut, publisher.historyCut?.description), (.served, publisher.served.failure?.description),
      (.snapshot, publisher.snapshot.failure?.description), (.pictures, assets.cache.failure),
      (.backup, backup?.status.reason()),
    ]
    return found.compactMap { reason, text in text.map { (reason, $0) } } + unknownKinds.map { (.unknownKinds, $0) }
  }

  /// Whether what is served could not be compared with the database at the last look, which is each second.
  private var isStale: Bool { publisher.isUnconfirmed || store.isAway }

  private func status() async -> JSON {
    let failure = health.failure
    let listeners = await publisher.servers.traffic().sorted { $0.key < $1.key }.map { name, traffic -> JSON in
      [
        "listener": .string(name), "connections": .number(JSONNumber(traffic.connections)),
        "connectionsMax": .number(JSONNumber(traffic.connectionsMax)),
      ]
    }
    var reasons = reasons.map(\.text)
    if let failure, store.unsuitableReason == nil || failure != .unsuitable { reasons.append(failure.told) }
    let now = clock()
    let editions = publisher.live.lineup.inOrder.map { edition -> JSON in
      let usage = edition.usage
      return [
        "page": .string(edition.page), "revision": .number(JSONNumber(edition.revision)),
        "generation": .number(JSONNumber(edition.number.generation)),
        "variants": .number(JSONNumber(usage.count)), "variantBytes": .number(JSONNumber(usage.bytes)),
        "brotliVariants": .number(JSONNumber(usage.brotliCount)),
        "unknownKinds": .array(edition.unknownKinds.map { .string($0) }),
        "withheldKinds": .array(edition.withheldKinds.map { .string($0) }),
        "expiredSections": .array(
          edition.presentPlan.definition.expiredSections(at: now).map {
            ["section": .string($0.section), "since": .string($0.since.description)]
          }),
      ]
    }
    var status: JSONObject = [
      "status": .string(reasons.isEmpty ? "ok" : "degraded"), "version": .string(version.number),
      "commit": .string(version.commit),
      "startedAt": .string(startedAt.description), "now": .string(clock().description),
      "database": .string(failure?.rawValue ?? "ok"), "stale": .bool(isStale),
      "kinds": ["hash": .string(publisher.kinds.hash), "fileDiffers": .bool(kindsDiffer())], "pages": .array(editions),
      "listeners": .array(listeners), "descriptorsMax": .number(JSONNumber(Limits.descriptorsMax)),
    ]
    if store.isShared {
      status["databaseAheadMilliseconds"] = .number(JSONNumber(-Int(store.clock.machineAhead / .milliseconds(1))))
    }
    if let backup = await backupTimes()?.last { status["lastBackup"] = .string(backup.description) }
    status["backup"] = backupStatus
    let findings = tokens.findings(at: store.clock())
    if !findings.isEmpty {
      let fates = TokenHistory.Fate.allCases.map { fate in
        let found = findings.filter { $0.fate == fate }
        return (
          fate.rawValue,
          JSON.array(found.map { ["selector": .string($0.selector), "name": .string($0.name)] as JSON })
        )
      }
      status["tokens"] = .object(JSONObject(fates))
    }
    let asked = asker.sections
    if !asked.isEmpty {
      let now = store.clock()
      let sections = asked.map { section -> JSON in
        var object = section.json(at: now)
        (object["page"], object["section"]) = (.string(section.page), .string(section.section))
        return .object(object)
      }
      status["asked"] = ["isOn": .bool(asker.isOn), "sections": .array(sections)]
    }
    if let age = publisher.snapshot.age {
      status["snapshot"] = [
        "age": .number(JSONNumber(age)), "bytes": .number(JSONNumber(publisher.snapshot.bytes)),
      ]
    }
    if let signing {
      var signed: JSONObject = ["keys": .array(signing.keyIDs.map { .string($0) })]
      if let renewal = signing.nextRenewal { signed["nextRenewal"] = .string(renewal.description) }
      status["signing"] = .object(signed)
    }
    if !reasons.isEmpty { status["reasons"] = .array(reasons.map { .string($0) }) }
    return .object(status)
  }

  /// How the continuous backup stands; `nil` where there is none.
  private var backupStatus: JSON? {
    guard let backup else { return nil }
    let found = backup.status
    var status: JSONObject = [
      "to": .string(backup.targetName), "waitingSeconds": .number(JSONNumber(Int(found.age()))),
      "waitingBytes": .number(JSONNumber(found.waitingBytes)),
    ]
    if let moment = found.completeTo { status["completeTo"] = .string("\(moment)") }
    if let series = found.series { status["series"] = .string(series) }
    if let failure = found.failure { status["failure"] = .string(failure) }
    if let gap = found.gap {
      status["gap"] = ["from": .string("\(gap.from)"), "to": gap.to.map { JSON.string("\($0)") } ?? .null]
    }
    return .object(status)
  }

  /// When Hearth made a backup last, and the database; `nil` where a server keeps the database, and while nobody can say.
  private func backupTimes() async -> (last: Instant?, made: Instant?)? {
    store.isShared ? nil : try? await store.backupTimes()
  }

  private func metrics() async -> String {
    var text = MetricsText()
    text.add(
      "hearth_build_info", .gauge, "The version that runs.",
      [(["version": version.number, "commit": version.commit], 1)])
    addTraffic(await publisher.servers.traffic().sorted { $0.key < $1.key }, to: &text)
    addPages(to: &text)
    addTimes(to: &text)
    addSources(to: &text)
    text.add(
      "hearth_database_up", .gauge, "Whether the database can be read and written.", health.failure == nil ? 1 : 0)
    let degradedBy = Set(reasons.map(\.reason))
    text.add(
      "hearth_degraded", .gauge, "Whether the server is degraded by something beside its database.",
      Reason.allCases.map { (["reason": $0.rawValue], degradedBy.contains($0) ? 1 : 0) })
    text.add(
      "hearth_standby_missing", .gauge, "Whether whoever writes waits for a synchronous standby of the database.",
      health.failure == .standbyMissing ? 1 : 0)
    text.add(
      "hearth_lock_held_seconds", .gauge,
      "For how long somebody has had a lock of PostgreSQL's that changes wait for; 0 where it is for less than ten seconds.",
      (store.lockHeld?.duration ?? .zero) / .seconds(1))
    text.add(
      "hearth_stale", .gauge, "Whether what is served could not be compared with the database at the last look.",
      isStale ? 1 : 0)
    if !store.isAway, let size = try? await store.size() {
      text.add("hearth_database_bytes", .gauge, "The size of the database.", size)
    }
    text.add("hearth_log_dropped_total", .counter, "Log lines that could not be written.", linesDropped())
    text.add(
      "hearth_history_cut", .gauge, "Whether the database lacks what was served, so that nothing is published.",
      publisher.historyCut == nil ? 0 : 1)
    let backups = await backupTimes()
    if let status = backup?.status {
      text.add(
        "hearth_backup_age_seconds", .gauge, "For how long the database has had changes that backup.to has not.",
        status.age())
      text.add(
        "hearth_backup_waiting_bytes", .gauge, "The bytes of changes that backup.to has not.", status.waitingBytes)
    } else if let since = backups?.last ?? backups?.made {
      text.add(
        "hearth_backup_age_seconds", .gauge, "For how long Hearth has made no backup of the database.",
        max(0, store.clock().secondsSinceEpoch - since.secondsSinceEpoch))
    }
    text.add(
      "hearth_schedules_held", .gauge, "Scheduled publishes that do not go live before somebody has released them.",
      publisher.heldPublishes.count)
    if !store.isAway, let waiting = try? await store.waitingWebhookDeliveries() {
      text.add("hearth_webhooks_waiting", .gauge, "Events that wait for webhooks that are on.", waiting.count)
      let since = waiting.since ?? store.clock()
      text.add(
        "hearth_webhooks_waiting_seconds", .gauge,
        "For how long the oldest of these events has waited; 0 where none does.",
        max(0, store.clock().secondsSinceEpoch - since.secondsSinceEpoch))
    }
    addNodes(to: &text)
    addSnapshot(to: &text)
    let count = assets.count
    text.add("hearth_assets", .gauge, "Pictures that the database keeps.", count.pictures)
    text.add("hearth_asset_bytes", .gauge, "The bytes of all pictures.", count.bytes)
    text.add(
      "hearth_asset_cache_bytes", .gauge, "The bytes of the pictures on this machine's disk.", assets.cache.bytes)
    let spans = spans()
    text.add(
      "hearth_trace_spans_total", .counter, "Spans of traces, by whether the collector took them.",
      [(["fate": "sent"], Double(spans.sent)), (["fate": "dropped"], Double(spans.dropped))])
    text.add(
      "process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.",
      startedAt.secondsSinceEpoch)
    if let usage = ProcessUsage.now {
      text.add("process_cpu_seconds_total", .counter, "Processor time spent.", usage.cpuSeconds)
      text.add("process_resident_memory_bytes", .gauge, "Memory in use.", usage.residentBytes)
      text.add("process_open_fds", .gauge, "Descriptors open.", usage.openDescriptors)
      text.add("process_max_fds", .gauge, "Descriptors that may be open.", Limits.descriptorsMax)
    }
    return text.string
  }

  private func addSources(to text: inout MetricsText) {
    let now = store.clock()
    let asked = asker.sections.map { (labels: ["page": $0.page, "section": $0.section], section: $0) }
    text.add(
      "hearth_source_age_seconds", .gauge, "For how long no answer for a section has come that could be published.",
      asked.map { ($0.labels, Double($0.section.age(at: now))) })
    text.add(
      "hearth_source_interval_seconds", .gauge, "How often a section's endpoint is asked.",
      asked.map { ($0.labels, Double($0.section.asking.every)) })
    text.add(
      "hearth_source_failing", .gauge, "Whether nothing could be published of the last answer for a section.",
      asked.map { ($0.labels, $0.section.state.failure == nil ? 0 : 1) })
  }

  private func addNodes(to text: inout MetricsText) {
    text.add(
      "hearth_nodes", .gauge, "Nodes of the database that were heard of within 15 seconds, this one included.",
      nodes.alive.count)
    text.add(
      "hearth_nodes_failing", .gauge, "Nodes that are alive and say that they cannot serve what the database has.",
      nodes.failing.count)
    text.add(
      "hearth_node_behind_seconds", .gauge, "For how long this node has not known whether it serves what is live.",
      nodes.age.duration / .seconds(1))
    text.add(
      "hearth_clock_ahead_seconds", .gauge,
      "How far this machine's clock is ahead of the database's, or on SQLite of what it showed before it jumped.",
      store.clock.machineAhead / .seconds(1))
    text.add(
      "hearth_generation", .gauge, "The generation that is served: 1, or greater once history was cut.",
      publisher.served.history.generation)
  }

  private func addSnapshot(to text: inout MetricsText) {
    let snapshot = publisher.snapshot
    text.add(
      "hearth_snapshot_failed", .gauge, "Whether the newest snapshot could not be written.",
      snapshot.failure == nil ? 0 : 1)
    let age = snapshot.age ?? Int(clock().secondsSinceEpoch - startedAt.secondsSinceEpoch)
    text.add("hearth_snapshot_age_seconds", .gauge, "For how long this process has not written the snapshot.", age)
    text.add("hearth_snapshot_bytes", .gauge, "The size of the snapshot.", snapshot.bytes)
  }

  private func addTraffic(_ traffic: [(key: String, value: Traffic)], to text: inout MetricsText) {
    func add(_ name: String, _ type: MetricsText.Kind, _ help: String, _ value: (Traffic) -> Int) {
      text.add(name, type, help, traffic.map { (["listener": $0.key], Double(value($0.value))) })
    }
    text.add(
      "hearth_http_responses_total", .counter, "Responses by listener and status code.",
      traffic.flatMap { listener in
        listener.value.responses.map { code, count in
          (["listener": listener.key, "code": "\(code)"], Double(count))
        }
      })
    add("hearth_http_sent_bytes_total", .counter, "Octets sent, heads included.") { $0.bytesSent }
    add("hearth_http_connections", .gauge, "Connections open.") { $0.connections }
    add("hearth_http_connections_max", .gauge, "Connections that may be open.") { $0.connectionsMax }
    add("hearth_http_waiting", .gauge, "Requests that wait for a change.") { $0.waiting }
    add("hearth_http_accepted_total", .counter, "Connections taken.") { $0.accepted }
    add("hearth_http_turned_away_total", .counter, "Connections ended at once, over a limit.") { $0.turnedAway }
    add("hearth_http_pending_bytes", .gauge, "Octets that wait for clients, and of unfinished requests.") {
      $0.pendingBytes
    }
    add("hearth_http_cut_total", .counter, "Connections cut, since too much waited for their clients.") { $0.cut }
  }

  private func addPages(to text: inout MetricsText) {
    let live = publisher.live.lineup.inOrder
    let pages = live.map { (page: ["page": $0.page], revision: $0.revision, usage: $0.usage) }
    text.add(
      "hearth_page_unknown_kinds", .gauge, "Kinds that the revision uses and the server does not know.",
      live.map { (["page": $0.page], Double($0.unknownKinds.count)) })
    text.add(
      "hearth_withheld_kinds", .gauge, "Kinds of what is live that some clients do not get until that is lifted.",
      Set(live.flatMap(\.withheldKinds)).count)
    let now = clock()
    text.add(
      "hearth_page_expired_sections", .gauge,
      "Sections that are hidden since no source has confirmed their content for their freshFor.",
      live.map { (["page": $0.page], Double($0.presentPlan.definition.expiredSections(at: now).count)) })
    text.add(
      "hearth_page_revision", .gauge, "The revision that is served.", pages.map { ($0.page, Double($0.revision)) })
    text.add(
      "hearth_edition_age_seconds", .gauge, "For how long this process has served the revision.",
      live.map { (["page": $0.page], Double(now.secondsSinceEpoch - $0.madeAt.secondsSinceEpoch)) })
    text.add(
      "hearth_page_variants", .gauge, "Variants ready in memory.", pages.map { ($0.page, Double($0.usage.count)) })
    text.add(
      "hearth_page_variant_bytes", .gauge, "The bytes of the ready variants' bodies.",
      pages.map { ($0.page, Double($0.usage.bytes)) })
    text.add(
      "hearth_page_brotli_variants", .gauge, "Variants ready as br, too.",
      pages.map { ($0.page, Double($0.usage.brotliCount)) })
    text.add(
      "hearth_page_brotli_bytes", .gauge, "The bytes of br among the ready variants' bodies.",
      pages.map { ($0.page, Double($0.usage.brotliBytes)) })
    text.add(
      "hearth_brotli_waiting", .gauge, "Pages and change sets that wait to be made ready as br.",
      publisher.brotli.count)
    text.add(
      "hearth_ready_bytes", .gauge, "All that is kept ready for clients, counted against public.variantBytesMax.",
      publisher.budget.bytes)
  }

  private func addTimes(to text: inout MetricsText) {
    text.add(
      "hearth_admin_request_seconds", "How long admin requests take that do not wait for a change.", adminTimes.readings
    )
    text.add(
      "hearth_publish_seconds", "How long publishes take until every loop serves them.",
      [(labels: [:], reading: publisher.publishTimes.reading)])
    text.add(
      "hearth_brotli_seconds", "How long each took to be made ready as br, while clients got gzip.",
      [(labels: [:], reading: publisher.brotli.times.reading)])
    text.add(
      "hearth_assembly_seconds", "How long polls wait for a variant of first use.",
      [(labels: [:], reading: publisher.assemblyTimes.reading)])
  }
}

extension StoreError.DatabaseFailure {
  /// The problem, and what to do while the server runs.
  fileprivate var told: String {
    switch self {
    case .full: "\(self): make room"
    case .readOnly: "\(self): let this server write the file and its folder, or on PostgreSQL the database"
    case .locked: "\(self): end that one"
    case .busy: "\(self): see what keeps it so long, and take load off it"
    case .corrupt, .notADatabase, .gone, .missing, .logAlone:
      "\(self): restart nothing before it is put back or restored"
    case .cannotOpen, .inputOutput, .inDoubt: "\(self): look at its disk"
    case .connectionLost: "the connection to the server that keeps the database was lost: look at that server"
    case .unreachable: "\(self): look at that server, and at the network"
    case .notPermitted: "\(self): grant it"
    case .standbyMissing, .unconfirmed:
      "\(self): bring the standby back, or take it out of synchronous_standby_names"
    case .unsuitable: "\(self)"
    }
  }
}
