public import Backup
import Foundation
import HTTPClient
public import HTTPServer
public import Layout
public import Logging
public import Storage
public import Serving
public import Traces

/// What a running server is made of.
public struct ServerSettings: Sendable {
  /// An address to listen on.
  public struct Listener: Sendable, Hashable {
    /// A numeric host.
    public var host: String
    /// The port; 0 picks a free one.
    public var port: UInt16

    /// An address.
    public init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }
  }

  /// Where clients poll.
  public var publicListener = Listener(host: "127.0.0.1", port: 8080)
  /// Where operators work.
  public var adminListener = Listener(host: "127.0.0.1", port: 8081)
  /// The loops of the public listener; one a core when absent.
  public var loops: Int?
  /// What the public listener allows its clients.
  public var publicLimits = Limits()
  /// What the admin listener allows its clients; an eighth of the descriptor limit when no connections are set.
  public var adminLimits: Limits = {
    var limits = Limits()
    limits.bodyBytesMax = 8 * 1024 * 1024
    limits.connectionsPerAddressMax = 256
    limits.pendingBytesMax = 256 * 1024 * 1024
    return limits
  }()
  /// What is set for polls.
  public var polls = PollSettings()
  /// The bytes of ready variants, and of what else strangers can make grow, over all pages.
  public var variantBytesMax = 256 * 1024 * 1024
  /// The most pages and change sets that may wait for `br`.
  public var brotliWaitingMax = 4_096
  /// How many versions of each variant stay known, for clients that ask for changes.
  public var knownVersionsMax = 8
  /// The file that tells what was served when the process is over, so that no page goes back; `nil` for none.
  public var servedFile: String?
  /// The file that tells what is known of tokens, so that a restored database brings none back; `nil` for none.
  public var tokensFile: String?
  /// The file that the next start begins with, so that it need not load all that is live; `nil` for none.
  public var snapshotFile: String?
  /// How long a drain may take.
  public var drainGrace: Duration = .seconds(10)
  /// How long a drain keeps an idle connection for the request that may be on its way, in whole seconds rounded up.
  public var drainIdle: Duration = .seconds(1)
  /// The newest revisions of each page that retention keeps.
  public var revisionsKept = 100
  /// The days that retention keeps every revision.
  public var revisionDaysKept = 30
  /// Settings of signatures.
  public var signing = SigningSettings()
  /// What is set for pictures.
  public var assets = AssetSettings()
  /// What is set for the admin side.
  public var admin = AdminSettings()
  /// What is set for webhooks.
  public var webhooks = WebhookSettings()
  /// What is set for traces.
  public var traces = TraceSettings()
  /// What is set for sections whose content is asked of an endpoint.
  public var sources = SourceSettings()
  /// What is set for the continuous backup.
  public var backup = BackupSettings()
  /// What operators call this node; the host's name when it is empty.
  public var nodeName = ""

  /// The default settings.
  public init() {}

  var loopCount: Int { max(loops ?? ProcessInfo.processInfo.activeProcessorCount, 1) }
}

extension ServerSettings {
  /// Whether a server could begin with its snapshot while the database is away.
  public func canStartWithoutDatabase(context: DefinitionContext, version: ProgramVersion) -> Bool {
    Publisher.canStartWithoutDatabase(publishing(version: version.number, context: context))
  }

  fileprivate func publishing(version: String, context: DefinitionContext, signing: PageSigning? = nil)
    -> Publisher.Settings
  {
    var publishing = Publisher.Settings()
    publishing.variantBytesMax = variantBytesMax
    publishing.brotliWaitingMax = brotliWaitingMax
    publishing.knownVersionsMax = knownVersionsMax
    publishing.servedFile = servedFile
    publishing.snapshotFile = snapshotFile
    publishing.assetsBaseURL = assets.baseURL
    publishing.version = version
    publishing.context = context
    publishing.polls = polls
    publishing.polls.signing = signing
    // For each loop: a quarter of what may be kept ready, shared out to them.
    publishing.polls.shapeBytesMax = variantBytesMax / 4 / loopCount
    return publishing
  }

  /// What sends changes to `backup.to`, if that is set.
  fileprivate func backupSender(
    of store: Store, logger: Logger, servesAlone: @escaping @Sendable () -> Bool
  ) throws(TargetFailure) -> BackupSender? {
    guard backup.to != nil else { return nil }
    guard !store.isShared else { throw .ofServer }
    return BackupSender(
      store: store, target: try backup.target(), settings: backup,
      files: [("tokens", tokensFile), ("served", servedFile)].compactMap { name, path in
        path.map { (name: name, path: $0) }
      },
      logger: logger, mayBegin: servesAlone)
  }

  fileprivate var nodeNameOrHost: String { nodeName.isEmpty ? ProcessInfo.processInfo.hostName : nodeName }
}

extension ListeningSockets {
  /// Where others reach them, as far as this machine knows.
  fileprivate var reachable: String {
    guard let address = addresses.first(where: { !$0.isLoopback }) ?? addresses.first else { return "" }
    return address.isUnspecified ? "\(ProcessInfo.processInfo.hostName):\(address.port)" : "\(address)"
  }
}

/// The public and the admin listener over one store.
public final class HearthServer: Sendable {
  private let settings: ServerSettings
  private let store: Store
  private let publisher: Publisher
  private let nodes: NodeList
  /// Starts the loops of the public listener.
  private let startPolls: @Sendable () throws -> Server
  private let tokens: TokensFile
  private let signing: PageSigning?
  private let health: DatabaseHealth
  /// Starts the loop of the admin listener.
  private let startAdmin: @Sendable () throws -> Server
  let api: AdminAPI
  let logger: Logger
  private let unknownKinds: UnknownKindsLog
  private let assets: AssetShelf
  /// What tells others of what goes live; `nil` if this process does not.
  private let webhooks: WebhookSender?
  /// What sends traces; `nil` if this process has none. Nothing is recorded before ``Traces/begin()``.
  public let traces: Traces?
  /// What asks the endpoints of sections.
  private let asker: SourceAsker
  /// What sends changes to `backup.to`; `nil` where that is not set.
  private let backup: BackupSender?
  /// The kinds that this process was started with.
  private let ownKinds: Kinds
  private let clock: @Sendable () -> Instant
  /// The listening sockets by the listeners' names, to be handed on to a successor.
  public let sockets: [String: ListeningSockets]

  /// Binds both listeners, unless their sockets are given.
  ///
  /// - Parameters:
  ///   - sockets: Sockets that listen already, by the listeners' names: `public`, `admin`.
  ///   - kinds: What pages are drawn with where the database does not say: the kinds of the file.
  ///   - kindsFile: The file that is read again by a reload.
  ///   - servesAlone: Whether this process is the one that serves the database: a successor is not yet.
  ///   - linesDropped: Counts the log lines that could not be written, for the metrics.
  /// - Throws: ``TargetFailure`` when `backup.to` cannot be used, ``ListenFailure`` when an address cannot be had,
  ///   ``SigningKeyFailure`` when keys cannot be used, ``HTTPClientFailure`` where webhooks, sources or traces are on and
  ///   there is no libcurl, or traces may not be sent where they are to.
  public init(
    settings: ServerSettings, store: Store, kinds: Kinds, context: DefinitionContext,
    version: ProgramVersion, logger: Logger,
    kindsFile: KindsFile? = nil, sockets: [String: ListeningSockets] = [:],
    servesAlone: @escaping @Sendable () -> Bool = { true }, linesDropped: @escaping @Sendable () -> Int = { 0 },
    clock: @escaping @Sendable () -> Instant = { .now }
  ) throws {
    let signing = try settings.signing.isOn ? PageSigning(settings.signing, clock: clock) : nil
    self.signing = signing
    let loops = settings.loopCount
    let publicSockets = try sockets["public"] ?? Self.bind(settings.publicListener, "public", loops)
    let adminSockets = try sockets["admin"] ?? Self.bind(settings.adminListener, "admin", 1)
    self.sockets = ["public": publicSockets, "admin": adminSockets]
    publicPort = publicSockets.port
    self.settings = settings
    self.store = store
    self.logger = logger
    unknownKinds = UnknownKindsLog(logger: logger)
    ownKinds = kinds
    self.clock = clock
    let assets = AssetShelf(store: store, settings: settings.assets, logger: logger)
    self.assets = assets
    let assetHandler = AssetHandler(shelf: assets)
    let publishing = settings.publishing(version: version.number, context: context, signing: signing)
    let polls = publishing.polls
    let nodes = NodeList(
      store: store, name: settings.nodeNameOrHost,
      address: publicSockets.reachable, version: version.number, since: clock())
    self.nodes = nodes
    let publisher = Publisher(store: store, kinds: kinds, settings: publishing, nodes: nodes, clock: clock)
    self.publisher = publisher
    let previews = PreviewAnswers(
      store: store, publisher: publisher, attributes: context.attributes, settings: settings.admin.previews,
      clock: clock)
    let assembler = Assembler(publisher: publisher, jobsMax: polls.assembliesMax, clock: clock)
    let attributes = context.attributes
    startPolls = {
      try Server(
        name: "public", sockets: publicSockets, loops: loops, limits: settings.publicLimits, logger: logger
      ) { _ in
        PollHandler(
          assembler: assembler, assets: assetHandler, previews: previews, age: nodes.age, attributes: attributes,
          settings: polls)
      }
    }
    let webhooks =
      try settings.webhooks.isOn
      ? WebhookSender(
        store: store, publisher: publisher, nodes: nodes, settings: settings.webhooks, version: version.number,
        logger: logger) : nil
    self.webhooks = webhooks
    let traces = try settings.traces.to.map { address throws(HTTPClientFailure) in
      try Traces(
        to: address, settings.traces, outgoing: settings.webhooks.client, version: version.number,
        node: settings.nodeNameOrHost, logger: logger)
    }
    self.traces = traces
    let asker = try SourceAsker(
      store: store, publisher: publisher, settings: settings.sources, outgoing: settings.webhooks,
      version: version.number, context: context, logger: logger)
    self.asker = asker
    let backup = try settings.backupSender(of: store, logger: logger, servesAlone: servesAlone)
    self.backup = backup
    let tokens = TokensFile(path: settings.tokensFile)
    self.tokens = tokens
    let api = AdminAPI(
      store: store, publisher: publisher, assets: assets, previews: previews, nodes: nodes, tokens: tokens,
      kindsFile: kindsFile,
      fileHash: kinds.hash, webhooks: webhooks, webhooksMax: settings.webhooks.countMax, asker: asker,
      context: context, settings: settings.admin, logger: logger, clock: { store.clock() })
    self.api = api
    let router = AdminRouter(api: api, isTraced: traces != nil)
    let health = DatabaseHealth(store: store, logger: logger)
    self.health = health
    let adminTimes = AdminTimes()
    let operations = Operations(
      store: store, health: health, publisher: publisher, asker: asker, assets: assets, nodes: nodes, tokens: tokens,
      backup: backup, version: version, clock: clock, kindsDiffer: { api.fileDiffers }, linesDropped: linesDropped,
      signing: signing, adminTimes: adminTimes, spans: { traces?.counts ?? (sent: 0, dropped: 0) })
    let servesDemo = settings.admin.servesDemo
    let console = try ConsoleHandler(servesDemo: servesDemo)
    var adminLimits = settings.adminLimits
    adminLimits.connectionsMax = adminLimits.connectionsMax ?? Limits.descriptorsMax / 8
    let hosts = AdminHosts(settings.admin.hosts, listening: adminSockets.addresses)
    var pollsOfDemo = polls
    // Whoever can open the page may poll it.
    pollsOfDemo.clientKey = nil
    startAdmin = { [adminLimits, pollsOfDemo] in
      try Server(name: "admin", sockets: adminSockets, loops: 1, limits: adminLimits, logger: logger) { _ in
        let handler = AdminHandler(
          router: router, operations: operations, console: console, assets: assetHandler, hosts: hosts,
          times: adminTimes, logger: logger)
        guard servesDemo else { return handler }
        return DemoHandler(
          admin: handler,
          polls: PollHandler(
            assembler: assembler, assets: assetHandler, previews: previews, age: nodes.age, attributes: attributes,
            settings: pollsOfDemo))
      }
    }
    adminPort = adminSockets.port
  }

  /// The port that clients poll.
  public let publicPort: UInt16
  /// The port that operators work at.
  public let adminPort: UInt16

  /// Makes what is live ready and serves it, until the task is cancelled; then drains.
  ///
  /// Connections that come before all is ready wait in the sockets' queues, so that none of them is refused: not at the
  /// start, and not while this process takes the place of another.
  ///
  /// - Parameters:
  ///   - whenLoaded: Called before anything is served; returns when a predecessor changes nothing any more, and throws when
  ///     it goes on.
  ///   - whenServing: Called once polls are answered with pages.
  public func run(
    whenLoaded: @Sendable () async throws -> Void = {}, whenServing: @Sendable () -> Void = {}
  ) async throws {
    if let failure = publisher.served.failure {
      logger.error("what was served before cannot be read", metadata: ["error": "\(failure)"])
    }
    await publisher.beginFollowing()
    // While the database is away, the pictures on the disk are served; the first look after it reads which there are.
    do { try await assets.refresh() } catch StoreError.database(let failure) where failure.isAway {}
    try await publisher.start(review: { [api] in try api.review($0, $1) })
    if let dropped = publisher.snapshotDropped {
      logger.notice("the snapshot is not used", metadata: ["reason": "\(dropped)"])
    }
    for dropped in publisher.journalDropped {
      logger.notice(
        "the end of the journal is not used; a page of which it had the newest edition is withheld until the database is there",
        metadata: ["reason": "\(dropped)"])
    }
    await compareClocks()
    if !publisher.isUnconfirmed { nodes.age.note() }
    try await whenLoaded()
    // What a predecessor made live while this process loaded.
    do { try await publisher.reload() } catch StoreError.database(let failure)
      where failure.isAway && publisher.isUnconfirmed
    {
      logger.error(
        "the database is away: the snapshot is served until it can be compared, and nothing is changed",
        metadata: ["reason": "\(failure)"])
    }
    await compareKinds()
    // Before operators are let in: what was revoked must not work again.
    await lookAtTokens(isFirst: true)
    // A thread begins with the priority of the one that starts it, and only the main thread never gives way.
    let publicServer = try await MainActor.run { try startPolls() }
    publisher.servers.add(publicServer, "public")
    let adminServer = try await MainActor.run { try startAdmin() }
    publisher.servers.add(adminServer, "admin")
    logger.info(
      "listening",
      metadata: [
        "listener": "public", "address": "\(Self.addresses(sockets["public"]))",
        "connectionsMax": "\(publicServer.connectionsMax)",
      ])
    logger.info(
      "listening",
      metadata: [
        "listener": "admin", "address": "\(Self.addresses(sockets["admin"]))",
        "connectionsMax": "\(adminServer.connectionsMax)",
      ])
    reportDescriptors(connections: publicServer.connectionsMax + adminServer.connectionsMax)
    unknownKinds.look(at: publisher.live.lineup.inOrder)
    logger.info(
      "serving",
      metadata: [
        "pages": "\(publisher.live.lineup.pages.joined(separator: ","))",
        "fromSnapshot": "\(publisher.pagesFromSnapshot.joined(separator: ","))",
      ])
    whenServing()
    backup?.start()
    let watch = Task { await health.run() }
    let telling = Task { [nodes] in await nodes.run() }
    // Beside the house-keeping: no flip waits for pictures.
    let pictures = Task { await keepAssets() }
    let signatures = Task { await keepSignatures() }
    let sending = Task { [webhooks] in await webhooks?.run() }
    let tracing = Task { [traces] in await traces?.run() }
    let asking = Task { [asker, api] in
      await asker.run(check: { try api.check($0) }, review: { try api.review($0, $1) })
    }
    let (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    store.whenOthersChange(says: { [logger] words in logger.notice("\(words)") }) { waking.yield() }
    // Beside the house-keeping, which may be waiting for something else; one task alone looks, so that no look is
    // overtaken by a later one.
    let following = Task { for await _ in wakes { await takeChangesOfOthers() } }
    // Nor does the look of each second wait for the house-keeping, which writes to the database and to the disk.
    let looking = Task {
      while !Task.isCancelled {
        waking.yield()
        try? await Task.sleep(for: .untilNextSecond)
      }
    }
    await keepHouse()
    looking.cancel()
    following.cancel()
    watch.cancel()
    telling.cancel()
    pictures.cancel()
    signatures.cancel()
    sending.cancel()
    asking.cancel()
    logger.info("draining")
    api.endWaits()
    async let adminIsDrained: Void = adminServer.drain(grace: settings.drainGrace, idle: settings.drainIdle)
    await publicServer.drain(grace: settings.drainGrace, idle: settings.drainIdle)
    await adminIsDrained
    publisher.brotli.stop()
    // A cancelled task writes files as any other.
    await publisher.saveSnapshot(isLast: true)
    // Its connection is closed before the others, so that they leave one file behind.
    await watch.value
    await telling.value
    await pictures.value
    await signatures.value
    await sending.value
    await asking.value
    // The database takes nothing from a cancelled task.
    await Task {
      await saveVersions()
      await noteLastChange()
      await store.finishWriting()
    }.value
    await publisher.served.save()
    // Once nothing is written any more: what is left leaves.
    await backup?.stop()
    // At last, so that what was drained is told of.
    tracing.cancel()
    await tracing.value
  }

  /// At the beginning of each second: makes live what is due, and prepares flips; now and then prunes.
  private func keepHouse() async {
    var seconds = 0
    var hasMoreToPrune = false
    var logged = HistoryLog()
    while !Task.isCancelled {
      await publishDue()
      publisher.prepareFlips(within: 15)
      await saveVersions()
      await noteLastChange()
      await publisher.served.save()
      await publisher.saveSnapshot()
      if tokens.isDue { await lookAtTokens() }
      logged.update(publisher, store.clock, logger)
      if hasMoreToPrune || seconds.isMultiple(of: 10) { hasMoreToPrune = await prune() }
      seconds += 1
      try? await Task.sleep(for: .untilNextSecond)
    }
  }

  /// Brings live pages' pictures onto the disk, and removes unused ones once an hour.
  private func keepAssets() async {
    var seconds = 0
    while !Task.isCancelled {
      // In other history, what refers to a picture may be what was cut.
      let isCut = publisher.historyCut != nil
      if !isCut { await assets.fetchLive(publisher.live.lineup.editions.mapValues { "\($0.number)" }) }
      if seconds % 3_600 == 600, !isCut {
        do { try await assets.removeUnused(at: store.clock()) } catch {
          report("unused pictures cannot be removed", error)
        }
      }
      seconds += 1
      try? await Task.sleep(for: .untilNextSecond)
    }
  }

  /// Renews signatures at half of their life, beside the house-keeping: no flip waits for them.
  private func keepSignatures() async {
    guard let signing else { return }
    if signing.keyIDs.isEmpty { logger.warning("there is no signing key, so that nothing is signed") }
    while !Task.isCancelled {
      await signing.renew(publisher.live.lineup)
      try? await Task.sleep(for: .untilNextSecond)
    }
  }

  /// Reads the signing keys again, where there is a place for them; the log says what came of it.
  public func reloadSigningKeys() async {
    guard let signing else { return }
    do {
      guard let ids = try await signing.reload({ publisher.live.lineup }) else { return }
      logger.notice("the signing keys have changed", metadata: ["keys": "\(ids.joined(separator: ", "))"])
    } catch {
      logger.error("the signing keys were not reloaded; those before stay", metadata: ["reason": "\(error)"])
    }
  }

  /// Picks up what other processes have changed; what cannot be read is tried again the next time.
  private func takeChangesOfOthers() async {
    let wasUnconfirmed = publisher.isUnconfirmed
    guard let hasLooked = await publisher.follow(reloading: reload) else { return }
    if hasLooked, wasUnconfirmed {
      logger.notice("the database is there, and what is served was compared with it")
    }
    nodes.age.note()
  }

  /// Says when the machine's clock is before what the database has: one of the two was wrong, and nobody can tell which.
  private func compareClocks() async {
    guard !store.isShared, let last = try? await store.lastChangeAt(), last > store.clock().adding(seconds: 1) else {
      return
    }
    logger.warning(
      "this machine's clock is before the last change in the database: it is wrong, or was ahead then; set it right",
      metadata: ["clock": "\(store.clock())", "lastChange": "\(last)"])
  }

  /// Makes the kinds of this process's file active if no other process can have another file, and content takes them;
  /// otherwise the database's kinds stay: the file may be another than the one that the content was made with
  /// (docs/decisions/0114).
  private func compareKinds() async {
    guard ownKinds.hash != publisher.kinds.hash, !publisher.isUnconfirmed else { return }
    guard !store.isShared else {
      return logger.warning(
        "the kinds.yaml of this node is not what the nodes of the database go by; reload it at one of them, or bring it up to date",
        metadata: ["file": "\(ownKinds.hash.prefix(8))", "database": "\(publisher.kinds.hash.prefix(8))"])
    }
    do {
      note(try await publisher.changeKinds(to: ownKinds, isForced: false, by: Actor(name: "server")))
    } catch let refusal as KindsBreakContent {
      let first = refusal.refused.first.map { "\($0.page) \($0.state): \($0.problem)" } ?? ""
      logger.error(
        "kinds.yaml refuses content: the kinds of the database stay; put the right file there, or reload with force",
        metadata: ["refused": "\(refusal.refused.count)", "first": "\(first)"])
    } catch {
      report("the kinds that the server was started with cannot be stored; those before stay", error)
    }
  }

  /// Reads the file of the kinds again, and has all nodes go by it; the log says what came of it.
  public func reloadKinds() async {
    do { note(try await api.reloadKinds(by: Actor(name: "signal"))) } catch {
      logger.error("the kinds were not reloaded; those before stay", metadata: ["reason": "\(error)"])
    }
  }

  private func note(_ change: KindsChange) {
    let pages = change.revisions.map { "\($0.page) \($0.number)" }.joined(separator: ", ")
    var metadata: Logger.Metadata = ["kinds": "\(change.hash.prefix(8))", "revisions": "\(pages)"]
    if !change.kept.isEmpty { metadata["keptForWhatIsLive"] = "\(change.kept.joined(separator: ", "))" }
    logger.notice("the kinds are those of the file", metadata: metadata)
  }

  /// The kinds that pages are drawn with now.
  public var kinds: Kinds { publisher.kinds }

  /// Lets what is served change no more, because a successor has loaded it, or change again, because that one gave up.
  public func settle(_ settles: Bool) async {
    if settles { await publisher.settle() } else { publisher.resume() }
  }

  private func publishDue() async {
    // Whatever looks at the database each second finds out when it is back.
    guard !store.isAway else { return }
    do { try await publisher.publishDue(review: { [api] in try api.review($0, $1) }) } catch {
      report("what is scheduled cannot be published", error)
    }
  }

  /// Logs a failure, unless the drain ended the work: then nothing has failed.
  private func report(_ what: Logger.Message, _ error: any Error) {
    if !(error is CancellationError) { logger.error(what, metadata: ["error": "\(error)"]) }
  }

  /// - Returns: Whether it could be read; it is tried again otherwise.
  private func reload() async -> Bool {
    do {
      // Before the pages that refer to them.
      try await assets.refresh()
      try await publisher.reload()
      unknownKinds.look(at: publisher.live.lineup.inOrder)
      note(problem: nil)
      await lookAtTokens()
      return true
    } catch StoreError.database(let failure) where failure.isAway {
      report("the database cannot be read", StoreError.database(failure))
    } catch is CancellationError {
      // The drain has ended it.
    } catch {
      // Not more than a line of a list.
      let text = String(String.UnicodeScalarView("\(error)".unicodeScalars.prefix(500)))
      note(problem: Node.Problem(code: Problem(error)?.code ?? "internal", text: text))
    }
    return false
  }

  /// Tells the log and the other nodes, when that is new, why this one cannot serve what the database has.
  private func note(problem: Node.Problem?) {
    guard nodes.note(problem: problem) else { return }
    if let problem {
      logger.error(
        "what the database has cannot be served, and what was served before stays",
        metadata: ["error": "\(problem.text)"])
    } else {
      logger.notice("what the database has is served again")
    }
  }

  private func saveVersions() async {
    guard !store.isAway else { return }
    do { try await publisher.saveVersions() } catch {
      report("known versions cannot be saved", error)
    }
  }

  /// Compares the database's tokens with the known ones, and logs the ones that an operator should look at.
  ///
  /// - Parameter isFirst: Whether nothing was logged about tokens yet.
  private func lookAtTokens(isFirst: Bool = false) async {
    guard !store.isAway, !publisher.isUnconfirmed else { return }
    do {
      let found = try await tokens.look(at: store)
      for finding in isFirst ? tokens.findings(at: store.clock()) : found {
        logger.warning(
          "\(finding.fate.words)", metadata: ["token": "\(finding.selector)", "name": "\(finding.name)"])
      }
    } catch { report("the tokens cannot be compared with those that were known", error) }
  }

  private func noteLastChange() async {
    guard !store.isAway else { return }
    // Whatever keeps the database from being read is reported by who looks at it each second.
    try? await publisher.noteLastChange()
  }

  /// Removes what retention does not keep, for a part of a second: what comes due must not wait for it.
  ///
  /// - Returns: Whether there is more.
  private func prune() async -> Bool {
    // What is old in other history tells what was cut.
    guard publisher.historyCut == nil, !store.isAway else { return false }
    // What a wrong clock removes stays so, and a start has nothing to compare its own with.
    guard store.clock.isSteady || settings.revisionDaysKept == 0 else { return false }
    let before = store.clock().adding(seconds: -Int64(settings.revisionDaysKept) * 86_400)
    let batch = 20
    do {
      for _ in 0..<20 {
        guard try await store.prune(keep: settings.revisionsKept, madeBefore: before, batch: batch) == batch else {
          return false
        }
        try? await Task.sleep(for: .milliseconds(10))
      }
      return true
    } catch {
      report("revisions cannot be pruned", error)
      return false
    }
  }

  /// What sockets listen on, for the log.
  private static func addresses(_ sockets: ListeningSockets?) -> String {
    (sockets?.addresses ?? []).map(\.description).joined(separator: ",")
  }

  private static func bind(_ listener: ServerSettings.Listener, _ name: String, _ loops: Int) throws -> ListeningSockets
  {
    do { return try ListeningSockets(host: listener.host, port: listener.port, count: loops) } catch {
      throw ListenFailure(name: name, listener: listener, error: error)
    }
  }
}

/// What was last logged about history and the served file, so each change is logged once.
private struct HistoryLog {
  private var cut: HistoryCut?
  private var failure: String?
  private var snapshotFailure: String?
  private var held: [ScheduledPublish] = []
  private var dueFailure: String?
  private var isClockOff = false

  mutating func update(_ publisher: Publisher, _ clock: StoreClock, _ logger: Logger) {
    let cut = publisher.historyCut
    if cut != self.cut {
      if let cut {
        logger.error("nothing is published, and what was served stays", metadata: ["reason": "\(cut)"])
      } else {
        logger.notice("history goes on", metadata: ["generation": "\(publisher.served.history.generation)"])
      }
    }
    let failure = publisher.served.failure?.description
    if failure != self.failure, let failure {
      logger.error("what is served cannot be kept", metadata: ["error": "\(failure)"])
    }
    let snapshotFailure = publisher.snapshot.failure?.description
    if snapshotFailure != self.snapshotFailure, let snapshotFailure {
      logger.error("the snapshot cannot be written", metadata: ["error": "\(snapshotFailure)"])
    }
    let held = publisher.heldPublishes
    if held != self.held, !held.isEmpty {
      logger.warning(
        "scheduled publishes are held since the generation was raised; release them, or take them off",
        metadata: ["held": "\(held.map { "\($0.page) \($0.id)" }.joined(separator: ", "))"])
    }
    self.held = held
    let dueFailure = publisher.dueFailure
    if dueFailure != self.dueFailure, let dueFailure {
      logger.error("what is due stays scheduled: this node cannot publish it", metadata: ["reason": "\(dueFailure)"])
    }
    let clockFailure = clock.failure
    if (clockFailure != nil) != isClockOff {
      if let clockFailure {
        logger.error("the clock is off", metadata: ["reason": "\(clockFailure)"])
      } else {
        logger.notice("the clock is right again")
      }
      isClockOff = clockFailure != nil
    }
    (self.cut, self.failure, self.snapshotFailure, self.dueFailure) = (cut, failure, snapshotFailure, dueFailure)
  }
}

extension Duration {
  /// The time that is left of this second of the clock.
  fileprivate static var untilNextSecond: Duration {
    let now = Date().timeIntervalSince1970
    return .milliseconds(Int64((1 - (now - now.rounded(.down))) * 1_000) + 1)
  }
}

/// An address that cannot be listened on.
public struct ListenFailure: Error, CustomStringConvertible {
  var name: String
  var listener: ServerSettings.Listener
  var error: SystemError

  /// The problem and its remedy, in words.
  public var description: String {
    "the \(name) address \(listener.host):\(listener.port) cannot be listened on: \(error); "
      + "free it, or set another (\(name == "public" ? "--listen" : "--admin-listen") HOST:PORT)"
  }
}
