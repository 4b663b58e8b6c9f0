import JSON

/// A place of a YAML document: its value as JSON, its line, and the places below.
struct YAMLNode {
  /// A place below: the member's name or the element's number, and the line on which it begins.
  struct Child {
    var token: String
    var line: Int
    var node: YAMLNode
  }

  var json: JSON
  /// A scalar's text as written, for member names.
  var text: String?
  /// From 1.
  var line: Int
  var children: [Child] = []
  /// The nodes from here on, each alias counting as what it stands for.
  var count = 1
  /// The levels of sequences and mappings from here on.
  var height = 0

  func child(_ token: String) -> Child? { children.first { JSON.isSame($0.token, token) } }
}

/// Composes the nodes of the one document that a text holds.
struct YAMLComposer: ~Copyable {
  private let events: LibYAML
  private var anchors: [String: YAMLNode] = [:]

  init(_ bytes: [UInt8]) { events = LibYAML(bytes) }

  /// The document, `nil` when the text holds none.
  mutating func document() throws(YAMLDocument.Invalid) -> YAMLNode? {
    var event = try events.next()
    while case .other = event.kind { event = try events.next() }
    guard case .document = event.kind else { return nil }
    let root = try node(try events.next(), depth: 0)
    event = try events.next()
    while case .documentEnd = event.kind { event = try events.next() }
    guard case .streamEnd = event.kind else {
      throw YAMLDocument.Invalid(line: event.line, detail: "there is a second document; send one")
    }
    return root
  }

  private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLDocument.Invalid) -> YAMLNode {
    var node: YAMLNode
    switch event.kind {
    case .alias(let name):
      guard let known = anchors[name] else {
        throw YAMLDocument.Invalid(line: event.line, detail: "the alias *\(name) has no anchor before it")
      }
      node = known
      try check(node, depth: depth, at: event.line)
      return node
    case .scalar(let text, let isPlain):
      do {
        node = YAMLNode(
          json: try YAMLScalar.value(of: text, isPlain: isPlain, tag: event.tag), text: text, line: event.line)
      } catch { throw YAMLDocument.Invalid(line: event.line, detail: error.detail) }
    case .sequence:
      try checkTag(of: event, "seq")
      node = try sequence(event, depth: depth)
    case .mapping:
      try checkTag(of: event, "map")
      node = try mapping(event, depth: depth)
    default: throw YAMLDocument.Invalid(line: event.line, detail: "a value is missing")
    }
    try check(node, depth: depth, at: event.line)
    if let anchor = event.anchor { anchors[anchor] = node }
    return node
  }

  private mutating func sequence(_ start: YAMLEvent, depth: Int) throws(YAMLDocument.Invalid) -> YAMLNode {
    var children: [YAMLNode.Child] = []
    var count = 1
    while true {
      let event = try events.next()
      if case .end = event.kind { break }
      let element = try node(event, depth: depth + 1)
      children.append(YAMLNode.Child(token: String(children.count), line: event.line, node: element))
      count += element.count
    }
    return YAMLNode(
      json: .array(children.map(\.node.json)), line: start.line, children: children, count: count,
      height: 1 + (children.map(\.node.height).max() ?? 0))
  }

  private mutating func mapping(_ start: YAMLEvent, depth: Int) throws(YAMLDocument.Invalid) -> YAMLNode {
    var children: [YAMLNode.Child] = []
    var names = Set<ExactString>()
    var count = 1
    while true {
      let event = try events.next()
      if case .end = event.kind { break }
      guard let name = name(event) else {
        throw YAMLDocument.Invalid(line: event.line, detail: "a member's name must be text")
      }
      guard names.insert(ExactString(name)).inserted else {
        throw YAMLDocument.Invalid(line: event.line, detail: "the member \"\(name)\" appears twice")
      }
      let value = try node(try events.next(), depth: depth + 1)
      children.append(YAMLNode.Child(token: name, line: event.line, node: value))
      count += 1 + value.count
    }
    return YAMLNode(
      json: .object(JSONObject(children.map { ($0.token, $0.node.json) })), line: start.line, children: children,
      count: count, height: 1 + (children.map(\.node.height).max() ?? 0))
  }

  /// A member's name: the scalar's text as written, even if it would be a number or boolean as a value.
  private mutating func name(_ event: YAMLEvent) -> String? {
    switch event.kind {
    case .scalar(let text, _):
      if let anchor = event.anchor { anchors[anchor] = YAMLNode(json: .string(text), text: text, line: event.line) }
      return text
    case .alias(let name): return anchors[name]?.text
    default: return nil
    }
  }

  /// A short text with aliases can stand for billions of nodes.
  private func check(_ node: YAMLNode, depth: Int, at line: Int) throws(YAMLDocument.Invalid) {
    guard node.count <= YAMLDocument.nodesMax else {
      throw YAMLDocument.Invalid(line: line, detail: "more than \(YAMLDocument.nodesMax) values")
    }
    guard depth + node.height <= JSON.depthMax else {
      throw YAMLDocument.Invalid(line: line, detail: "nested deeper than \(JSON.depthMax) levels")
    }
  }

  private func checkTag(of event: YAMLEvent, _ own: String) throws(YAMLDocument.Invalid) {
    guard let tag = event.tag, tag != "!", tag != YAMLScalar.prefix + own else { return }
    throw YAMLDocument.Invalid(line: event.line, detail: YAMLScalar.unknown(tag))
  }
}
