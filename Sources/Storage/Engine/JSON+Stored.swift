import JSON

extension JSON {
  /// A document that the store wrote: what it holds was limited when it came in, each part by itself.
  ///
  /// - Throws: ``StoreError/DatabaseFailure/corrupt`` where it is no JSON: a file that was cut ends in the middle of a text.
  static func stored(_ text: String) throws(StoreError) -> JSON {
    do { return try parse(text, depthMax: .max) } catch { throw .database(.corrupt) }
  }
}
