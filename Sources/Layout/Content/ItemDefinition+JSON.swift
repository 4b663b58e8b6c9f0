import HomePayload
public import JSON
import JSONSchema

extension ItemDefinition {
  /// An item as documents write it. What has no id or no kind keeps its place, so that the places of others are right.
  ///
  /// - Parameter defaultID: The id of an item that has none of its own, as headers, footers and slots may.
  init?(
    _ json: JSON, at pointer: JSONPointer, in context: DefinitionContext, _ collector: ProblemCollector,
    defaultID: String? = nil, depth: Int = 0
  ) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let id = defaultID.map { reader.string("id") ?? $0 } ?? reader.requiredString("id")
    if let id { _ = Slug.checkItemID(id, at: reader.place(of: "id"), collector) }
    let kind = reader.requiredString("kind")
    // Children show where their parent does.
    let lists = depth == 0 ? reader.itemLists() : []
    let content = reader.shallowObject("content", in: context) ?? JSONObject()
    let aspect = reader.number("aspect")
    if let aspect, aspect <= 0 {
      collector.add(reader.place(of: "aspect"), .aboveZero, "must be above 0: width divided by height")
    }
    let inset = reader.inset()
    let action = reader.value("action").flatMap { Action($0, at: reader.place(of: "action"), in: context, collector) }
    let actions = reader.itemActions(in: context)
    let accessibility = reader.accessibility()
    let expanded = reader.bool("expanded")
    let keepOnTop = reader.bool("keepOnTop") ?? false
    let hidden = reader.bool("hidden")
    let audience = reader.audience(in: context)
    let schedule = reader.schedule()
    let depthMax = context.limits.childrenDepthMax
    let hasRoom = depth < depthMax
    let children = reader.list("children", atMost: .max) { json, place in
      hasRoom ? ItemDefinition(json, at: place, in: context, collector, depth: depth + 1) : nil
    }
    if !hasRoom, json["children"]?.array?.isEmpty == false {
      collector.add(
        reader.place(of: "children"), .childrenTooDeep, "is deeper than \(depthMax) levels of children",
        ["most": .count(depthMax)])
    }
    reader.refuseOthers()
    self.init(
      id: id ?? "", kind: kind ?? "", lists: lists, content: content, aspect: aspect, inset: inset, action: action,
      actions: actions, accessibility: accessibility, expanded: expanded, children: children, keepOnTop: keepOnTop,
      hidden: hidden, audience: audience, schedule: schedule)
  }

  /// The canonical form.
  public var json: JSON { tree }
}

extension ObjectReader {
  /// Space around something, as it was entered.
  mutating func inset() -> JSONObject? {
    guard let json = value("inset") else { return nil }
    let isRight = LayoutResolver(locale: nil, fallback: nil).inset(json, at: place(of: "inset"), collector) != nil
    return isRight ? json.object : nil
  }

  /// What items show and actions track: an object that is not nested too deep.
  mutating func shallowObject(_ name: String, in context: DefinitionContext) -> JSONObject? {
    let object = object(name)
    let depthMax = context.limits.valueDepthMax
    if let object, !collector.trusts, JSON.object(object).isNested(deeperThan: depthMax) {
      collector.add(
        place(of: name), .valueTooDeep, "must not be nested deeper than \(depthMax) levels", ["most": .count(depthMax)])
    }
    return object
  }
}

extension JSON {
  /// Whether objects and arrays stand in each other on more levels.
  fileprivate func isNested(deeperThan levels: Int) -> Bool {
    switch self {
    case .array(let elements): levels == 0 || elements.contains { $0.isNested(deeperThan: levels - 1) }
    case .object(let object): levels == 0 || object.contains { $0.value.isNested(deeperThan: levels - 1) }
    default: false
    }
  }
}

extension Action {
  /// The most bytes a URL may have.
  static let urlBytesMax = 2_048

  init?(_ json: JSON, at pointer: JSONPointer, in context: DefinitionContext, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let url = reader.string("url")
    let handler = reader.string("handler")
    let event = reader.string("event")
    let arguments = reader.shallowObject("arguments", in: context)
    let attributes = reader.shallowObject("attributes", in: context)
    reader.refuseOthers()
    if let url, !URISyntax.isAbsolute(Array(url.utf8)) || url.utf8.count > Self.urlBytesMax {
      collector.add(
        reader.place(of: "url"), .format, "must be an absolute URI such as app://scan or https://example.com/a",
        ["format": "uri"])
    }
    if let handler { _ = Slug.check(handler, at: reader.place(of: "handler"), collector) }
    if let event, event.isEmpty || event.utf8.count > 128 {
      collector.add(reader.place(of: "event"), .textBytes(1...128).demanded)
    }
    if json["url"] == nil, json["handler"] == nil, json["event"] == nil {
      collector.add(pointer, .actionEmpty, "must have a 'url', a 'handler', both, or an 'event' alone")
    }
    if json["arguments"] != nil, json["handler"] == nil {
      collector.add(
        reader.place(of: "arguments"), .withoutHandler,
        "are for a 'handler', which is not there; what is tracked goes into 'attributes'")
    }
    if json["attributes"] != nil, json["event"] == nil, json["url"] == nil, json["handler"] == nil {
      collector.add(reader.place(of: "attributes"), .withoutEvent, "are for an 'event', which is not there")
    }
    self.init(url: url, handler: handler, arguments: arguments, event: event, attributes: attributes)
  }
}
