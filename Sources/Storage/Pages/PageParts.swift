public import JSON
import Layout

/// Parts of a page, by their names: what a publish or a schedule takes.
public struct PageParts: Hashable, Sendable {
  /// The ids of sections, each with its index of every rule.
  public var sections: [String]
  /// Whether the page's settings are one of them.
  public var hasSettings: Bool
  /// The names of sort rules beside the default one.
  public var rules: [String]
  /// Whether the page's own order is one of them: the default rule's indices, and what stands before what of equal ones.
  public var hasOrder: Bool
  /// The names of audiences.
  public var audiences: [String]

  /// Some parts; none without any.
  public init(
    sections: [String] = [], hasSettings: Bool = false, rules: [String] = [], hasOrder: Bool = false,
    audiences: [String] = []
  ) {
    self.sections = sections
    self.hasSettings = hasSettings
    self.rules = rules
    self.hasOrder = hasOrder
    self.audiences = audiences
  }

  /// Whether it names no part.
  public var isEmpty: Bool { self == PageParts() }

  /// As the admin API writes them: `{"sections": ["otc"], "settings": true}`, without empty members.
  public var json: JSONObject {
    var object = JSONObject()
    for (name, names) in [("sections", sections), ("rules", rules), ("audiences", audiences)] where !names.isEmpty {
      object[name] = .array(names.map { .string($0) })
    }
    if hasSettings { object["settings"] = .bool(true) }
    if hasOrder { object["order"] = .bool(true) }
    return object
  }

  /// For people: `otc, the settings, the rule ios`.
  var text: String {
    let rest = (hasSettings ? ["the settings"] : []) + (hasOrder ? ["the order"] : [])
    let named = rules.map { "the rule \($0)" } + audiences.map { "the audience \($0)" }
    return (sections + rest + named).joined(separator: ", ")
  }
}

extension PageParts {
  /// What ``json`` wrote.
  init(stored json: JSON?) {
    func names(_ name: String) -> [String] { (json?[name]?.array ?? []).compactMap(\.string) }
    self.init(
      sections: names("sections"), hasSettings: json?["settings"] != nil, rules: names("rules"),
      hasOrder: json?["order"] != nil, audiences: names("audiences"))
  }

  /// The parts in which two states of a page differ. A section that differs brings its indices, and an audience that only one
  /// of them uses comes and goes with what uses it.
  init(from old: Fingerprinted, to new: Fingerprinted) {
    self.init()
    let (before, after) = (old.definition, new.definition)
    let known = Dictionary(zip(before.sections.map(\.id), old.fingerprints), uniquingKeysWith: { first, _ in first })
    let there = Set(after.sections.map(\.id))
    sections = zip(after.sections, new.fingerprints).filter { known[$0.id] != $1 }.map(\.0.id)
    sections += before.sections.map(\.id).filter { !there.contains($0) }
    hasSettings = before.settings != after.settings
    let common = there.intersection(known.keys).subtracting(sections)
    let former = Dictionary(before.sortRules.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let present = Dictionary(after.sortRules.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for name in Set(former.keys).union(present.keys).sorted()
    where former[name]?.among(common) != present[name]?.among(common) {
      if name == SortRule.defaultName { hasOrder = true } else { rules.append(name) }
    }
    let orders = [before, after].map { $0.sections.map(\.id).filter(common.contains) }
    if orders[0] != orders[1] { hasOrder = true }
    audiences = after.usedAudiences.filter { name, predicate in
      before.audiences[name].map { $0 != predicate } ?? false
    }.keys.sorted()
  }

  /// These, and others.
  func union(_ other: PageParts) -> PageParts {
    func all(_ names: KeyPath<PageParts, [String]>) -> [String] {
      self[keyPath: names] + other[keyPath: names].filter { !self[keyPath: names].contains($0) }
    }
    return PageParts(
      sections: all(\.sections), hasSettings: hasSettings || other.hasSettings, rules: all(\.rules),
      hasOrder: hasOrder || other.hasOrder, audiences: all(\.audiences))
  }

  /// These without others.
  func subtracting(_ other: PageParts) -> PageParts {
    PageParts(
      sections: sections.filter { !other.sections.contains($0) }, hasSettings: hasSettings && !other.hasSettings,
      rules: rules.filter { !other.rules.contains($0) }, hasOrder: hasOrder && !other.hasOrder,
      audiences: audiences.filter { !other.audiences.contains($0) })
  }
}

extension SortRule {
  /// The rule as far as it is about some sections.
  fileprivate func among(_ sections: Set<String>) -> SortRule {
    var rule = self
    rule.indices = indices.filter { sections.contains($0.key) }
    return rule
  }
}
