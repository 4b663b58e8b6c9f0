import ArgumentParser
import Foundation
import Layout
import Logging
import Service
import ServiceLifecycle
import UnixSignals

/// `hearth serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve polls and operators.",
    discussion: "SIGTERM and SIGINT finish what is in flight and end the process with 0.")

  @OptionGroup var options: Options

  @Option(help: "Where clients poll, HOST:PORT; port 0 picks a free one.")
  var listen: String?

  @Option(help: "Where operators work, HOST:PORT; port 0 picks a free one.")
  var adminListen: String?

  @Flag(help: "Tell every setting with its source, and end.")
  var printConfig = false

  func run() async throws {
    var database = ""
    try await reporting(database: database) {
      let settings = try options.settings(["public.listen": listen, "admin.listen": adminListen])
      if printConfig { return print(settings.listing) }
      database = settings.database
      try await reporting(database: database) { try await serve(settings) }
    }
  }

  private func serve(_ settings: Settings) async throws {
    LoggingSystem.bootstrap { LogLine(label: $0, logLevel: settings.logLevel) }
    let logger = Logger(label: "hearth")
    let kinds = try settings.kinds()
    let store = try settings.openStore()
    let lock = try ServingLock(database: settings.database)
    let server = try HearthServer(
      settings: settings.server(cores: ProcessInfo.processInfo.activeProcessorCount), store: store, kinds: kinds,
      context: settings.context, version: HearthVersion.current, logger: logger)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          ServiceGroupConfiguration.ServiceConfiguration(
            service: HearthService(server: server), successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
    withExtendedLifetime(lock) {}
  }
}

/// The server for as long as signals let it run.
private struct HearthService: ServiceLifecycle.Service {
  let server: HearthServer

  func run() async throws { try await cancelWhenGracefulShutdown { try await server.run() } }
}
