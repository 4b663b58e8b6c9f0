import JSON

extension JSON {
  /// The value as a map from locale to value, where it is one at a place that its schema marks `x-localized`.
  ///
  /// An object there is a map when the schema allows no object; or when every name is a locale tag or `*` and every
  /// value is an object too, so that `{"url": "…"}` stays an image and `{"en": {"url": "…"}}` is a map of images.
  func localeMap(takesObjects: Bool) -> JSONObject? {
    guard takesObjects, let object = self.object else { return self.object }
    let isMap = object.allSatisfy { LanguageTag.isWellFormedOrAny($0.name) && $0.value.object != nil }
    return isMap && !object.isEmpty ? object : nil
  }
}

extension SchemaNode {
  /// Whether a value may be an object without being a map from locale to value.
  var takesObjects: Bool { types?.contains(.object) ?? true }

  /// A value as a map from locale to value, where it is one.
  func localeMap(_ value: JSON) -> JSONObject? { value.localeMap(takesObjects: takesObjects) }
}
