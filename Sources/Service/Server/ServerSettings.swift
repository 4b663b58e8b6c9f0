public import Backup
import Foundation
public import HTTPServer
public import Layout
import Logging
public import Serving
import Storage
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

  func publishing(version: String, context: DefinitionContext, signing: PageSigning? = nil)
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
  func backupSender(
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

  var nodeNameOrHost: String { nodeName.isEmpty ? ProcessInfo.processInfo.hostName : nodeName }
}
