import HTTPServer
import JSON
import Layout
import Logging
public import Serving
import Storage
import Synchronization

/// The admin endpoints, behind ``AdminRouter``.
final class AdminAPI: Sendable {
  let publisher: Publisher
  let assets: AssetShelf
  let previews: PreviewAnswers
  let nodes: NodeList
  let tokens: TokensFile
  /// What tells others of what goes live; `nil` if this process does not.
  let webhooks: WebhookSender?
  /// How many webhooks there may be.
  let webhooksMax: Int
  /// What asks the endpoints of sections.
  let asker: SourceAsker
  /// The file of this node's kinds; `nil` if there is none to reload.
  let kindsFile: KindsFile?
  /// The hash of what the file was found to hold last.
  private let fileHash: Mutex<String>
  let settings: AdminSettings
  let lintCache = LintCache()
  /// Whether the server drains: nobody may wait any longer.
  let isEndingWaits = Atomic(false)
  /// Whether an export with pictures is being made.
  let isExporting = Atomic(false)
  let logger: Logger

  init(
    publisher: Publisher, assets: AssetShelf, previews: PreviewAnswers, nodes: NodeList, tokens: TokensFile,
    kindsFile: KindsFile?, fileHash: String, webhooks: WebhookSender?, webhooksMax: Int, asker: SourceAsker,
    settings: AdminSettings, logger: Logger
  ) {
    self.publisher = publisher
    self.assets = assets
    self.previews = previews
    self.nodes = nodes
    self.tokens = tokens
    self.kindsFile = kindsFile
    self.webhooks = webhooks
    self.webhooksMax = webhooksMax
    self.asker = asker
    self.fileHash = Mutex(fileHash)
    self.settings = settings
    self.logger = logger
  }

  var store: Store { publisher.store }
  var clock: StoreClock { store.clock }
  /// What bodies are read against.
  var context: DefinitionContext { publisher.settings.context }

  /// Answers all waiting requests, since the server is about to end.
  func endWaits() { isEndingWaits.store(true, ordering: .relaxed) }

  /// Every route below `/admin/v1`, in the order of the document; ``AdminRouter`` asks once.
  var routes: [Route] {
    pageRoutes + withheldRoutes + kindRoutes + sectionRoutes + askingRoutes + contentRoutes + orderRoutes
      + publishingRoutes + scheduledRoutes + revisionRoutes + previewRoutes + previewLinkRoutes + auditRoutes
      + audienceRoutes + tokenRoutes + webhookRoutes + searchRoutes + assetRoutes + documentRoutes + nodeRoutes
  }

  /// What content is checked and drawn with.
  var kinds: Kinds { publisher.kinds }

  /// Whether the file of this node's kinds is another than what the nodes go by, as it was read last.
  var fileDiffers: Bool { fileHash.withLock { $0 } != kinds.hash }

  func noteFile(_ hash: String) { fileHash.withLock { $0 = hash } }

  /// Throws what is wrong with a section's settings and content for its kind.
  func check(_ section: SectionDefinition) throws {
    let problems = problems(in: section)
    guard problems.isEmpty else { throw Problem.invalid(problems) }
  }

  /// What is wrong with a section's settings and content for its kind; a kind that is not there is reported once.
  func problems(in section: SectionDefinition) -> [DocumentProblem] {
    kinds.problems(in: section.settings) + kinds.problems(in: section.content, of: section.settings)
  }
}

/// What is set for the admin side.
public struct AdminSettings: Sendable {
  /// The hosts that the listener answers for beside its own address and loopback ones: names and addresses, no ports.
  public var hosts: [String] = []
  /// The failed tries an address may make a minute.
  public var failedTriesMax = 10
  /// The longest that a console may wait for a change of a draft, in seconds.
  public var waitSecondsMax = 60
  /// What is set for preview links.
  public var previews = PreviewSettings()
  /// About how many bytes of drafts one request may search.
  public var searchBytesMax = 32 * 1024 * 1024
  /// The folder that backups are written to; none can be made without one.
  public var backupFolder: String?
  /// Whether `/demo/` shows a page as a web app does, and the listener answers the polls of it.
  public var servesDemo = false

  /// The default settings.
  public init() {}

  /// Whether a text can be one of ``hosts``: a name or a numeric address, without a port.
  public static func isHost(_ text: String) -> Bool { AdminHosts.isValid(text) }
}
