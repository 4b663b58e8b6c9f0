import HTTPServer
import Layout
import Service
import Storage

extension Setting {
  private static let bytes = 1...1_073_741_824
  private static let count = 1...10_000_000

  /// Every setting, in the order that documents show them: its key, what it sets, what it may be, and what it is for.
  ///
  /// Its default is what the value is set to where it is declared.
  static let all: [Setting] = [
    Setting(
      "database", \.database, "The SQLite file, or postgresql://USER@HOST/NAME for a database that a server keeps."),
    Setting(
      "database.connectionsMax", \.databaseServer.connectionsMax, in: 1...100,
      "Connections to a PostgreSQL server, at most."),
    Setting(
      "database.startWait", \.databaseServer.startWait, in: 0...3_600,
      "Seconds that a start waits for a PostgreSQL server that does not answer."),
    Setting(
      "snapshotFolder", \.snapshotFolder,
      "The folder of what was served and of the snapshot that a start takes; empty for beside the SQLite file, and for "
        + "/var/lib/hearth with PostgreSQL."),
    Setting(
      "nodeName", \.server.nodeName, "What the node is called in the list of nodes; empty for the host's name."),
    Setting("public.listen", \.server.publicListener, "Where clients poll; port 0 picks a free one."),
    Setting("public.loops", \.server.loops, in: 0...256, "Event loops of the public listener; 0 is one a core."),
    Setting(
      "public.connectionsMax", \.server.publicLimits.connectionsMax, in: 0...10_000_000,
      "Connections at once; 0 is half of the descriptor limit. More are refused with 503."),
    Setting(
      "public.connectionsPerAddressMax", \.server.publicLimits.connectionsPerAddressMax, in: 0...10_000_000,
      "Connections of one address (an IPv6 client is its /64); 0 is no limit, as behind a proxy."),
    Setting(
      "public.shapesMax", \.server.polls.shapesMax, in: count,
      "Request shapes (path, query, Accept-Language) that each loop remembers."),
    Setting(
      "public.variantBytesMax", \.server.variantBytesMax, in: bytes,
      "Bytes of all that is kept ready for clients, all pages together; what was sent longest ago is dropped first."),
    Setting(
      "public.pendingBytesMax", \.server.publicLimits.pendingBytesMax, in: bytes,
      "Bytes of unread answers and unfinished requests of all connections. Above that, those with the most are cut."),
    Setting(
      "public.assembliesMax", \.server.polls.assembliesMax, in: count,
      "First uses of a variant that may wait to be assembled; more get 503."),
    Setting(
      "public.brotliWaitingMax", \.server.brotliWaitingMax, in: count,
      "Pages and change sets that may wait to be made ready as br; others are gzip'd until there is room."),
    Setting(
      "public.knownVersionsMax", \.server.knownVersionsMax, in: 0...1_000,
      "Versions of each variant that stay known, so that clients get changes instead of pages."),
    Setting(
      "public.waitSecondsMax", \.server.polls.waitSecondsMax, in: 0...3_600,
      "The longest Prefer: wait of a poll; 0 lets none wait."),
    Setting(
      "public.spreadSecondsMax", \.server.polls.spreadSecondsMax, in: 0...3_600,
      "Seconds by which max-age may reach beyond a flip, each variant by its own number; 0 is exact."),
    Setting(
      "public.clientKey", \.server.polls.clientKey, "What polls must send as Hearth-Client-Key; empty asks for none.",
      isSecret: true),
    Setting("admin.listen", \.server.adminListener, "Where operators work."),
    Setting(
      "admin.bodyBytesMax", \.server.adminLimits.bodyBytesMax, in: bytes, "Bytes of a request body; more is a 413."),
    Setting(
      "admin.uploadBytesMax", \.server.adminLimits.uploadBytesMax, in: bytes,
      "Bytes of all unfinished request bodies together; one that would exceed it is a 503."),
    Setting(
      "admin.hosts", \.server.admin.hosts,
      "Hosts that requests may name beside the listener's own address and loopback ones; others get 421."),
    Setting(
      "admin.connectionsMax", \.server.adminLimits.connectionsMax, in: 0...10_000_000,
      "Connections at once; 0 is an eighth of the descriptor limit. More are refused with 503."),
    Setting(
      "admin.connectionsPerAddressMax", \.server.adminLimits.connectionsPerAddressMax, in: 0...10_000_000,
      "Connections of one address; 0 is no limit."),
    Setting(
      "admin.failedTriesMax", \.server.admin.failedTriesMax, in: 1...10_000,
      "Failed tokens of one address a minute, of IPv6 of a /64; more get 429."),
    Setting(
      "admin.waitSecondsMax", \.server.admin.waitSecondsMax, in: 0...3_600,
      "The longest Prefer: wait for a change of a draft, and of a publish for other nodes; 0 lets none wait."),
    Setting(
      "admin.pendingBytesMax", \.server.adminLimits.pendingBytesMax, in: bytes,
      "As public.pendingBytesMax; an export must fit."),
    Setting(
      "admin.writeWaitSecondsMax", \.writing.waitMax, in: 0...60,
      "Seconds that a change waits for others and for the database's lock together; longer is a 503."),
    Setting(
      "admin.writesWaitingMax", \.writing.waitingMax, in: 1...100_000,
      "Changes that may wait for others; more get 503."),
    Setting(
      "admin.searchBytesMax", \.server.admin.searchBytesMax, in: bytes,
      "Bytes of drafts that one request searches, about; the next one goes on."),
    Setting(
      "admin.backupFolder", \.server.admin.backupFolder, "Where POST /admin/v1/backup writes; empty turns it off."),
    Setting(
      "admin.demo", \.server.admin.servesDemo,
      "Whether /demo/ on the admin listener shows pages as a web app does, without a token; off in production."),
    Setting(
      "previews.hoursMax", \.server.admin.previews.hoursMax, in: 1...8_760,
      "Hours that a preview link may be valid, at most."),
    Setting(
      "previews.linksMax", \.server.admin.previews.linksMax, in: 1...100_000,
      "Preview links at a time; more get 409."),
    Setting(
      "previews.waitingMax", \.server.admin.previews.waitingMax, in: 1...10_000,
      "Polls by preview links that may wait for their answers; more get 503."),
    Setting(
      "previews.baseURL", \.server.admin.previews.baseURL,
      "Where phones reach the public listener, for preview links and their QR codes.", form: .baseURL),
    Setting(
      "assets.baseURL", \.server.assets.baseURL,
      "What stands before the addresses of kept pictures in pages, such as that of a CDN; the same on all nodes.",
      form: .baseURL),
    Setting(
      "assets.bytesMax", \.server.assets.limits.bytesMax, in: bytes,
      "Bytes of one picture; more is a 413. admin.bodyBytesMax must allow them."),
    Setting(
      "assets.pixelsMax", \.server.assets.limits.pixelsMax, in: 1...4_294_836_225,
      "Pixels of one picture, width times height; more is a 422."),
    Setting(
      "assets.totalBytesMax", \.server.assets.limits.totalBytesMax, in: 1...1_099_511_627_776,
      "Bytes of all pictures that the database keeps; more is a 507."),
    Setting(
      "assets.countMax", \.server.assets.limits.countMax, in: 1...1_000_000,
      "Pictures that the database keeps; more is a 507."),
    Setting(
      "assets.sourcePercentMax", \.server.assets.limits.sourcePercentMax, in: 1...100,
      "What one source may take of the two, in percent, tokens of one name together; more is a 507."),
    Setting(
      "assets.unusedDaysKept", \.server.assets.unusedDaysKept, in: 1...36_500,
      "Days after which a picture goes that no draft, schedule or kept revision refers to."),
    Setting(
      "assets.cacheFolder", \.server.assets.cacheFolder,
      "The folder of a node that pictures are sent from; empty for one beside the snapshot."),
    Setting(
      "assets.cacheBytesMax", \.server.assets.cacheBytesMax, in: 1...1_099_511_627_776,
      "Bytes of the pictures in that folder; what was asked for longest ago goes first, what is live last."),
    Setting(
      "assets.readsMax", \.server.assets.readsMax, in: 1...10_000,
      "Pictures that may be read at once; requests for more get 503."),
    Setting(
      "signing.keysFolder", \.server.signing.keysFolder,
      "The folder of the keys that sign pages (hearth keys create); empty signs none."),
    Setting(
      "signing.keys", \.server.signing.keys,
      "Private keys in base64, the newest first, separated by commas, instead of a folder, as for containers.",
      isSecret: true),
    Setting(
      "signing.lifetime", \.server.signing.lifetime, in: 60...2_592_000,
      "Seconds that a signature counts. It is renewed at half of them."),
    Setting(
      "http.loopbackIsUnlimited", http: \.loopbackIsUnlimited,
      "Whether the machine's own addresses, such as that of a proxy on it, are exempt from the limits for one address."),
    Setting(
      "http.requestLineBytesMax", http: \.requestLineBytesMax, in: bytes, "Bytes of a request line; more is a 414."),
    Setting("http.headBytesMax", http: \.headBytesMax, in: bytes, "Bytes of a request head; more is a 431."),
    Setting("http.fieldsMax", http: \.fieldsMax, in: 1...10_000, "Fields of a request head; more is a 431."),
    Setting(
      "http.chunkOverheadBytesMax", http: \.chunkOverheadBytesMax, in: bytes,
      "Bytes of chunk extensions and trailers in a body; more is a 431."),
    Setting(
      "http.headTimeout", http: \.headTimeout, in: 1...3_600, "Seconds for a whole request head; longer is a 408."),
    Setting(
      "http.bodyBytesPerSecondMin", http: \.bodyBytesPerSecondMin, in: 0...1_073_741_824,
      "Bytes a second that a body must bring, counted over any grace; less is a 408."),
    Setting("http.bodyRateGrace", http: \.bodyRateGrace, in: 0...3_600, "Seconds that a body may be slower."),
    Setting(
      "http.writeStallTimeout", http: \.writeStallTimeout, in: 1...3_600,
      "Seconds that a response may make no progress before its connection is cut."),
    Setting(
      "http.idleTimeout", http: \.idleTimeout, in: 1...86_400,
      "Seconds that a connection may wait for its next request."),
    Setting(
      "http.lingerTimeout", http: \.lingerTimeout, in: 0...60, "Seconds that a refused connection is still read from."),
    Setting(
      "http.requestsPerConnectionMax", http: \.requestsPerConnectionMax, in: 1...1_000_000_000,
      "Requests of one connection; the last is answered with Connection: close."),
    Setting(
      "http.responseBufferBytesMax", http: \.responseBufferBytesMax, in: bytes,
      "Bytes of answers that may wait on a connection before more is read from it."),
    Setting(
      "drainGrace", \.server.drainGrace, in: 0...3_600, "Seconds that what is in flight has to finish after SIGTERM."),
    Setting(
      "drainIdle", \.server.drainIdle, in: 0...60,
      "Seconds after SIGTERM that an idle connection is kept for a request that is on its way."),
    Setting(
      "retention.revisions", \.server.revisionsKept, in: 1...1_000_000,
      "Newest revisions of a page that are always kept."),
    Setting("retention.days", \.server.revisionDaysKept, in: 0...36_500, "Days that every revision is kept."),
    Setting("layout.sectionsMax", \.layout.sectionsMax, in: 1...100_000, "Sections on a page."),
    Setting("layout.itemsMax", \.layout.itemsMax, in: 1...1_000_000, "Items in a section, children not counted."),
    Setting("layout.childrenDepthMax", \.layout.childrenDepthMax, in: 0...32, "Levels of children below an item."),
    Setting("layout.sortRulesMax", \.layout.sortRulesMax, in: 1...10_000, "Sort rules of a page."),
    Setting("layout.audiencesMax", \.layout.audiencesMax, in: 1...100_000, "Named audiences."),
    Setting("layout.predicateDepthMax", \.layout.predicateDepthMax, in: 1...32, "Conditions nested in an audience."),
    Setting("layout.pageBytesMax", \.layout.pageBytesMax, in: bytes, "Gzip'd bytes of a page above which lint warns."),
    Setting("log.level", \.logLevel, "The lowest level that is logged."),
    Setting(
      "log.bytesMax", \.logBytesMax, in: bytes,
      "Bytes of log lines that may wait for a slow reader of standard error; more are dropped and counted."),
  ]

  /// The key below which client attributes of one's own are declared.
  static let attributesKey = "attributes"
}
