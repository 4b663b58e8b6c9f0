import CSimulation
import Foundation
import SeededRandom
import Synchronization

/// Draws by lot, the same for the same seed.
final class Chance: Sendable {
  private let generator: Mutex<SeededGenerator>

  init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  /// A number from 0 to below `bound`.
  func below(_ bound: Int) -> Int { generator.withLock { Int.random(in: 0..<bound, using: &$0) } }

  /// Whether one in so many comes true.
  func isOne(in count: Int) -> Bool { below(count) == 0 }

  func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// A time up to another one.
  func milliseconds(upTo most: Int) -> Duration { .milliseconds(below(most + 1)) }
}

/// What has happened, for whoever looks for the cause.
final class Story: Sendable {
  private let lines = Mutex<[String]>([])

  private let isOn: Bool

  init(isOn: Bool) { self.isOn = isOn }

  func tell(_ what: @autoclosure () -> String) {
    guard isOn else { return }
    let (now, line) = (hearth_simulation_now() / 1_000_000, what())
    lines.withLock { $0.append("\(now / 1_000 % 1_000).\(now % 1_000) \(line)") }
  }

  var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

/// Runs tasks on one thread, one piece of a task after the other, in an order that is drawn by lot; all clocks show virtual
/// time, which goes on to the next timer once nothing else can run.
enum Simulation {
  /// 2026-11-24, in nanoseconds since 1970.
  private static let beginning: Int64 = 1_795_478_400_000_000_000

  /// How a simulation ended.
  struct Course: Sendable {
    /// Whether its body has returned; nothing could have gone on otherwise, or it took too long.
    var isOver = false
    /// How many pieces of tasks have run.
    var steps = 0
    /// The virtual time that passed.
    var duration = Duration.zero
  }

  /// Runs a body and all that it starts, on a thread of its own.
  ///
  /// - Parameters:
  ///   - durationMax: How long it may take in virtual time.
  ///   - afterEach: Looks at what is so after each piece; true ends the simulation.
  static func run(
    _ chance: Chance, durationMax: Duration = .seconds(3_600),
    afterEach look: @Sendable @escaping () -> Bool = { false },
    _ body: @Sendable @escaping () async -> Void
  ) -> Course {
    let course = Mutex(Course())
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let made = runHere(chance, durationMax: durationMax, afterEach: look, body)
      course.withLock { $0 = made }
      end.signal()
    }
    end.wait()
    return course.withLock { $0 }
  }

  private static func runHere(
    _ chance: Chance, durationMax: Duration, afterEach look: @Sendable () -> Bool,
    _ body: @Sendable @escaping () async -> Void
  ) -> Course {
    hearth_simulation_begin(beginning)
    defer { hearth_simulation_end() }
    let over = Flag()
    Task {
      await body()
      over.set()
    }
    var course = Course()
    while !over.isSet {
      let ready = hearth_simulation_ready()
      if ready > 0 {
        hearth_simulation_run(ready == 1 ? 0 : chance.below(ready))
        course.steps += 1
        if look() { break }
      } else if !hearth_simulation_advance() {
        break
      }
      course.duration = .nanoseconds(hearth_simulation_now() - beginning)
      if course.duration > durationMax { break }
    }
    course.isOver = over.isSet
    return course
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }
}
