/// A client's attributes by name.
///
/// A client has few attributes, and ten thousand clients may be kept: sorted pairs take half a dictionary's memory, and
/// are found as fast.
public struct AttributeValues: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  private struct Pair: Hashable, Sendable {
    let name: String
    var value: AttributeValue
  }

  private var pairs: [Pair] = []

  /// Values by distinct names.
  public init(dictionaryLiteral elements: (String, AttributeValue)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of an attribute; `nil` when the client does not say it.
  public subscript(name: String) -> AttributeValue? {
    get { pairs.first { $0.name == name }?.value }
    set {
      let place = pairs.firstIndex { $0.name >= name } ?? pairs.endIndex
      let isThere = place < pairs.endIndex && pairs[place].name == name
      switch (newValue, isThere) {
      case (let value?, true): pairs[place].value = value
      case (let value?, false): pairs.insert(Pair(name: name, value: value), at: place)
      case (nil, true): pairs.remove(at: place)
      case (nil, false): break
      }
    }
  }

  /// The names and values, in the order of the names.
  public var sorted: [(name: String, value: AttributeValue)] { pairs.map { ($0.name, $0.value) } }

  /// The bytes that they take in memory, about.
  var byteCount: Int {
    pairs.reduce(0) { $0 + $1.name.utf8.count + $1.value.written.utf8.count + MemoryLayout<Pair>.stride }
  }
}
