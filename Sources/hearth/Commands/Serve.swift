import ArgumentParser
import Foundation
import Glibc
import HTTPClient
import HTTPServer
import Layout
import Logging
import Serving
import Service
import ServiceLifecycle
import Storage
import Synchronization
import Traces
import UnixSignals

/// `hearth serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve polls and operators.",
    discussion: """
      SIGTERM and SIGINT finish what is in flight and end the process with 0. SIGHUP reads kinds.yaml and the signing keys again; when the \
      terminal is gone that the process was started from, it ends the process too.
      """)

  @OptionGroup var options: Options

  @Option(help: "Where clients poll, HOST:PORT; port 0 picks a free one.")
  var listen: String?

  @Option(help: "Where operators work, HOST:PORT; port 0 picks a free one.")
  var adminListen: String?

  @Flag(help: "Take over from the hearth that serves this database, with its listening sockets, while it drains.")
  var takeOver = false

  @Flag(help: "Make the database when there is none and its folder is empty, as on the first start with a new volume.")
  var create = false

  @Flag(help: "Print every setting with its source, and end.")
  var printConfig = false

  func run() async throws {
    try await reporting {
      let settings = try options.settings(["public.listen": listen, "admin.listen": adminListen])
      if printConfig { return print(settings.listing(listening: Self.socketsOfSystemd().mapValues(\.addresses))) }
      try await reporting(database: "\(settings.database)") { try await serve(settings) }
    }
  }

  private func serve(_ settings: Settings) async throws {
    // Before all that takes time: a reload that comes meanwhile is done once the server runs, and does not end it.
    let hangUps = await HangUps()
    DescriptorWriting.survive()
    let log = LogQueue(descriptor: STDERR_FILENO, bytesMax: settings.values.logBytesMax)
    LoggingSystem.bootstrap { LogLine(label: $0, logLevel: settings.values.logLevel, queue: log) }
    defer { log.flush(atMost: 1) }
    let logger = Logger(label: "hearth")
    let version = ProgramVersion.current
    logger.info("starting", metadata: ["version": "\(version.number)", "commit": "\(version.commit)"])
    Limits.raiseDescriptorsMax()
    let kinds = try settings.kinds()
    // Before a predecessor is asked for its sockets, too.
    _ = try settings.values.server.signing.read()
    let wanted = settings.values.server
    if wanted.webhooks.isOn || wanted.sources.isOn || wanted.traces.to != nil { try HTTPClient.load() }
    if create { try settings.makeDatabaseOnEmptyVolume() }
    // Before the database is opened: what a second server would do to it has to wait for this.
    let lock = try ServingLock(settings, hearsHangUps: hangUps.areHeard)
    if !takeOver { try lock.take() }
    let store = try settings.openStore(makes: create, connects: false)
    let isThere = try await settings.connect(store, logger)
    guard store.fileIdentity == nil || lock.file == store.fileIdentity else { throw StoreError.database(.gone) }
    let received = takeOver ? try Handover.take(path: lock.handoverPath) : nil
    if received == nil, takeOver { try lock.take() }
    if lock.isTaken { lock.announce(kinds) } else { lock.takeLater(announcing: kinds) }
    if isThere { try await store.claim() }
    if let folder = settings.nodeFolder {
      // The server reports one that cannot be made, and goes on.
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let server = try HearthServer(
      settings: settings.server, store: store, kinds: kinds, context: settings.context,
      version: version, logger: logger, kindsFile: settings.kindsFile,
      sockets: received?.sockets ?? Self.socketsOfSystemd(), servesAlone: { lock.isTaken },
      linesDropped: { log.dropped })
    server.traces?.begin()
    let service = HearthService(server: server, lock: lock, received: received, hangUps: hangUps, logger: logger)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          ServiceGroupConfiguration.ServiceConfiguration(
            service: service, successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
    await store.close()
  }

  /// The sockets that systemd passed: `public` and `admin` by name, or without names in this order.
  private static func socketsOfSystemd() -> [String: ListeningSockets] {
    var sockets = ListeningSockets.fromSystemd(ProcessInfo.processInfo.environment)
    let unnamed = sockets.removeValue(forKey: "unknown")?.descriptors ?? []
    for (name, descriptor) in zip(["public", "admin"].filter { sockets[$0] == nil }, unnamed) {
      sockets[name] = ListeningSockets(adopting: [descriptor])
    }
    return sockets
  }
}

extension Settings {
  /// What a server is started with.
  fileprivate var server: ServerSettings {
    var server = values.server
    server.servedFile = servedFile
    server.tokensFile = tokensFile
    server.snapshotFile = snapshotFile
    server.assets.cacheFolder = assetFolder
    return server
  }

  /// Waits until the database can be used, unless the snapshot is there to begin with.
  ///
  /// - Returns: Whether it can be used.
  fileprivate func connect(_ store: Store, _ logger: Logger) async throws -> Bool {
    do { try await store.connect(waiting: .zero) } catch let failure as ConnectionFailure
      where failure.isAway || failure.isRefusal
    {
      if server.canStartWithoutDatabase(context: context, version: .current) {
        logger.error(
          "the database cannot be used; the server begins with its snapshot, and tries again",
          metadata: ["reason": "\(failure)"])
        return false
      }
      // Whoever mends it starts the server again.
      guard failure.isAway else { throw failure }
      try await store.connect(waiting: values.databaseServer.startWait)
    }
    return true
  }
}

/// The server for as long as signals and successors let it run.
private struct HearthService: ServiceLifecycle.Service {
  let server: HearthServer
  let lock: ServingLock
  let received: Handover.Received?
  let hangUps: HangUps
  let logger: Logger

  func run() async throws {
    let (succession, successor) = AsyncStream.makeStream(of: Void.self)
    try await cancelWhenGracefulShutdown {
      try await withThrowingTaskGroup(of: Void.self) { group in
        let offering = Offering()
        group.addTask {
          do {
            try await server.run(
              whenLoaded: { try await received?.hasLoaded(lock) },
              whenServing: { offering.begin(server, lock, after: received, logger) { successor.finish() } },
              with: [KindsAnnouncement(server, lock)])
          } catch is CancellationError {
            // A signal that comes before all is loaded ends the process as any other.
          }
        }
        group.addTask { for await _ in succession {} }
        group.addTask {
          await hangUps.follow {
            await server.reloadSigningKeys()
            await server.reloadKinds()
          }
        }
        try await group.next()
        group.cancelAll()
        try await group.waitForAll()
        try offering.end()
      }
    }
  }
}

/// Tells commands that publish into this database which kinds are known here, whenever they have changed.
private final class KindsAnnouncement: BackgroundService {
  private let server: HearthServer
  private let lock: ServingLock
  /// The hash of those that were announced.
  private let announced: Mutex<String>
  let wake = Wake()

  init(_ server: HearthServer, _ lock: ServingLock) {
    (self.server, self.lock) = (server, lock)
    announced = Mutex(server.kinds.hash)
  }

  var isDue: Bool { lock.isTaken && announced.withLock { $0 } != server.kinds.hash }

  func turn() async {
    guard isDue else { return }
    let kinds = server.kinds
    lock.announce(kinds)
    announced.withLock { $0 = kinds.hash }
  }
}

/// What becomes of SIGHUP.
private struct HangUps: Sendable {
  /// Those that come from now on; none where the signal was ignored at the start: whoever runs this under `nohup` wants it to
  /// go on.
  private let signals: UnixSignalsSequence?
  private let hadTerminal = isatty(STDIN_FILENO) == 1

  /// Whether the process reloads at SIGHUP.
  var areHeard: Bool { signals != nil }

  init() async { signals = isSignalIgnored(SIGHUP) ? nil : await UnixSignalsSequence(trapping: .sighup) }

  /// Reloads at each SIGHUP; returns when the terminal that the process was started from is gone.
  func follow(reload: () async -> Void) async {
    guard let signals else { return await Self.forever() }
    for await _ in signals {
      if hadTerminal, isatty(STDIN_FILENO) == 0 { return }
      await reload()
    }
    await Self.forever()
  }

  private static func forever() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
  }
}

/// The offer of this process's sockets to a successor, which begins once its predecessor drains.
private final class Offering: Sendable {
  private enum State {
    case idle
    case made(Handover)
    /// The predecessor goes on: this process must not.
    case unwanted(Failure)
  }

  private let state = Mutex(State.idle)

  func begin(
    _ server: HearthServer, _ lock: ServingLock, after received: Handover.Received?, _ logger: Logger,
    whenDone: @escaping @Sendable () -> Void
  ) {
    guard let received else { return offer(server, lock, logger, whenDone) }
    Thread.detachNewThread { [self] in
      do throws(Failure) {
        if !received.ready() { try lock.requireEndOfPredecessor() }
        offer(server, lock, logger, whenDone)
      } catch {
        state.withLock { $0 = .unwanted(error) }
        whenDone()
      }
    }
  }

  private func offer(
    _ server: HearthServer, _ lock: ServingLock, _ logger: Logger, _ whenDone: @escaping @Sendable () -> Void
  ) {
    do {
      let handover = try Handover(
        path: lock.handoverPath, sockets: server.sockets, logger: logger,
        settle: { settles in
          // On the hand-over's own thread, which waits for a change that is under way.
          let isDone = DispatchSemaphore(value: 0)
          Task {
            await server.settle(settles)
            isDone.signal()
          }
          isDone.wait()
        }, whenDone: whenDone)
      state.withLock { $0 = .made(handover) }
    } catch {
      logger.warning("no successor can take over", metadata: ["error": "\(error)"])
    }
  }

  /// - Throws: ``Failure`` when it never began, because the predecessor goes on.
  func end() throws {
    switch state.withLock({ $0 }) {
    case .idle: break
    case .made(let handover): handover.end()
    case .unwanted(let failure): throw failure
    }
  }
}

extension Handover.Received {
  /// Has the predecessor settle, without holding up a thread of Swift's tasks.
  ///
  /// - Throws: ``Failure`` when it does not and goes on.
  fileprivate func hasLoaded(_ lock: ServingLock) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { if !loaded() { try lock.requireEndOfPredecessor() } })
      }
    }
  }
}
