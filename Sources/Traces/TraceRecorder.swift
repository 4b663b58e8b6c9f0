package import Tracing

/// What swift-distributed-tracing makes spans with.
///
/// A trace that another program began is recorded if that program says so; of those that begin here, a share is.
package struct TraceRecorder: Tracer {
  let queue: SpanQueue
  /// The share of traces that begin here and are recorded, 0 to 100.
  let percent: Int

  package func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> TraceSpan {
    let context = context()
    let parent = context[PlaceKey.self]
    let place = TraceParent(
      trace: parent?.trace ?? .random(), span: .random(in: 1 ... .max),
      isSampled: parent?.isSampled ?? (Int.random(in: 0..<100) < percent))
    return TraceSpan(
      operationName, kind, at: place, in: parent?.span, context: context,
      start: place.isSampled ? instant().nanosecondsSinceEpoch : 0, queue: place.isSampled ? queue : nil)
  }

  /// Nothing: spans leave by themselves, and at last when the process ends (``Traces/run()``).
  package func forceFlush() {}

  package func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    if let text = extractor.extract(key: Self.field, from: carrier) { context[PlaceKey.self] = TraceParent(text) }
  }

  package func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    if let place = context[PlaceKey.self] { injector.inject(place.text, forKey: Self.field, into: &carrier) }
  }

  /// The field of W3C's Trace Context.
  static let field = "traceparent"
}
