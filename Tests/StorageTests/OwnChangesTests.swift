import Testing

@testable import Storage

@Suite struct OwnChangesTests {
  /// What the database has: a number, and what tells its state from others.
  private struct World {
    let own = OwnChanges()
    var number = 10
    var identity = "begun"
    private var drawn = 0

    mutating func draw() -> String {
      drawn += 1
      return "drawn \(drawn)"
    }

    /// What a look says; the same as long as nobody else has changed anything.
    func look() -> Int {
      own.beginLook()
      return number - own.count(seeing: identity)
    }

    mutating func change() -> OwnChanges.Change {
      let (change, after) = (OwnChanges.Change(), draw())
      own.add(change, from: identity, to: after)
      (number, identity) = (number + 1, after)
      return change
    }
  }

  @Test func `own changes are none of others, whenever they are looked at`() {
    var world = World()
    let before = world.look()
    for _ in 0..<3 { world.own.finish(world.change()) }
    #expect(world.look() == before)
    // Seen before it is known to be committed, and not seen while it is being committed.
    let (number, identity) = (world.number, world.identity)
    let change = world.change()
    world.own.beginLook()
    #expect(number - world.own.count(seeing: identity) == before - 1, "one more is counted, and the next look sees it")
    #expect(world.look() == before)
    world.own.finish(change)
    #expect(world.look() == before)
  }

  @Test func `a change of others is seen, also where the numbers coincide`() {
    var world = World()
    let backup = (number: world.number, identity: world.identity)
    var before = world.look()
    (world.number, world.identity) = (world.number + 1, "of another")
    #expect(world.look() != before)
    before = world.look()
    #expect(world.look() == before)
    // A backup is restored, and another node makes as many changes as were lost.
    let lost = world.number
    world.identity = "of another after \(backup.identity)"
    #expect(world.number == lost)
    #expect(world.look() != before)
    // The same after own changes, back to what was there before them.
    before = world.look()
    let kept = (number: world.number, identity: world.identity)
    world.own.finish(world.change())
    before = world.look()
    (world.number, world.identity) = (kept.number + 1, kept.identity)
    #expect(world.look() != before)
  }

  @Test func `what was not committed is not counted`() {
    var world = World()
    let before = world.look()
    let kept = (number: world.number, identity: world.identity)
    let change = world.change()
    world.own.remove(change)
    (world.number, world.identity) = kept
    // It is looked at once too often, and then all is known.
    let then = world.look()
    #expect(then != before)
    #expect(world.look() == then)
  }
}
