import HTTPServer
import JSON
import Layout
import Storage
import Serving

/// What the variable segments of admin paths are, each with its grammar. Nothing else looks at a segment that is not held
/// to it: what two parties read differently, such as a NUL, would be two names.
enum PathParameter: String, CaseIterable {
  case page, section, rule, audience, kind, item
  case revision, scheduled, selector, preview, asset, webhook, delivery

  /// - Throws: ``Problem`` 422 for what cannot be a name; ``StoreError`` for what cannot be a number or a selector, of
  ///   which the server makes all that there are.
  func check(_ text: String) throws {
    switch self {
    case .page, .section, .rule, .audience, .kind:
      guard Slug.isValid(text) else {
        throw Problem(
          422, "invalid-name",
          "\"\(text)\" is not a valid \(noun) name. Use a letter, then up to 63 letters, digits, '.', '_' or '-'.",
          values: ["name": .string(text)])
      }
    case .item:
      guard Slug.isValidItemID(text) else {
        throw Problem(
          422, "invalid-name",
          "\"\(text)\" is not a valid item id. Use 1 to 128 letters, digits, '.', '_', ':' or '-'.",
          values: ["name": .string(text)])
      }
    case .revision:
      guard text.ordinal != nil else { throw StoreError.notFound(what: "revision", name: text) }
    case .scheduled:
      guard text.ordinal != nil else { throw StoreError.notFound(what: "scheduled publish", name: text) }
    case .preview:
      guard text.ordinal != nil else { throw StoreError.notFound(what: "preview", name: text) }
    case .webhook:
      guard text.ordinal != nil else { throw StoreError.notFound(what: "webhook", name: text) }
    case .delivery:
      guard text.ordinal != nil else { throw StoreError.notFound(what: "webhook delivery", name: text) }
    case .asset:
      guard AssetName(text) != nil else { throw StoreError.notFound(what: "asset", name: text) }
    case .selector:
      guard TokenText.isSelector(text) else { throw StoreError.notFound(what: "token", name: text) }
    }
  }

  private var noun: String { self == .rule ? "sort rule" : rawValue }
}

extension String {
  /// The number that this is the one text of, from 1 on: `7`, not `+7` or `07`.
  var ordinal: Int? { Int(self).flatMap { $0 > 0 && String($0) == self ? $0 : nil } }
}
