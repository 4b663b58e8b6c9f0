import HTTPServer
import Layout
import Logging
import Service

extension Settings {
  /// The limits of documents.
  var limits: LayoutLimits {
    var limits = LayoutLimits()
    limits.sectionsMax = int("layout.sectionsMax")
    limits.itemsMax = int("layout.itemsMax")
    limits.childrenDepthMax = int("layout.childrenDepthMax")
    limits.sortRulesMax = int("layout.sortRulesMax")
    limits.audiencesMax = int("layout.audiencesMax")
    limits.predicateDepthMax = int("layout.predicateDepthMax")
    limits.pageBytesMax = int("layout.pageBytesMax")
    return limits
  }

  /// What documents are read against.
  var context: DefinitionContext { DefinitionContext(attributes: attributes, limits: limits) }

  /// The least level that is logged.
  var logLevel: Logger.Level { Logger.Level(rawValue: text("log.level")) ?? .info }

  /// The bytes of log lines that may wait to be written.
  var logBytesMax: Int { int("log.bytesMax") }

  /// What the server is started with.
  func server(cores: Int) -> ServerSettings {
    var server = ServerSettings()
    server.publicListener = listener("public.listen")
    server.adminListener = listener("admin.listen")
    server.loops = int("public.loops") == 0 ? max(cores, 1) : int("public.loops")
    server.publicLimits = httpLimits
    server.publicLimits.connectionsMax = int("public.connectionsMax") == 0 ? nil : int("public.connectionsMax")
    server.publicLimits.connectionsPerAddressMax = int("public.connectionsPerAddressMax")
    server.adminLimits = httpLimits
    server.adminLimits.bodyBytesMax = int("admin.bodyBytesMax")
    server.adminLimits.uploadBytesMax = int("admin.uploadBytesMax")
    let adminConnections = int("admin.connectionsMax")
    server.adminLimits.connectionsMax = adminConnections == 0 ? Limits.descriptorsMax / 8 : adminConnections
    server.adminLimits.connectionsPerAddressMax = int("admin.connectionsPerAddressMax")
    server.polls.shapesMax = int("public.shapesMax")
    server.variantBytesMax = int("public.variantBytesMax")
    server.polls.assembliesMax = int("public.assembliesMax")
    server.polls.waitSecondsMax = int("public.waitSecondsMax")
    server.polls.spreadSecondsMax = int("public.spreadSecondsMax")
    server.polls.clientKey = text("public.clientKey").isEmpty ? nil : text("public.clientKey")
    server.knownVersionsMax = int("public.knownVersionsMax")
    server.drainGrace = duration("drainGrace")
    server.revisionsKept = int("retention.revisions")
    server.revisionDaysKept = int("retention.days")
    server.admin.failedTriesMax = int("admin.failedTriesMax")
    server.admin.waitSecondsMax = int("admin.waitSecondsMax")
    server.admin.backupFolder = text("admin.backupFolder").isEmpty ? nil : text("admin.backupFolder")
    return server
  }

  private var httpLimits: Limits {
    var limits = Limits()
    limits.loopbackIsUnlimited = flag("http.loopbackIsUnlimited")
    limits.requestLineBytesMax = int("http.requestLineBytesMax")
    limits.headBytesMax = int("http.headBytesMax")
    limits.fieldsMax = int("http.fieldsMax")
    limits.chunkOverheadBytesMax = int("http.chunkOverheadBytesMax")
    limits.headTimeout = duration("http.headTimeout")
    limits.bodyBytesPerSecondMin = int("http.bodyBytesPerSecondMin")
    limits.bodyRateGrace = duration("http.bodyRateGrace")
    limits.writeStallTimeout = duration("http.writeStallTimeout")
    limits.idleTimeout = duration("http.idleTimeout")
    limits.lingerTimeout = duration("http.lingerTimeout")
    limits.requestsPerConnectionMax = int("http.requestsPerConnectionMax")
    limits.responseBufferBytesMax = int("http.responseBufferBytesMax")
    return limits
  }
}
