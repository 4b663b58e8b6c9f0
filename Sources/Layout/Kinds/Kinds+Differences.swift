public import JSON
import JSONSchema

/// One way in which two kinds files differ, and whom it breaks.
public struct KindsDifference: Hashable, Sendable {
  /// Who may not get along with the newer kinds.
  public enum Party: String, Hashable, Sendable, CaseIterable {
    /// What is published or drafted by the older kinds may be refused.
    case content
    /// Apps that know the older kinds may get what they cannot draw, or miss what they rely on.
    case apps
  }

  /// The place in the kinds file; within `content` the place in an item's content, where `*` stands for every element or
  /// member.
  public var place: JSONPointer
  /// `added`, `removed`, `renamed`, `narrower`, `wider` or `other`.
  public var change: String
  /// What is so now, and what was.
  public var detail: String
  /// Whom it breaks; nobody when empty.
  public var breaks: Set<Party>

  /// The difference as the command line and the admin API write it.
  public var json: JSON {
    [
      "place": .string(place.description), "change": .string(change), "detail": .string(detail),
      "breaks": .array(Party.allCases.filter(breaks.contains).map { .string($0.rawValue) }),
    ]
  }
}

extension Kinds {
  /// How newer kinds differ from these, by place.
  ///
  /// A kind whose `requires` is raised for every platform that the files name is not sent to the apps that are out there:
  /// what is wider in it breaks none of them.
  public func differences(to newer: Kinds) -> [KindsDifference] {
    let platforms = Set(
      [self, newer].flatMap { kinds in
        kinds.items.values.flatMap(\.requirements.keys) + kinds.sections.values.flatMap(\.requirements.keys)
      })
    let styles = Set(sections.values.compactMap(\.layout.style))
    var comparison = KindsComparison(platforms: platforms)
    comparison.compare(items, newer.items, in: "itemKinds", isSame: ItemKind.isSame) { $0.compare($1, $2, at: $3) }
    comparison.compare(sections, newer.sections, in: "sectionKinds", isSame: SectionKind.isSame) {
      $0.compare($1, $2, knownStyles: styles, at: $3)
    }
    comparison.compare(tokens, newer.tokens)
    return comparison.differences.sorted {
      ($0.place.description, $0.detail) < ($1.place.description, $1.detail)
    }
  }
}

/// A kind of either sort.
protocol DeclaredKind {
  var requirements: Requirements { get }
  var fallbackKind: String? { get }
  /// The members of the fallback's content, each with the place that it is taken from; `nil` for the same content.
  var fallbackMembers: [String: String]? { get }
}

extension ItemKind: DeclaredKind {
  var fallbackKind: String? { fallback?.kind }

  var fallbackMembers: [String: String]? {
    fallback?.content.map { members in
      Dictionary(members.map { ($0.string, "\($1)") }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Whether two kinds differ in nothing but their names and titles.
  fileprivate static func isSame(_ one: ItemKind, _ other: ItemKind) -> Bool {
    one.schema.differences(to: other.schema).isEmpty && one.children == other.children && one.action == other.action
      && one.fallback?.kind == other.fallback?.kind && one.fallback?.content == other.fallback?.content
  }
}

extension SectionKind: DeclaredKind {
  var fallbackKind: String? { fallback }
  var fallbackMembers: [String: String]? { nil }

  fileprivate static func isSame(_ one: SectionKind, _ other: SectionKind) -> Bool {
    one.layout == other.layout && one.items == other.items && one.slots == other.slots && one.header == other.header
      && one.footer == other.footer && one.depth == other.depth && one.fallback == other.fallback
      && one.showsWithoutItems == other.showsWithoutItems
  }
}

private struct KindsComparison {
  /// Every platform that some kind names.
  let platforms: Set<String>
  private(set) var differences: [KindsDifference] = []

  private mutating func note(
    _ change: String, _ place: JSONPointer, _ detail: String, breaks: Set<KindsDifference.Party> = []
  ) {
    differences.append(KindsDifference(place: place, change: change, detail: detail, breaks: breaks))
  }

  mutating func compare<Kind: DeclaredKind>(
    _ old: [String: Kind], _ new: [String: Kind], in list: String, isSame: (Kind, Kind) -> Bool,
    each: (inout KindsComparison, Kind, Kind, JSONPointer) -> Void
  ) {
    var added = new.keys.filter { old[$0] == nil }.sorted()
    for (name, kind) in old.sorted(by: { $0.key < $1.key }) {
      let place = JSONPointer([list, name])
      if let now = new[name] {
        compareRequirements(kind, now, fallbacks: Kinds.chain(from: now, in: new).dropFirst(), at: place)
        compareFallbacks(kind, now, old, new, at: place.appending("fallback"))
        each(&self, kind, now, place)
      } else if let match = added.firstIndex(where: { new[$0].map { isSame(kind, $0) } ?? false }) {
        note("renamed", place, "is called \(added.remove(at: match)) now", breaks: [.content, .apps])
      } else {
        note("removed", place, "is not declared any more", breaks: [.content])
      }
    }
    for name in added {
      let isForEveryone = new[name]?.requirements.isEmpty ?? true
      note(
        "added", JSONPointer([list, name]),
        isForEveryone ? "is new, and sent to apps that do not know it: 'requires' would prevent that" : "is new")
    }
  }

  mutating func compare(_ old: DesignTokens, _ new: DesignTokens) {
    for name in Set(old.names + new.names) where old.values[name] != new.values[name] {
      let place = JSONPointer(["tokens", name])
      if new.values[name] == nil {
        note("removed", place, "is not declared any more", breaks: [.content])
      } else if old.values[name] == nil {
        note("added", place, "is new")
      } else {
        note("other", place, "is another; whatever names it looks different")
      }
    }
  }

  private mutating func compareRequirements(
    _ old: some DeclaredKind, _ new: some DeclaredKind, fallbacks: ArraySlice<some DeclaredKind>, at place: JSONPointer
  ) {
    for platform in platforms.sorted() {
      let (before, now) = (old.requirements[platform], new.requirements[platform])
      guard before != now else { continue }
      let place = place.appending("requires").appending(platform)
      if let now, before.map({ $0 < now }) ?? true {
        // The oldest app that got the kind is the first to get nothing.
        let isDrawn = fallbacks.contains { fallback in
          fallback.requirements[platform].map { least in before.map { least <= $0 } ?? false } ?? true
        }
        let instead =
          isDrawn ? "its fallback" : fallbacks.isEmpty ? "nothing" : "nothing, where they cannot draw its fallback"
        note(
          "narrower", place,
          "apps below \(now) get \(instead), were below \(before?.description ?? "none")",
          breaks: isDrawn ? [] : [.apps])
      } else {
        note(
          "wider", place,
          "is sent to apps from \(now?.description ?? "any version"), was from \(before?.description ?? "any")",
          breaks: [.apps])
      }
    }
  }

  private mutating func compareFallbacks<Kind: DeclaredKind>(
    _ old: Kind, _ new: Kind, _ older: [String: Kind], _ newer: [String: Kind], at place: JSONPointer
  ) {
    guard old.fallbackKind == new.fallbackKind else {
      guard let now = new.fallbackKind else {
        let detail = "apps that cannot draw it get nothing, got \(old.fallbackKind ?? "nothing")"
        return note("removed", place, detail, breaks: new.requirements.isEmpty ? [] : [.apps])
      }
      // Whoever cannot draw the kind is older still than a fallback that is new.
      let isUnknown = older[now] == nil && newer[now]?.requirements.isEmpty ?? true && !new.requirements.isEmpty
      let unknown = isUnknown ? ", which apps that are out there do not know: 'requires' would prevent that" : ""
      return note(
        "other", place, "is \(now), was \(old.fallbackKind ?? "none")\(unknown)", breaks: isUnknown ? [.apps] : [])
    }
    let place = place.appending("content")
    guard let before = old.fallbackMembers, let now = new.fallbackMembers else {
      guard old.fallbackMembers != new.fallbackMembers else { return }
      let detail = new.fallbackMembers == nil ? "is the same content now" : "is taken from other places now"
      return note("other", place, detail, breaks: new.requirements.isEmpty ? [] : [.apps])
    }
    for name in Set(before.keys).union(now.keys).sorted() where before[name] != now[name] {
      let from = now[name].map { "is taken from \($0)" } ?? "is not taken over any more"
      note(
        "other", place.appending(name), "\(from), \(before[name].map { "was from \($0)" } ?? "was not")",
        breaks: now[name] == nil && !new.requirements.isEmpty ? [.apps] : [])
    }
  }

  /// Whether every app in use is too old for the newer kind.
  private func isNewForAll(_ old: some DeclaredKind, _ new: some DeclaredKind) -> Bool {
    !platforms.isEmpty
      && platforms.allSatisfy { platform in
        guard let now = new.requirements[platform] else { return false }
        return old.requirements[platform].map { $0 < now } ?? true
      }
  }

  mutating func compare(_ old: ItemKind, _ new: ItemKind, at place: JSONPointer) {
    let apps: Set<KindsDifference.Party> = isNewForAll(old, new) ? [] : [.apps]
    for difference in old.schema.differences(to: new.schema) {
      let content: Set<KindsDifference.Party> = difference.change == .wider ? [] : [.content]
      note(
        difference.change.rawValue, place.appending("content").appending(difference.place), difference.detail,
        breaks: content.union(difference.isNewShape ? apps : []))
    }
    compareLists(old.children, new.children, at: place.appending("children"))
    guard old.action != new.action else { return }
    let breaksContent = new.action != .optional
    note(
      !breaksContent ? "wider" : old.action == .optional ? "narrower" : "other", place.appending("action"),
      "is \(new.action.rawValue), was \(old.action.rawValue)",
      breaks: (breaksContent ? [.content] : Set()).union(old.action == .required ? apps : []))
  }

  mutating func compare(_ old: SectionKind, _ new: SectionKind, knownStyles: Set<String>, at place: JSONPointer) {
    let apps: Set<KindsDifference.Party> = isNewForAll(old, new) ? [] : [.apps]
    compareItems(old.items, new.items, at: place.appending("items"))
    compareLists(old.header, new.header, at: place.appending("header"))
    compareLists(old.footer, new.footer, at: place.appending("footer"))
    for name in Set(old.slots.keys).union(new.slots.keys).sorted() {
      compareSlot(old.slots[name], new.slots[name], at: place.appending("slots").appending(name), apps)
    }
    if old.depth != new.depth {
      note(
        new.depth < old.depth ? "narrower" : "wider", place.appending("depth"), "is \(new.depth), was \(old.depth)",
        breaks: new.depth < old.depth ? [.content] : [])
    }
    if old.showsWithoutItems != new.showsWithoutItems {
      let detail =
        new.showsWithoutItems
        ? "a header or a footer alone is enough now" : "a header or a footer alone is not enough any more"
      note(
        new.showsWithoutItems ? "wider" : "narrower", place.appending("showsWithoutItems"), detail,
        breaks: new.showsWithoutItems ? apps : [.content])
    }
    let (style, layout) = (new.layout.style, place.appending("layout"))
    if let style, style != old.layout.style {
      // No app that is out there was ever sent it.
      let isUnknown = !knownStyles.contains(style)
      note(
        "other", layout.appending("style"),
        "is \(style)\(isUnknown ? ", which no kind had" : ""), was \(old.layout.style ?? "none")",
        breaks: isUnknown ? apps : [])
    } else if old.layout != new.layout {
      note("other", layout, "is another; sections that say nothing else look different")
    }
  }

  private mutating func compareItems(_ old: SectionKind.Items?, _ new: SectionKind.Items?, at place: JSONPointer) {
    guard let old else {
      if new != nil { note("wider", place, "takes items now") }
      return
    }
    guard let new else { return note("narrower", place, "takes no items any more", breaks: [.content]) }
    compareLists(old.kinds, new.kinds, at: place.appending("kinds"))
    let bounds: [(String, Int?, Int?, Bool)] = [
      ("minimum", old.minimum, new.minimum, new.minimum > old.minimum),
      ("maximum", old.maximum, new.maximum, (new.maximum ?? .max) < (old.maximum ?? .max)),
    ]
    for (name, before, now, isNarrower) in bounds where before != now {
      let (now, before) = (now.map(String.init) ?? "not said", before.map(String.init) ?? "not said")
      note(
        isNarrower ? "narrower" : "wider", place.appending(name), "is \(now), was \(before)",
        breaks: isNarrower ? [.content] : [])
    }
  }

  private mutating func compareLists(_ old: [String], _ new: [String], at place: JSONPointer) {
    let (lost, added) = (Set(old).subtracting(new).sorted(), Set(new).subtracting(old).sorted())
    if !lost.isEmpty {
      note("narrower", place, "takes no \(lost.joined(separator: ", ")) any more", breaks: [.content])
    }
    if !added.isEmpty { note("wider", place, "takes \(added.joined(separator: ", ")) too") }
  }

  private mutating func compareSlot(
    _ old: SectionKind.Slot?, _ new: SectionKind.Slot?, at place: JSONPointer, _ apps: Set<KindsDifference.Party>
  ) {
    guard let old else {
      guard let new, new.isRequired else { return note("added", place, "is new") }
      return note("added", place, "is new and required: sections without it are not shown", breaks: [.content])
    }
    guard let new else {
      return note(
        "removed", place, "is not declared any more",
        breaks: old.isRequired ? apps.union([.content]) : [.content])
    }
    compareLists(old.kinds, new.kinds, at: place.appending("kinds"))
    guard old.isRequired != new.isRequired else { return }
    note(
      new.isRequired ? "narrower" : "wider", place.appending("required"),
      new.isRequired ? "is required now: sections without it are not shown" : "may be absent now",
      breaks: new.isRequired ? [.content] : apps)
  }
}

extension JSONObject {
  /// The style of a layout.
  fileprivate var style: String? { self["style"]?.string }
}
