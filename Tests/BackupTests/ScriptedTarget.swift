import Foundation
import Synchronization

@testable import Backup

/// A target in memory that does as it is told.
final class ScriptedTarget: BackupTarget {
  enum Mood: Sendable {
    case works
    /// Whatever it is asked fails, as on a full or lost disk.
    case fails(String)
    /// It takes what it is sent and answers nothing, until it has another mood.
    case hangs
  }

  private struct State {
    var objects: [String: [UInt8]] = [:]
    var mood = Mood.works
    var waiting = 0
  }

  private let state = Mutex(State())

  var name: String { "memory:" }
  var names: [String] { state.withLock { $0.objects.keys.sorted() } }

  func become(_ mood: Mood) { state.withLock { $0.mood = mood } }

  func lose(_ name: String) { state.withLock { $0.objects[name] = nil } }

  /// The bytes of an object, whatever the mood.
  func object(_ name: String) -> [UInt8]? { state.withLock { $0.objects[name] } }

  /// Whether somebody waits for an answer.
  var isAsked: Bool { state.withLock { $0.waiting > 0 } }

  private func act() throws(TargetFailure) {
    state.withLock { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    while true {
      switch state.withLock({ $0.mood }) {
      case .works: return
      case .fails(let why): throw TargetFailure(why)
      case .hangs: usleep(2_000)
      }
    }
  }

  func put(_ name: String, _ bytes: [UInt8], replaces: Bool) throws(TargetFailure) {
    try act()
    let isTaken = state.withLock { state in
      if !replaces, let other = state.objects[name] { return other != bytes }
      state.objects[name] = bytes
      return false
    }
    if isTaken { throw TargetFailure("\(name) is there already, and is another", isTaken: true) }
  }

  func get(_ name: String) throws(TargetFailure) -> [UInt8]? {
    try act()
    return state.withLock { $0.objects[name] }
  }

  func list(_ folder: String) throws(TargetFailure) -> [String] {
    try act()
    let below = state.withLock { $0.objects.keys.filter { $0.hasPrefix(folder) }.map { $0.dropFirst(folder.count) } }
    let names = below.map { name in name.firstIndex(of: "/").map { String(name[...$0]) } ?? String(name) }
    return Set(names).sorted()
  }

  func remove(_ name: String) throws(TargetFailure) {
    try act()
    lose(name)
  }
}
