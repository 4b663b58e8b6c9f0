import JSON

extension JSON {
  /// A document that the store wrote: what it holds was limited when it came in, each part by itself.
  static func stored(_ text: String) throws -> JSON { try parse(text, depthMax: .max) }
}
