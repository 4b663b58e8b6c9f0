import JSON

/// A map from locale to value at a place that its schema marks `x-localized`.
///
/// An object there is a map when the schema allows no object; or when every name is a locale tag or `*` and every
/// value is an object too, so that `{"url": "…"}` stays an image and `{"en": {"url": "…"}}` is a map of images.
struct LocaleMap {
  let object: JSONObject

  init?(_ value: JSON, of node: SchemaNode) {
    self.init(value, takesObjects: node.types?.contains(.object) ?? true)
  }

  init?(_ value: JSON, takesObjects: Bool) {
    guard let object = value.object else { return nil }
    if takesObjects {
      guard !object.isEmpty, object.allSatisfy({ LanguageTag.isWellFormedOrAny($0.name) && $0.value.object != nil })
      else { return nil }
    }
    self.object = object
  }
}
