import Glibc
import HTTPServer
import Testing

@Suite struct ClockTests {
  @Test func `the system's clock never says a second that is over`() {
    var before = timespec()
    var first = 0
    // Past the end of a second, whenever it begins.
    repeat {
      unsafe clock_gettime(CLOCK_REALTIME, &before)
      if first == 0 { first = before.tv_sec }
      let said = Clock.system.now().realtime / 1_000_000_000
      #expect(said >= before.tv_sec)
    } while before.tv_sec < first + 1 || before.tv_nsec < 20_000_000
  }
}
