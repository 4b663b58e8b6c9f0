public import JSON

/// One of several lists that share a section, as it was put: tabs above the items choose which one shows.
public struct ListDefinition: Hashable, Sendable {
  /// The list's id, a slug, unique in the section: items name it.
  public var id: String
  /// What the tab says, as entered: a text, or a map from locale to text.
  public var title: JSON

  /// How many lists share a section: one alone needs no tab.
  static let countRange = 2...12
}

extension ListDefinition {
  init?(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    _ = reader.required("id")
    let id = reader.slug("id")
    _ = reader.required("title")
    let title = reader.localizedText("title", bytesMax: 200)
    reader.refuseOthers()
    self.init(id: id ?? "", title: title ?? "")
  }

  /// The canonical form.
  var json: JSON { ["id": .string(id), "title": title] }
}

extension ObjectReader {
  /// The lists that share a section.
  mutating func lists() -> [ListDefinition] {
    let collector = collector
    var (count, known) = (0, Set<String>())
    let lists = list("lists", atMost: ListDefinition.countRange.upperBound) { json, place in
      count += 1
      let list = ListDefinition(json, at: place, collector)
      if let id = list?.id, !id.isEmpty, !known.insert(id).inserted {
        collector.add(place.appending("id"), .uniqueItems, "\"\(id)\" is there twice")
      }
      return list
    }
    let least = ListDefinition.countRange.lowerBound
    if count > 0, count < least {
      collector.add(
        place(of: "lists"), .minItems, "must have at least \(least) lists, has \(count)",
        ["least": .count(least), "count": .count(count)])
    }
    return lists
  }

  /// The ids of the lists that an item is in.
  mutating func itemLists() -> [String] {
    let collector = collector
    var known = Set<String>()
    return list("lists", atMost: ListDefinition.countRange.upperBound) { json, place in
      guard let id = json.string else {
        collector.add(place, .type("a string", not: json, "string"))
        return nil
      }
      if !known.insert(id).inserted { collector.add(place, .uniqueItems, "\"\(id)\" is there twice") }
      return id
    }
  }
}
