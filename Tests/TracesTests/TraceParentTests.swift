import Testing

@testable import Traces

@Suite struct TraceParentTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let span = "00f067aa0ba902b7"

  @Test func `a field says the trace, the span and whether it is recorded, and is written as it was read`() throws {
    for (flags, isSampled) in [("01", true), ("00", false)] {
      let text = "00-\(Self.trace)-\(Self.span)-\(flags)"
      let parent = try #require(TraceParent(text))
      #expect(parent.trace.description == Self.trace)
      #expect(parent.span == 0x00f0_67aa_0ba9_02b7)
      #expect(parent.isSampled == isSampled)
      #expect(parent.text == text)
    }
    // Of flags that are not known yet, and of a later version, what is known counts.
    #expect(TraceParent("00-\(Self.trace)-\(Self.span)-0a")?.isSampled == false)
    #expect(TraceParent("00-\(Self.trace)-\(Self.span)-ff")?.isSampled == true)
    #expect(TraceParent("cc-\(Self.trace)-\(Self.span)-01-what-comes")?.isSampled == true)
  }

  @Test(arguments: [
    "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01 ", "00-\(trace)-\(span)-01-",
    "ff-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01x", "00-\(trace)-0000000000000000-01",
    "00-00000000000000000000000000000000-\(span)-01", "00-\(trace.uppercased())-\(span)-01", "00-\(trace)+\(span)-01",
    "00-\(trace)-\(span)-0g", "é0-\(trace)-\(span)-01",
  ]) func `anything else is none`(text: String) { #expect(TraceParent(text) == nil) }

  @Test func `a number begins with its zeros`() {
    #expect(UInt64(0).hexadecimal == "0000000000000000")
    #expect(UInt64.max.hexadecimal == "ffffffffffffffff")
  }
}
