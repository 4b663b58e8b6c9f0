public import Layout
import Logging
import Serving
import Storage

/// The kinds and the keys that a server goes by, and what changes them while it runs.
extension HearthServer {
  /// Reads the signing keys again, where there is a place for them; the log says what came of it.
  public func reloadSigningKeys() async {
    guard let signing else { return }
    do {
      guard let ids = try await signing.reload({ publisher.live.lineup }) else { return }
      logger.notice("the signing keys have changed", metadata: ["keys": "\(ids.joined(separator: ", "))"])
    } catch {
      logger.error("the signing keys were not reloaded; those before stay", metadata: ["reason": "\(error)"])
    }
  }

  /// Makes the kinds of this process's file active if no other process can have another file, and content takes them;
  /// otherwise the database's kinds stay: the file may be another than the one that the content was made with
  /// (docs/decisions/0114).
  func compareKinds() async {
    guard ownKinds.hash != publisher.kinds.hash, !publisher.isUnconfirmed else { return }
    guard !store.isShared else {
      return logger.warning(
        "the kinds.yaml of this node is not what the nodes of the database go by; reload it at one of them, or bring it up to date",
        metadata: ["file": "\(ownKinds.hash.prefix(8))", "database": "\(publisher.kinds.hash.prefix(8))"])
    }
    do {
      note(try await publisher.changeKinds(to: ownKinds, isForced: false, by: Actor(name: "server")))
    } catch let refusal as KindsBreakContent {
      let first = refusal.refused.first.map { "\($0.page) \($0.state): \($0.problem)" } ?? ""
      logger.error(
        "kinds.yaml refuses content: the kinds of the database stay; put the right file there, or reload with force",
        metadata: ["refused": "\(refusal.refused.count)", "first": "\(first)"])
    } catch {
      logger.report("the kinds that the server was started with cannot be stored; those before stay", error)
    }
  }

  /// Reads the file of the kinds again, and has all nodes go by it; the log says what came of it.
  public func reloadKinds() async {
    do { note(try await api.reloadKinds(by: Actor(name: "signal"))) } catch {
      logger.error("the kinds were not reloaded; those before stay", metadata: ["reason": "\(error)"])
    }
  }

  private func note(_ change: KindsChange) {
    let pages = change.revisions.map { "\($0.page) \($0.number)" }.joined(separator: ", ")
    var metadata: Logger.Metadata = ["kinds": "\(change.hash.prefix(8))", "revisions": "\(pages)"]
    if !change.kept.isEmpty { metadata["keptForWhatIsLive"] = "\(change.kept.joined(separator: ", "))" }
    logger.notice("the kinds are those of the file", metadata: metadata)
  }

  /// The kinds that pages are drawn with now.
  public var kinds: Kinds { publisher.kinds }

  /// Lets what is served change no more, because a successor has loaded it, or change again, because that one gave up.
  public func settle(_ settles: Bool) async {
    if settles { await publisher.settle() } else { publisher.resume() }
  }
}
