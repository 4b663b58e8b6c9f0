/// Where a span is: its trace, its own number, and whether it is recorded. Others read and write it as `traceparent` of
/// W3C's Trace Context, version 00.
package struct TraceParent: Hashable, Sendable {
  /// The number of a trace, of which not all bits are 0.
  package struct TraceID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// 32 hexadecimal digits in lowercase.
    package var description: String { high.hexadecimal + low.hexadecimal }

    static func random() -> TraceID { TraceID(high: .random(in: 0 ... .max), low: .random(in: 1 ... .max)) }
  }

  package let trace: TraceID
  /// The number of the span, not 0.
  package let span: UInt64
  package let isSampled: Bool
}

extension TraceParent {
  /// The text of a field; `nil` for anything but what W3C's Trace Context allows. What a later version has added behind
  /// is not looked at.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let dashes = [2, 35, 52]
    guard bytes.count >= 55, dashes.allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
      let version = UInt64(hexadecimal: bytes[0..<2]), version != 0xFF,
      version == 0 ? bytes.count == 55 : bytes.count == 55 || bytes[55] == UInt8(ascii: "-"),
      let high = UInt64(hexadecimal: bytes[3..<19]), let low = UInt64(hexadecimal: bytes[19..<35]),
      let span = UInt64(hexadecimal: bytes[36..<52]), let flags = UInt64(hexadecimal: bytes[53..<55]),
      high | low != 0, span != 0
    else { return nil }
    self.init(trace: TraceID(high: high, low: low), span: span, isSampled: flags & 1 == 1)
  }

  /// As a field has it.
  package var text: String { "00-\(trace)-\(span.hexadecimal)-\(isSampled ? "01" : "00")" }
}

extension UInt64 {
  /// 16 digits in lowercase.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Digits in lowercase, at most 16; `nil` for anything else.
  fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
    var value: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    self = value
  }
}
