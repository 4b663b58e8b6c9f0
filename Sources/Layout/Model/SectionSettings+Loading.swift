public import HomePayload
import JSON
import JSONSchema

/// How the items of a section come to clients, as operators decide it.
public struct SectionLoading: Hashable, Sendable {
  /// How many items stand in the page, at least 1; all when absent.
  public var firstItems: Int?
  /// How the items come; with the page when absent.
  public var load: Section.Load?
  /// Where the app gets what is its user's of the section.
  public var source: Section.Source?
  /// The seconds after which the section may be asked for by itself; the page's when absent.
  public var pollInterval: Int?
  /// The seconds for which the content counts after a source has confirmed it: then the section is hidden until the next
  /// push. For ever when absent.
  public var freshFor: Int?
  /// The endpoint that the content is asked of; the content is pushed when absent.
  public var asks: Asking?

  /// With the page, all of them.
  public init() {}

  init(_ reader: inout ObjectReader, in context: DefinitionContext) {
    firstItems = reader.int("firstItems", in: 1...context.limits.itemsMax)
    load = reader.string("load").flatMap { Self.load($0, reader) }
    source = reader.nested("source") { Section.Source(&$0) }
    pollInterval = reader.int("pollInterval", in: LayoutLimits.pollIntervalRange)
    freshFor = reader.int("freshFor", in: LayoutLimits.freshForRange)
    asks = reader.nested("asks") { Asking(&$0, in: context) }
    if load != nil, firstItems != nil {
      reader.collector.add(
        reader.place(of: "firstItems"), .firstItemsWithLoad,
        "must be left out where 'load' says how the items come: none of the list stands in the page then")
    }
    if load == .client, reader.value("source") == nil {
      reader.collector.add(
        reader.place(of: "source"), .required,
        "is required where the app loads the items: an object with the 'url' that it asks")
    }
    // A problem of its own has been told of one that cannot be read.
    if load != .client, source?.fills.isEmpty ?? false {
      reader.collector.add(
        reader.place(of: "source"), .sourceNotTaken,
        "must be left out unless 'load' is \"client\" or its 'fills' names what the app brings")
    }
  }

  private static func load(_ text: String, _ reader: ObjectReader) -> Section.Load? {
    if let load = Section.Load(rawValue: text) { return load }
    reader.collector.add(
      reader.place(of: "load"), .enum,
      "must be \"lazy\" or \"client\", or be left out for items that come with the page",
      ["allowed": ["lazy", "client"]])
    return nil
  }

  /// The canonical form of the members.
  var members: [(String, JSON?)] {
    [
      ("firstItems", firstItems.map { .count($0) }), ("load", load.map { .string($0.rawValue) }),
      ("source", source?.json), ("pollInterval", pollInterval.map { .count($0) }),
      ("freshFor", freshFor.map { .count($0) }), ("asks", asks?.json),
    ]
  }

  /// How many items of the list stand in the page; `nil` for all of them.
  var itemsInPage: Int? { load == .lazy ? 0 : firstItems }
}

extension Section.Source {
  /// What of a section the app may bring beside its items.
  static let parts = ["header", "slots", "footer"]

  fileprivate init?(_ reader: inout ObjectReader) {
    let fills = Self.fills(&reader)
    guard let url = reader.requiredString("url") else { return nil }
    if !URISyntax.isAbsolute(Array(url.utf8)) || url.utf8.count > Action.urlBytesMax {
      reader.collector.add(
        reader.place(of: "url"), .format, "must be an absolute URI such as https://example.com/likes or app://likes",
        ["format": "uri"])
    }
    self.init(url: url, fills: fills)
  }

  private static func fills(_ reader: inout ObjectReader) -> [String] {
    let given = reader.array("fills") ?? []
    let place = reader.place(of: "fills")
    for (position, json) in given.enumerated() {
      if !parts.contains(json.string ?? "") {
        reader.collector.add(
          place.appending(position), .enum, "must be \"header\", \"slots\" or \"footer\"",
          ["allowed": .names(parts)])
      } else if given[..<position].contains(json) {
        reader.collector.add(place.appending(position), .uniqueItems, "appears twice")
      }
    }
    return given.compactMap(\.string)
  }

  fileprivate var json: JSON {
    .object(JSONObject(present: [("url", .string(url)), ("fills", fills.isEmpty ? nil : .names(fills))]))
  }
}
