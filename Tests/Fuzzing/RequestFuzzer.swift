import HTTPServer

/// Feeds the reading half of a connection with any octets, whole, in parts and one by one: it never traps, and its events
/// are the same for every split. The first octet chooses the parts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  guard let seed = octets.first else { return 0 }
  let input = octets[1...]
  let whole = Feed.events([input], limits: fuzzLimits)
  expectSame(whole, Feed.events(input.parts(seed), limits: fuzzLimits))
  if input.count <= 256 { expectSame(whole, Feed.events(input.indices.map { input[$0...$0] }, limits: fuzzLimits)) }
  return 0
}

private func expectSame(_ whole: [Feed.Event], _ parts: [Feed.Event]) {
  precondition(whole == parts, "whole: \(whole)\nin parts: \(parts)")
}

/// Limits that a short input reaches.
private let fuzzLimits: Limits = {
  var limits = Limits()
  limits.requestLineBytesMax = 96
  limits.headBytesMax = 256
  limits.fieldsMax = 8
  limits.bodyBytesMax = 64
  limits.chunkOverheadBytesMax = 64
  return limits
}()
