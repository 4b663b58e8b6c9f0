import Backup
import HTTPClient
import HTTPServer
import Layout
import Serving
import Service
import Storage
import Traces

extension Setting {
  private static let bytes = 1...1_073_741_824
  private static let count = 1...10_000_000

  /// Every setting, in the order that documents show them: its key, what it sets, what it may be, and what it is for.
  ///
  /// Its default is what the value is set to where it is declared.
  static let all: [Setting] = [
    Setting(
      "database", \.database, "SQLite file, or postgresql://USER@HOST/NAME."),
    Setting(
      "database.connectionsMax", \.databaseServer.connectionsMax, in: 1...100,
      "Connections to PostgreSQL."),
    Setting(
      "database.startWait", \.databaseServer.startWait, in: 0...3_600,
      "How long a start waits for a silent PostgreSQL."),
    Setting(
      "snapshotFolder", \.snapshotFolder,
      "Folder of snapshot and record of what was served; empty: beside the SQLite file, or /var/lib/hearth."),
    Setting(
      "nodeName", \.server.nodeName, "Name in the list of nodes; empty: the host's."),
    Setting("public.listen", \.server.publicListener, "Where clients poll; port 0 picks one."),
    Setting("public.loops", \.server.loops, in: 0...256, "Event loops; 0: one a core."),
    Setting(
      "public.connectionsMax", \.server.publicLimits.connectionsMax, in: 0...10_000_000,
      "Connections; 0: half the descriptors. More get 503."),
    Setting(
      "public.connectionsPerAddressMax", \.server.publicLimits.connectionsPerAddressMax, in: 0...10_000_000,
      "Connections of an address (IPv6: /64); 0: no limit."),
    Setting(
      "public.shapesMax", \.server.polls.shapesMax, in: count,
      "Request shapes (path, query, Accept-Language) each loop remembers."),
    Setting(
      "public.variantBytesMax", \.server.variantBytesMax, in: bytes,
      "Bytes of all that is kept ready, all pages together; oldest-sent goes first."),
    Setting(
      "public.pendingBytesMax", \.server.publicLimits.pendingBytesMax, in: bytes,
      "Bytes of unread answers and unfinished requests; above, the largest are cut."),
    Setting(
      "public.assembliesMax", \.server.polls.assembliesMax, in: count,
      "First uses of variants that may wait; more get 503."),
    Setting(
      "public.brotliWaitingMax", \.server.brotliWaitingMax, in: count,
      "Pages and change sets that may wait for br; others stay gzip'd."),
    Setting(
      "public.knownVersionsMax", \.server.knownVersionsMax, in: 0...1_000,
      "Versions of a variant that stay known, for changes instead of pages."),
    Setting(
      "public.waitSecondsMax", \.server.polls.waitSecondsMax, in: 0...3_600,
      "Longest Prefer: wait of a poll; 0: none."),
    Setting(
      "public.spreadSecondsMax", \.server.polls.spreadSecondsMax, in: 0...3_600,
      "Seconds by which max-age may exceed a flip, differing by variant; 0: exact."),
    Setting(
      "public.clientKey", \.server.polls.clientKey, "What polls must send as Hearth-Client-Key; empty: nothing.",
      isSecret: true),
    Setting("admin.listen", \.server.adminListener, "Where operators work."),
    Setting(
      "admin.bodyBytesMax", \.server.adminLimits.bodyBytesMax, in: bytes, "Bytes of a body; more: 413."),
    Setting(
      "admin.uploadBytesMax", \.server.adminLimits.uploadBytesMax, in: bytes,
      "Bytes of all unfinished bodies; above: 503."),
    Setting(
      "admin.hosts", \.server.admin.hosts,
      "Hosts that requests may name beside its own; others get 421."),
    Setting(
      "admin.connectionsMax", \.server.adminLimits.connectionsMax, in: 0...10_000_000,
      "Connections; 0: an eighth of the descriptors. More get 503."),
    Setting(
      "admin.connectionsPerAddressMax", \.server.adminLimits.connectionsPerAddressMax, in: 0...10_000_000,
      "Connections of an address; 0: no limit."),
    Setting(
      "admin.failedTriesMax", \.server.admin.failedTriesMax, in: 1...10_000,
      "Failed tokens of an address (IPv6: /64) a minute; more get 429."),
    Setting(
      "admin.waitSecondsMax", \.server.admin.waitSecondsMax, in: 0...3_600,
      "Longest Prefer: wait for drafts, and for other nodes; 0: none."),
    Setting(
      "admin.pendingBytesMax", \.server.adminLimits.pendingBytesMax, in: bytes,
      "As public.pendingBytesMax; an export must fit."),
    Setting(
      "admin.writeWaitSecondsMax", \.writing.waitMax, in: 0...60,
      "How long a change waits for others and the lock (to withhold, or change kinds, four times as long); then 503."),
    Setting(
      "admin.writesWaitingMax", \.writing.waitingMax, in: 1...100_000,
      "Changes that may wait; more get 503."),
    Setting(
      "admin.answersKeptMax", \.writing.answersKeptMax, in: 1...10_000_000,
      "Answers kept for a token's Idempotency-Keys; oldest go first, all after 24 hours."),
    Setting(
      "admin.searchBytesMax", \.server.admin.searchBytesMax, in: bytes,
      "Bytes of drafts a search reads, about; the next goes on."),
    Setting(
      "admin.backupFolder", \.server.admin.backupFolder, "Where POST /admin/v1/backup writes; empty: off."),
    Setting(
      "backup.to", \.server.backup.to,
      "Where changes of an SQLite database go within a second: file:///FOLDER or s3://BUCKET/PREFIX; empty: nowhere."),
    Setting("backup.endpoint", \.server.backup.endpoint, "https://HOST of the bucket's S3."),
    Setting("backup.region", \.server.backup.region, "The bucket's region."),
    Setting(
      "backup.credentialsFile", \.server.backup.credentialsFile,
      "File with aws_access_key_id and aws_secret_access_key, in lines NAME = VALUE."),
    Setting("backup.daysKept", \.server.backup.daysKept, in: 1...36_500, "Days a restore may go back."),
    Setting(
      "backup.seriesHours", \.server.backup.seriesHours, in: 1...720, "Hours until the next snapshot begins a series."),
    Setting(
      "backup.waitingBytesMax", \.server.backup.waitingBytesMax, in: 1_048_576...1_099_511_627_776,
      "Bytes of changes that may wait; more begin a series."),
    Setting(
      "admin.demo", \.server.admin.servesDemo,
      "Whether /demo/ shows pages without a token; not for production."),
    Setting(
      "previews.hoursMax", \.server.admin.previews.hoursMax, in: 1...8_760,
      "Hours a preview link may live."),
    Setting(
      "previews.linksMax", \.server.admin.previews.linksMax, in: 1...100_000,
      "Preview links; more get 409."),
    Setting(
      "previews.waitingMax", \.server.admin.previews.waitingMax, in: 1...10_000,
      "Polls by preview links that may wait; more get 503."),
    Setting(
      "previews.baseURL", \.server.admin.previews.baseURL,
      "Where phones reach the public listener, for preview links and QR codes.", form: .baseURL),
    Setting(
      "assets.baseURL", \.server.assets.baseURL,
      "What precedes pictures' addresses in pages, such as a CDN; the same on all nodes.",
      form: .baseURL),
    Setting(
      "assets.bytesMax", \.server.assets.limits.bytesMax, in: bytes,
      "Bytes of a picture; more: 413. admin.bodyBytesMax must allow them."),
    Setting(
      "assets.pixelsMax", \.server.assets.limits.pixelsMax, in: 1...4_294_836_225,
      "Pixels of a picture; more: 422."),
    Setting(
      "assets.totalBytesMax", \.server.assets.limits.totalBytesMax, in: 1...1_099_511_627_776,
      "Bytes of all kept pictures; more: 507."),
    Setting(
      "assets.countMax", \.server.assets.limits.countMax, in: 1...1_000_000,
      "Kept pictures; more: 507."),
    Setting(
      "assets.sourcePercentMax", \.server.assets.limits.sourcePercentMax, in: 1...100,
      "Percent of both for a source, by its token's name; more: 507."),
    Setting(
      "assets.unusedDaysKept", \.server.assets.unusedDaysKept, in: 1...36_500,
      "Days until an unused picture goes."),
    Setting(
      "assets.cacheFolder", \.server.assets.cacheFolder,
      "Folder that pictures are sent from; empty: beside the snapshot."),
    Setting(
      "assets.cacheBytesMax", \.server.assets.cacheBytesMax, in: 1...1_099_511_627_776,
      "Bytes of that folder; oldest-asked goes first, live last."),
    Setting(
      "assets.readsMax", \.server.assets.readsMax, in: 1...10_000,
      "Pictures read at once; more get 503."),
    Setting(
      "signing.keysFolder", \.server.signing.keysFolder,
      "Folder of signing keys; empty: pages are not signed."),
    Setting(
      "signing.keys", \.server.signing.keys,
      "Private keys in base64, newest first, with commas, instead of a folder.",
      isSecret: true),
    Setting(
      "signing.lifetime", \.server.signing.lifetime, in: 60...2_592_000,
      "Seconds a signature holds; renewed at half."),
    Setting(
      "webhooks.on", \.server.webhooks.isOn,
      "Whether webhooks are told of what goes live; needs libcurl."),
    Setting(
      "webhooks.countMax", \.server.webhooks.countMax, in: 1...1_000,
      "Webhooks; more get 409."),
    Setting(
      "webhooks.waitingMax", \.writing.deliveriesWaitingMax, in: 1...1_000_000,
      "Deliveries that may wait for a webhook; the oldest are given up."),
    Setting(
      "webhooks.deliveriesKept", \.writing.deliveriesKept, in: 1...100_000,
      "Deliveries of a webhook, taken or given up, that are shown."),
    Setting(
      "webhooks.sendingMax", \.server.webhooks.sendingMax, in: 1...256,
      "Deliveries sent at once, two of a webhook."),
    Setting(
      "webhooks.nodesWait", \.server.webhooks.nodesWait, in: 0...3_600,
      "How long an event waits until all nodes serve it; then it names them."),
    Setting(
      "webhooks.retryFirst", \.server.webhooks.retryFirst, in: 1...3_600,
      "Until the second try; doubles up to an hour."),
    Setting(
      "webhooks.retryFor", \.server.webhooks.retryFor, in: 1...2_592_000,
      "How long an event is tried; then it is given up."),
    Setting("traces.to", \.server.traces.to, "Collector that takes traces by OTLP/HTTP; empty: none, no libcurl."),
    Setting(
      "traces.percent", \.server.traces.percent, in: 0...100,
      "Percent of traces sent; those that others begin are sent if they say so."),
    Setting(
      "traces.waitingMax", \.server.traces.waitingMax, in: 1...100_000,
      "Spans that may wait; the oldest are dropped."),
    Setting(
      "sources.on", \.server.sources.isOn,
      "Whether this node asks endpoints for sections with asks; needs libcurl."),
    Setting(
      "sources.credentialsFolder", \.server.sources.credentialsFolder,
      "Folder of the credentials that asks may name; empty: none."),
    Setting(
      "sources.countMax", \.server.sources.countMax, in: 1...10_000,
      "Sections that are asked for; others show a failure."),
    Setting(
      "sources.answerBytesMax", \.server.sources.answerBytesMax, in: bytes,
      "Bytes of an endpoint's answer; a longer one is a failure."),
    Setting(
      "sources.triesMax", \.server.sources.triesMax, in: 1...100,
      "Editors' tries at once; more get a failure."),
    Setting(
      "outgoing.addressesAllowed", \.server.webhooks.client.addressesAllowed,
      "Addresses and ranges that are not public and may be sent to."),
    Setting(
      "outgoing.timeout", \.server.webhooks.client.timeout, in: 1...60,
      "For a request to others, look-up included."),
    Setting(
      "outgoing.answerBytesMax", \.server.webhooks.client.answerBytesMax, in: bytes,
      "Bytes of an answer that are read."),
    Setting(
      "http.loopbackIsUnlimited", http: \.loopbackIsUnlimited,
      "Whether the machine's own addresses, such as a proxy's, escape limits of an address."),
    Setting(
      "http.requestLineBytesMax", http: \.requestLineBytesMax, in: bytes, "Bytes of a request line; more: 414."),
    Setting("http.headBytesMax", http: \.headBytesMax, in: bytes, "Bytes of a head; more: 431."),
    Setting("http.fieldsMax", http: \.fieldsMax, in: 1...10_000, "Fields of a head; more: 431."),
    Setting(
      "http.chunkOverheadBytesMax", http: \.chunkOverheadBytesMax, in: bytes,
      "Bytes of chunk extensions and trailers; more: 431."),
    Setting(
      "http.headTimeout", http: \.headTimeout, in: 1...3_600, "For a whole head; longer: 408."),
    Setting(
      "http.bodyBytesPerSecondMin", http: \.bodyBytesPerSecondMin, in: 0...1_073_741_824,
      "Bytes a second of a body over any grace; less: 408."),
    Setting("http.bodyRateGrace", http: \.bodyRateGrace, in: 0...3_600, "How long a body may be slower."),
    Setting(
      "http.writeStallTimeout", http: \.writeStallTimeout, in: 1...3_600,
      "How long an answer may stall before its connection is cut."),
    Setting(
      "http.idleTimeout", http: \.idleTimeout, in: 1...86_400,
      "How long a connection may wait for a request."),
    Setting(
      "http.lingerTimeout", http: \.lingerTimeout, in: 0...60, "How long a refused connection is still read."),
    Setting(
      "http.requestsPerConnectionMax", http: \.requestsPerConnectionMax, in: 1...1_000_000_000,
      "Requests of a connection; the last gets Connection: close."),
    Setting(
      "http.responseBufferBytesMax", http: \.responseBufferBytesMax, in: bytes,
      "Bytes of answers that may wait before more is read."),
    Setting(
      "drainGrace", \.server.drainGrace, in: 0...3_600, "For what is in flight after SIGTERM."),
    Setting(
      "drainIdle", \.server.drainIdle, in: 0...60,
      "For an idle connection's request on its way after SIGTERM."),
    Setting(
      "retention.revisions", \.server.revisionsKept, in: 1...1_000_000,
      "Newest revisions of a page, always kept."),
    Setting("retention.days", \.server.revisionDaysKept, in: 0...36_500, "Days every revision is kept."),
    Setting("layout.sectionsMax", \.layout.sectionsMax, in: 1...100_000, "Sections of a page."),
    Setting("layout.itemsMax", \.layout.itemsMax, in: 1...1_000_000, "Items of a section, without children."),
    Setting("layout.childrenDepthMax", \.layout.childrenDepthMax, in: 0...32, "Levels of children below an item."),
    Setting("layout.sortRulesMax", \.layout.sortRulesMax, in: 1...10_000, "Sort rules of a page."),
    Setting("layout.audiencesMax", \.layout.audiencesMax, in: 1...100_000, "Named audiences."),
    Setting("layout.scheduledMax", \.layout.scheduledMax, in: 1...10_000, "Scheduled publishes of a page."),
    Setting("layout.predicateDepthMax", \.layout.predicateDepthMax, in: 1...32, "Nested conditions of an audience."),
    Setting("layout.pageBytesMax", \.layout.pageBytesMax, in: bytes, "Gzip'd bytes of a page; lint warns above."),
    Setting("log.level", \.logLevel, "Lowest level logged."),
    Setting(
      "log.bytesMax", \.logBytesMax, in: bytes,
      "Bytes of log lines that may wait; more are dropped and counted."),
  ]

  /// The key below which client attributes of one's own are declared.
  static let attributesKey = "attributes"
}
