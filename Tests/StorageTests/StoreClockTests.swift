import Layout
import Synchronization
import Testing

@testable import Storage

@Suite struct StoreClockTests {
  /// A machine whose clock can be set, and that counts its own time besides.
  private final class Machine: Sendable {
    private let state = Mutex((shown: Int64(1_000_000_000), elapsed: Int64(5_000)))

    var clock: StoreClock {
      StoreClock(
        machine: { [self] in state.withLock { $0.shown * 1_000 } },
        elapsed: { [self] in state.withLock { $0.elapsed } })
    }

    var shown: Instant { Instant(secondsSinceEpoch: state.withLock { $0.shown }) }

    func set(by seconds: Int64) { state.withLock { $0.shown += seconds } }

    func pass(_ seconds: Int64) {
      state.withLock {
        $0.shown += seconds
        $0.elapsed += seconds * 1_000
      }
    }
  }

  @Test(arguments: [7_200, 90_000, 3_456_000, -7_200, 3])
  func `a clock that jumps is believed once it has gone on steadily`(jump: Int64) {
    let machine = Machine()
    let clock = machine.clock
    let before = clock()
    #expect(before == machine.shown)
    #expect(clock.failure == nil)
    machine.set(by: jump)
    for second in 0..<StoreClock.steadySeconds {
      #expect(clock() == before.adding(seconds: second))
      machine.pass(1)
    }
    let failure = clock.failure
    #expect(failure == nil, "it has been believed by now: \(failure ?? "")")
    #expect(clock() == machine.shown)
  }

  @Test func `nothing is removed by a clock that has just begun, or that jumps`() {
    let machine = Machine()
    let clock = machine.clock
    func pass(_ seconds: Int64) { for _ in 0..<seconds { machine.pass(1); _ = clock() } }
    #expect(!clock.isSteady)
    pass(StoreClock.steadySeconds - 1)
    #expect(!clock.isSteady)
    pass(1)
    #expect(clock.isSteady)
    machine.set(by: 3_456_000)
    #expect(!clock.isSteady)
    pass(10)
    #expect(!clock.isSteady)
    machine.set(by: -3_456_000)
    #expect(clock.isSteady)
    // A start with a wrong clock that is set right: not before the right one has gone on.
    let wrong = machine.clock
    for _ in 0..<30 { machine.pass(1); _ = wrong() }
    machine.set(by: -3_456_000)
    for _ in 0..<299 {
      #expect(!wrong.isSteady)
      machine.pass(1)
    }
    _ = wrong()
    machine.pass(2)
    #expect(wrong.isSteady && wrong() == machine.shown)
    let server = machine.clock
    server.take(serverMilliseconds: 1)
    #expect(server.isSteady && StoreClock { Instant(secondsSinceEpoch: 5) }.isSteady)
  }

  @Test func `a clock that is off says by how much, and one that comes back has never counted`() {
    let machine = Machine()
    let clock = machine.clock
    let before = clock()
    machine.set(by: 7_200)
    #expect(clock.machineAhead == .seconds(7_200))
    #expect(clock.failure?.contains("is 7200 s ahead of what it showed before it jumped") == true)
    machine.pass(4)
    #expect(clock() == before.adding(seconds: 4))
    machine.set(by: -7_200)
    #expect(clock() == before.adding(seconds: 4))
    #expect(clock.failure == nil)
    // Each jump has to go on by itself.
    for _ in 0..<100 {
      machine.set(by: 10)
      machine.pass(10)
      #expect(clock() < machine.shown)
    }
  }

  @Test func `a clock that is corrected a little is followed`() {
    let machine = Machine()
    let clock = machine.clock
    for _ in 0..<10 {
      machine.set(by: 1)
      machine.pass(1)
      #expect(clock() == machine.shown)
    }
  }

  @Test func `a server's clock counts, whatever the machine's shows`() {
    let machine = Machine()
    let clock = machine.clock
    clock.take(serverMilliseconds: 900_000_000_500)
    #expect(clock() == Instant(secondsSinceEpoch: 900_000_000))
    machine.set(by: 7_200)
    machine.pass(1_000)
    #expect(clock() == Instant(secondsSinceEpoch: 900_001_000))
    #expect(clock.failure?.hasSuffix("s ahead of the database's; windows begin and end by it: set it right") == true)
    clock.take(serverMilliseconds: 900_000_100_000)
    #expect(clock() == Instant(secondsSinceEpoch: 900_000_100))
  }
}
