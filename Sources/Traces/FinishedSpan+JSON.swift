import JSON
import Tracing

/// A request of OTLP/HTTP in JSON: what opentelemetry-proto's `ExportTraceServiceRequest` is by Protobuf's JSON mapping,
/// in which numbers of 64 bits are strings. Ids are hexadecimal, as OTLP has it.
struct TraceRequest {
  /// Who sends.
  let resource: JSON

  /// - Parameter attributes: What all spans have in common: names as OpenTelemetry's conventions have them.
  init(resource attributes: [(String, String)]) {
    resource = ["attributes": .array(attributes.map { Self.attribute($0, ["stringValue": .string($1)]) })]
  }

  func body(_ spans: [FinishedSpan]) -> [UInt8] {
    let scope: JSON = ["scope": ["name": "hearth"], "spans": .array(spans.map(\.json))]
    let request: JSON = ["resourceSpans": [["resource": resource, "scopeSpans": [scope]]]]
    return request.canonicalBytes
  }

  static func attribute(_ name: String, _ value: JSON) -> JSON { ["key": .string(name), "value": value] }
}

extension FinishedSpan {
  fileprivate var json: JSON {
    var object: JSONObject = [
      "traceId": .string(place.trace.description), "spanId": .string(place.span.hexadecimal), "name": .string(name),
      "kind": .number(JSONNumber(kind.number)), "startTimeUnixNano": .string(String(start)),
      "endTimeUnixNano": .string(String(end)), "attributes": attributes.json,
    ]
    if let parent { object["parentSpanId"] = .string(parent.hexadecimal) }
    if hasFailed { object["status"] = ["code": 2] }
    if !events.isEmpty {
      object["events"] = .array(
        events.map { event in
          [
            "timeUnixNano": .string(String(event.nanosecondsSinceEpoch)), "name": .string(event.name),
            "attributes": event.attributes.json,
          ]
        })
    }
    return .object(object)
  }
}

extension SpanKind {
  fileprivate var number: Int {
    switch self {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }
}

extension SpanAttributes {
  fileprivate var json: JSON {
    var found: [(name: String, value: JSON)] = []
    forEach { found.append(($0, $1.json)) }
    return .array(found.sorted { $0.name < $1.name }.map { TraceRequest.attribute($0.name, $0.value) })
  }
}

extension SpanAttribute {
  /// A number or a text: no span of this program has another value.
  fileprivate var json: JSON {
    switch self {
    case .int32(let number): ["intValue": .string(String(number))]
    case .int64(let number): ["intValue": .string(String(number))]
    case .bool(let flag): ["boolValue": .bool(flag)]
    case .string(let text): ["stringValue": .string(text)]
    default: ["stringValue": .string("\(self)")]
    }
  }
}
