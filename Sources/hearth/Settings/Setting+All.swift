extension Setting {
  private static let bytes = 1...1_073_741_824
  private static let count = 1...10_000_000

  /// Every setting, in the order that documents show them.
  static let all: [Setting] = [
    Setting(key: "database", form: .text, fallback: "data/hearth.db", summary: "The SQLite file."),
    Setting(
      key: "public.listen", form: .listener, fallback: "127.0.0.1:8080",
      summary: "Where clients poll; port 0 picks a free one."),
    Setting(
      key: "public.loops", form: .integer(0...256), fallback: "0",
      summary: "Event loops of the public listener; 0 is one a core."),
    Setting(
      key: "public.connectionsMax", form: .integer(0...10_000_000), fallback: "0",
      summary: "Connections at once; 0 is half of the descriptor limit. More are refused with 503."),
    Setting(
      key: "public.connectionsPerAddressMax", form: .integer(0...10_000_000), fallback: "1024",
      summary: "Connections of one address (an IPv6 client is its /64); 0 is no limit, as behind a proxy."),
    Setting(
      key: "public.shapesMax", form: .integer(count), fallback: "32768",
      summary: "Request shapes (path, query, Accept-Language) that each loop remembers."),
    Setting(
      key: "public.variantBytesMax", form: .integer(bytes), fallback: "268435456",
      summary: "Bytes of ready variants a page; the least recently used go first."),
    Setting(
      key: "public.assembliesMax", form: .integer(count), fallback: "1024",
      summary: "First uses of a variant that may wait to be assembled; more get 503."),
    Setting(
      key: "public.knownVersionsMax", form: .integer(0...1_000), fallback: "8",
      summary: "Versions of each variant that stay known, so that clients get changes instead of pages."),
    Setting(
      key: "public.waitSecondsMax", form: .integer(0...3_600), fallback: "60",
      summary: "The longest Prefer: wait of a poll; 0 lets none wait."),
    Setting(
      key: "public.spreadSecondsMax", form: .integer(0...3_600), fallback: "0",
      summary: "Seconds by which max-age may reach beyond a flip, each variant by its own number; 0 is exact."),
    Setting(
      key: "public.clientKey", form: .text, fallback: "",
      summary: "What polls must send as Hearth-Client-Key; empty asks for none.", isSecret: true),
    Setting(key: "admin.listen", form: .listener, fallback: "127.0.0.1:8081", summary: "Where operators work."),
    Setting(
      key: "admin.bodyBytesMax", form: .integer(bytes), fallback: "8388608",
      summary: "Bytes of a request body; more is a 413."),
    Setting(
      key: "admin.uploadBytesMax", form: .integer(bytes), fallback: "67108864",
      summary: "Bytes of all unfinished request bodies together; the one that would be more is a 503."),
    Setting(
      key: "admin.connectionsMax", form: .integer(0...10_000_000), fallback: "0",
      summary: "Connections at once; 0 is an eighth of the descriptor limit. More are refused with 503."),
    Setting(
      key: "admin.connectionsPerAddressMax", form: .integer(0...10_000_000), fallback: "256",
      summary: "Connections of one address; 0 is no limit."),
    Setting(
      key: "admin.failedTriesMax", form: .integer(1...10_000), fallback: "10",
      summary: "Failed tokens of one address a minute; more get 429."),
    Setting(
      key: "admin.waitSecondsMax", form: .integer(0...3_600), fallback: "60",
      summary: "The longest Prefer: wait for a change of a draft; 0 lets none wait."),
    Setting(
      key: "admin.backupFolder", form: .text, fallback: "",
      summary: "Where POST /admin/v1/backup writes; empty turns it off."),
    Setting(
      key: "http.loopbackIsUnlimited", form: .flag, fallback: "true",
      summary: "Whether the machine's own addresses, a proxy on it among them, are free of the limits an address."),
    Setting(
      key: "http.requestLineBytesMax", form: .integer(bytes), fallback: "8192",
      summary: "Bytes of a request line; more is a 414."),
    Setting(
      key: "http.headBytesMax", form: .integer(bytes), fallback: "16384",
      summary: "Bytes of a request head; more is a 431."),
    Setting(
      key: "http.fieldsMax", form: .integer(1...10_000), fallback: "100",
      summary: "Fields of a request head; more is a 431."),
    Setting(
      key: "http.chunkOverheadBytesMax", form: .integer(bytes), fallback: "16384",
      summary: "Bytes of chunk sizes, extensions and trailers a body; more is a 400."),
    Setting(
      key: "http.headTimeout", form: .seconds(1...3_600), fallback: "10",
      summary: "Seconds for a whole request head; longer is a 408."),
    Setting(
      key: "http.bodyBytesPerSecondMin", form: .integer(0...1_073_741_824), fallback: "240",
      summary: "Bytes a second that a body must bring, counted over any grace; less is a 408."),
    Setting(
      key: "http.bodyRateGrace", form: .seconds(0...3_600), fallback: "5", summary: "Seconds that a body may be slower."
    ),
    Setting(
      key: "http.writeStallTimeout", form: .seconds(1...3_600), fallback: "10",
      summary: "Seconds that a response may make no progress before its connection is cut."),
    Setting(
      key: "http.idleTimeout", form: .seconds(1...86_400), fallback: "75",
      summary: "Seconds that a connection may wait for its next request."),
    Setting(
      key: "http.lingerTimeout", form: .seconds(0...60), fallback: "2",
      summary: "Seconds that a refused connection is still read from."),
    Setting(
      key: "http.requestsPerConnectionMax", form: .integer(1...1_000_000_000), fallback: "1000000",
      summary: "Requests of one connection; the last is answered with Connection: close."),
    Setting(
      key: "http.responseBufferBytesMax", form: .integer(bytes), fallback: "262144",
      summary: "Bytes of answers a connection may have waiting before more of it is read."),
    Setting(
      key: "drainGrace", form: .seconds(0...3_600), fallback: "10",
      summary: "Seconds that what is in flight has to finish after SIGTERM."),
    Setting(
      key: "retention.revisions", form: .integer(1...1_000_000), fallback: "100",
      summary: "Newest revisions of a page that are always kept."),
    Setting(
      key: "retention.days", form: .integer(0...36_500), fallback: "30", summary: "Days that every revision is kept."),
    Setting(key: "layout.sectionsMax", form: .integer(1...100_000), fallback: "500", summary: "Sections a page."),
    Setting(
      key: "layout.itemsMax", form: .integer(1...1_000_000), fallback: "1000",
      summary: "Items a section, children not counted."),
    Setting(
      key: "layout.childrenDepthMax", form: .integer(0...32), fallback: "8",
      summary: "Levels of children below an item."),
    Setting(key: "layout.sortRulesMax", form: .integer(1...10_000), fallback: "64", summary: "Sort rules a page."),
    Setting(key: "layout.audiencesMax", form: .integer(1...100_000), fallback: "1000", summary: "Named audiences."),
    Setting(
      key: "layout.predicateDepthMax", form: .integer(1...32), fallback: "16",
      summary: "Conditions nested in an audience."),
    Setting(
      key: "layout.pageBytesMax", form: .integer(bytes), fallback: "262144",
      summary: "Gzip'd bytes of a page above which lint warns."),
    Setting(
      key: "log.level", form: .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
      fallback: "info", summary: "The least level that is logged."),
    Setting(
      key: "log.bytesMax", form: .integer(bytes), fallback: "1048576",
      summary: "Bytes of log lines that may wait for a slow reader of standard error; more are dropped and counted."),
  ]

  /// The key below which client attributes of one's own are declared.
  static let attributesKey = "attributes"
}
