import Layout
import Logging
import Serving
import Storage

/// Picks up what other processes have changed: looks at each second, and whenever the database's server tells of it. No
/// look is overtaken by a later one.
struct ChangeFollower: BackgroundService {
  let publisher: Publisher
  let nodes: NodeList
  let assets: AssetShelf
  let tokens: TokenWatch
  let logger: Logger
  let wake = Wake()

  var isDue: Bool { true }

  func start() async {
    publisher.store.whenOthersChange(says: { [logger] words in logger.notice("\(words)") }) { [wake] in wake() }
  }

  /// What cannot be read is tried again the next time.
  func turn() async {
    let wasUnconfirmed = publisher.isUnconfirmed
    let hasLooked = await publisher.follow(reloading: reload)
    if let hasLooked {
      if hasLooked, wasUnconfirmed {
        logger.notice("the database is there, and what is served was compared with it")
      }
      nodes.age.note()
    }
    if tokens.isDue { await tokens.look() }
  }

  /// - Returns: Whether it could be read; it is tried again otherwise.
  private func reload() async -> Bool {
    do {
      // Before the pages that refer to them.
      try await assets.refresh()
      try await publisher.reload()
      note(problem: nil)
      await tokens.look()
      return true
    } catch StoreError.database(let failure) where failure.isAway {
      logger.report("the database cannot be read", StoreError.database(failure))
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
}

/// Compares the database's tokens with the known ones, and logs the ones that an operator should look at.
struct TokenWatch: Sendable {
  let file: TokensFile
  let publisher: Publisher
  let logger: Logger

  private var store: Store { publisher.store }

  /// Whether the last look failed.
  var isDue: Bool { file.isDue }

  /// - Parameter isFirst: Whether nothing was logged about tokens yet.
  func look(isFirst: Bool = false) async {
    guard !store.isAway, !publisher.isUnconfirmed else { return }
    do {
      let found = try await file.look(at: store)
      for finding in isFirst ? file.findings(at: store.clock()) : found {
        logger.warning("\(finding.fate.words)", metadata: ["token": "\(finding.selector)", "name": "\(finding.name)"])
      }
    } catch { logger.report("the tokens cannot be compared with those that were known", error) }
  }
}

extension Logger {
  /// Logs a failure, unless the drain ended the work: then nothing has failed.
  func report(_ what: Logger.Message, _ failure: any Error) {
    if !(failure is CancellationError) { error(what, metadata: ["error": "\(failure)"]) }
  }
}
