@testable import HTTPServer

/// Feeds the chunked decoder with any octets, whole, in parts and one by one: it never traps, never exceeds its limits,
/// and its body, its end and its failure are the same for every split. The first octet chooses the parts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChunks(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  guard let seed = octets.first else { return 0 }
  let input = octets[1...]
  let whole = Decoded([input])
  precondition(whole.body.count <= Decoded.bodyBytesMax && whole.overhead <= Decoded.overheadBytesMax + 1)
  precondition(whole == Decoded(input.parts(seed)))
  precondition(whole == Decoded(input.indices.map { input[$0...$0] }))
  return 0
}

/// What came of a body that was fed in parts.
private struct Decoded: Equatable {
  static let bodyBytesMax = 64
  static let overheadBytesMax = 64

  var body: [UInt8] = []
  var used = 0
  var overhead = 0
  var isDone = false
  var failure: RequestFailure?

  init(_ parts: [ArraySlice<UInt8>]) {
    var decoder = ChunkedDecoder(bodyBytesMax: Self.bodyBytesMax, overheadBytesMax: Self.overheadBytesMax)
    for part in parts {
      let octets = Array(part)
      var position = 0
      do throws(RequestFailure) { try decoder.decode(octets.span, from: &position, onto: &body) } catch {
        failure = error
      }
      used += position
      if failure != nil || decoder.isDone { break }
    }
    overhead = decoder.overhead
    isDone = decoder.isDone
  }
}
