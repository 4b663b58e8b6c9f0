import Backup
import Foundation
import HTTPClient
public import HTTPServer
public import Layout
public import Logging
package import Serving
public import Storage
public import Traces

/// The public and the admin listener over one store, and what works beside them: here all of it is put together.
public final class HearthServer: Sendable {
  private let settings: ServerSettings
  let publisher: Publisher
  /// Starts the loops of the public listener.
  private let startPolls: @Sendable () throws -> Server
  /// Starts the loop of the admin listener.
  private let startAdmin: @Sendable () throws -> Server
  let api: AdminAPI
  let logger: Logger
  private let nodes: NodeList
  private let assets: AssetShelf
  private let tokens: TokenWatch
  let signing: PageSigning?
  /// What sends traces; `nil` if this process has none. Nothing is recorded before ``Traces/begin()``.
  public let traces: Traces?
  /// What works beside polls; it ends while they drain.
  private let services: [any BackgroundService]
  /// What ends after that, one after the other.
  private let lastServices: [any BackgroundService]
  /// The kinds that this process was started with.
  let ownKinds: Kinds
  /// The listening sockets by the listeners' names, to be handed on to a successor.
  public let sockets: [String: ListeningSockets]

  var store: Store { publisher.store }

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
    self.logger = logger
    ownKinds = kinds
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
    let previews = PreviewAnswers(publisher: publisher, settings: settings.admin.previews)
    let assembler = Assembler(publisher: publisher)
    startPolls = {
      try Server(
        name: "public", sockets: publicSockets, loops: loops, limits: settings.publicLimits, logger: logger
      ) { _ in
        PollHandler(
          assembler: assembler, assets: assetHandler, previews: previews, age: nodes.age, settings: polls)
      }
    }
    let webhooks =
      try settings.webhooks.isOn
      ? WebhookSender(publisher: publisher, nodes: nodes, settings: settings.webhooks, logger: logger) : nil
    let traces = try settings.traces.to.map { address throws(HTTPClientFailure) in
      try Traces(
        to: address, settings.traces, outgoing: settings.webhooks.client, version: version.number,
        node: settings.nodeNameOrHost, logger: logger)
    }
    self.traces = traces
    let asker = try SourceAsker(
      publisher: publisher, settings: settings.sources, outgoing: settings.webhooks, logger: logger)
    let backup = try settings.backupSender(of: store, logger: logger, servesAlone: servesAlone)
    let tokens = TokensFile(path: settings.tokensFile)
    self.tokens = TokenWatch(file: tokens, publisher: publisher, logger: logger)
    let api = AdminAPI(
      publisher: publisher, assets: assets, previews: previews, nodes: nodes, tokens: tokens, kindsFile: kindsFile,
      fileHash: kinds.hash, webhooks: webhooks, webhooksMax: settings.webhooks.countMax, asker: asker,
      settings: settings.admin, logger: logger)
    self.api = api
    let router = AdminRouter(api: api, isTraced: traces != nil)
    let health = DatabaseHealth(store: store, logger: logger)
    let adminTimes = AdminTimes()
    let operations = Operations(
      health: health, publisher: publisher, asker: asker, assets: assets, nodes: nodes, tokens: tokens,
      backup: backup, version: version, clock: clock, kindsDiffer: { api.fileDiffers }, linesDropped: linesDropped,
      signing: signing, adminTimes: adminTimes, spans: { traces?.counts ?? (sent: 0, dropped: 0) }, startedAt: clock())
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
            assembler: assembler, assets: assetHandler, previews: previews, age: nodes.age, settings: pollsOfDemo))
      }
    }
    adminPort = adminSockets.port
    let mayBeThere: [(any BackgroundService)?] = [
      health, nodes,
      ChangeFollower(publisher: publisher, nodes: nodes, assets: assets, tokens: self.tokens, logger: logger),
      DuePublishes(publisher: publisher, api: api, logger: logger), FlipPreparation(publisher: publisher),
      StateLog(publisher, store.clock, logger), Retention(publisher, settings, logger),
      PictureKeeping(assets, publisher, logger),
      signing.map { SignatureRenewal(signing: $0, publisher: publisher, logger: logger) },
      webhooks, AskingService(asker: asker, api: api),
    ]
    services = mayBeThere.compactMap(\.self)
    let mayBeLast: [(any BackgroundService)?] = [
      RecordKeeping(publisher, logger), backup.map { BackupService(sender: $0) },
      // At last, so that what was drained is told of.
      traces.map { TraceService(traces: $0) },
    ]
    lastServices = mayBeLast.compactMap(\.self)
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
  ///   - others: What else works beside polls, for as long as they are answered.
  package func run(
    whenLoaded: @Sendable () async throws -> Void = {}, whenServing: @Sendable () -> Void = {},
    with others: [any BackgroundService] = []
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
    for dropped in publisher.snapshot.journalDropped {
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
    await tokens.look(isFirst: true)
    // A thread begins with the priority of the one that starts it, and only the main thread never gives way.
    let publicServer = try await MainActor.run { try startPolls() }
    let adminServer = try await MainActor.run { try startAdmin() }
    for (name, server) in [("public", publicServer), ("admin", adminServer)] {
      publisher.servers.add(server, name)
      let addresses = (sockets[name]?.addresses ?? []).map(\.description).joined(separator: ",")
      logger.info(
        "listening",
        metadata: ["listener": "\(name)", "address": "\(addresses)", "connectionsMax": "\(server.connectionsMax)"])
    }
    reportDescriptors(connections: publicServer.connectionsMax + adminServer.connectionsMax)
    logger.info(
      "serving",
      metadata: [
        "pages": "\(publisher.live.lineup.pages.joined(separator: ","))",
        "fromSnapshot": "\(publisher.pagesFromSnapshot.joined(separator: ","))",
      ])
    whenServing()
    let running = (services + others).map { service in Task { await service.run() } }
    let runningLast = lastServices.map { service in Task { await service.run() } }
    await (services + others + lastServices).wakeEachSecond()
    for task in running { task.cancel() }
    logger.info("draining")
    api.endWaits()
    async let adminIsDrained: Void = adminServer.drain(grace: settings.drainGrace, idle: settings.drainIdle)
    await publicServer.drain(grace: settings.drainGrace, idle: settings.drainIdle)
    await adminIsDrained
    publisher.brotli.stop()
    // What ends may take its time, and the process may not be given it.
    await publisher.saveSnapshot(isLast: true)
    for task in running { await task.value }
    for task in runningLast {
      task.cancel()
      await task.value
    }
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

  private static func bind(_ listener: ServerSettings.Listener, _ name: String, _ loops: Int) throws -> ListeningSockets
  {
    do { return try ListeningSockets(host: listener.host, port: listener.port, count: loops) } catch {
      throw ListenFailure(name: name, listener: listener, error: error)
    }
  }
}

extension ListeningSockets {
  /// Where others reach them, as far as this machine knows.
  fileprivate var reachable: String {
    guard let address = addresses.first(where: { !$0.isLoopback }) ?? addresses.first else { return "" }
    return address.isUnspecified ? "\(ProcessInfo.processInfo.hostName):\(address.port)" : "\(address)"
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
