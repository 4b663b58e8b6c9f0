import JSON
import JSONSchema
import Layout

/// Writes kinds as Swift.
struct SwiftWriter {
  static let spelling = Spelling(
    keywords: [
      "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else",
      "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
      "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
      "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
      "try", "typealias", "var", "where", "while",
    ],
    quote: { "`\($0)`" },
    takenMembers: [
      "self", "init", "deinit", "json", "unknownMembers", "hash", "hashValue", "reader", "object", "none", "some",
    ],
    takenTypes: [
      "Action", "Any", "AnyObject", "Array", "Bool", "Content", "Decodable", "Dictionary", "Double", "Encodable",
      "Equatable", "Error", "Hashable", "Hasher", "HomePayload", "Identifiable", "Indirect", "Int", "Int64", "Item",
      "ItemAction", "ItemOf", "JSON", "JSONNumber", "JSONObject", "KeyPath", "MemberReader", "Never", "Optional",
      "Page",
      "PayloadError", "Protocol", "RawRepresentable", "Section", "SectionLayout", "Self", "Sendable", "Set", "String",
      "Substring", "Type", "Value", "Void",
    ],
    takenCases: ["unknown", "init", "self", "json", "id", "item", "section", "rawValue", "hash", "hashValue"])

  /// What every section has.
  static let sectionMembers: Set<String> = [
    "id", "index", "layout", "lists", "header", "items", "footer", "rest", "section", "place", "dropped", "hashValue",
    "self",
  ]

  let model: Model
  let name: String
  private var out = SourceText(indent: "  ")

  init(_ kinds: Kinds, name: String) throws(InvalidSchema) {
    model = try Model(kinds, spelling: Self.spelling, sectionMembers: Self.sectionMembers)
    self.name = name
  }

  /// The file.
  mutating func file() -> String {
    out.line(
      """
      // Written by `hearth generate swift`. Change the kinds and generate it again, not this file.
      """)
    out.line()
    out.line("import HomePayload\nimport JSON\n")
    out.line("/// The kinds of a Hearth server as types. What these kinds do not name is kept, and written back.")
    out.open("public enum \(name) {")
    out.line(SwiftSupport.page)
    writeSections()
    writeItems()
    for position in model.named { writeType(position) }
    out.close()
    out.line(SwiftSupport.reading(name))
    return out.text
  }

  // MARK: Sections

  private mutating func writeSections() {
    let sections = model.sections
    out.line()
    out.block("/// A section, by its kind.\npublic enum Section: Hashable, Sendable, Identifiable {") { out in
      for section in sections {
        out.comment(commentLines(section.kind.title))
        out.line("case \(section.name)(\(section.type))")
      }
      out.line(
        """
        /// A section of a kind that these kinds do not name, or without an item that its kind requires.
        case unknown(HomePayload.Section)

        /// The section's id, unique in its page.
        public var id: String {
          switch self {
        """)
      for section in sections { out.line("  case .\(section.name)(let section): section.id") }
      out.line(
        """
          case .unknown(let section): section.id
          }
        }

        /// The section as it crosses the wire.
        public var section: HomePayload.Section {
          switch self {
        """)
      for section in sections { out.line("  case .\(section.name)(let section): section.section") }
      out.line(
        """
          case .unknown(let section): section
          }
        }

        fileprivate init(_ section: HomePayload.Section, at place: String, _ dropped: inout [PayloadError]) {
          switch section.kind {
        """)
      for section in sections {
        out.line("  case \(literal(section.kind.name)):")
        let known = "\(section.type)(section, at: place, &dropped)"
        out.line(
          section.slots.contains(where: \.isRequired)
            ? "    self = \(known).map(Section.\(section.name)) ?? .unknown(section)"
            : "    self = .\(section.name)(\(known))")
      }
      out.line(
        """
          default: self = .unknown(section)
          }
        }
        """)
    }
    for section in sections { writeSection(section) }
  }

  private func type(of slot: Model.SectionType.Slot) -> String {
    slot.items.count == 1 ? "ItemOf<\(slot.items[0].content)>" : "Item"
  }

  private mutating func writeSection(_ section: Model.SectionType) {
    let takesItems = !section.items.isEmpty
    let types = section.slots.map { type(of: $0) }
    out.line()
    out.comment(commentLines(section.kind.title))
    out.block("public struct \(section.type): Hashable, Sendable, Identifiable {") { out in
      out.line("/// What crosses the wire beside the members below.\npublic var rest: HomePayload.Section")
      if !section.header.isEmpty {
        out.line("/// What stands above: \(Self.names(section.header)).\npublic var header: Item?")
      }
      if takesItems {
        out.line("/// The items in the order to draw them: \(Self.names(section.items)).\npublic var items: [Item]")
      }
      for (slot, type) in zip(section.slots, types) {
        out.line("/// The item `\(slot.name)`: \(Self.names(slot.items)).")
        out.line("public var \(slot.member): \(type)\(slot.isRequired ? "" : "?")")
      }
      if !section.footer.isEmpty {
        out.line("/// What stands below: \(Self.names(section.footer)).\npublic var footer: Item?")
      }
      out.line(
        """

        /// The section's id, unique in its page.
        public var id: String { rest.id }
        /// How the items are laid out and sized.
        public var layout: SectionLayout { rest.layout }
        /// The lists that share the section; tabs choose which one shows.
        public var lists: [HomePayload.Section.NamedList] { rest.lists }

        /// The section as it crosses the wire.
        """)
      out.block("public var section: HomePayload.Section {") { out in
        out.line("var section = rest")
        if !section.header.isEmpty { out.line("section.header = header?.item") }
        if takesItems { out.line("section.items = items.map(\\.item)") }
        for slot in section.slots {
          let name = literal(slot.name)
          out.line(
            slot.isRequired
              ? "section.slots[\(name)] = self.\(slot.member).item"
              : "if let item = self.\(slot.member) { section.slots[\(name)] = item.item }")
        }
        if !section.footer.isEmpty { out.line("section.footer = footer?.item") }
        out.line("return section")
      }
      out.line()
      let mayFail = section.slots.contains(where: \.isRequired) ? "?" : ""
      out.line("fileprivate init\(mayFail)(")
      out.line("  _ section: HomePayload.Section, at place: String, _ dropped: inout [PayloadError]")
      out.block(") {") { out in
        out.line("var rest = section")
        for slot in section.slots { Self.readSlot(slot, &out) }
        if !section.header.isEmpty {
          out.line("header = Item(one: section.header, at: place + \"/header\", &dropped)\nrest.header = nil")
        }
        if takesItems {
          out.line("items = Item.all(section.items, at: place + \"/items\", &dropped)\nrest.items = []")
        }
        if !section.footer.isEmpty {
          out.line("footer = Item(one: section.footer, at: place + \"/footer\", &dropped)\nrest.footer = nil")
        }
        out.line("self.rest = rest")
      }
    }
  }

  private static func readSlot(_ slot: Model.SectionType.Slot, _ out: inout SourceText) {
    let name = literal(slot.name)
    let taken = "Item(taking: \(name), from: &rest, at: place, &dropped)"
    guard slot.items.count == 1 else {
      out.line(
        slot.isRequired
          ? "if let item = \(taken) { self.\(slot.member) = item } else { return nil }"
          : "self.\(slot.member) = \(taken)")
      return
    }
    out.line("switch \(taken) {\ncase .\(slot.items[0].name)(let item)?: self.\(slot.member) = item")
    if slot.isRequired {
      out.line("default: return nil\n}")
    } else {
      out.line("case let other:\n  rest.slots[\(name)] = other?.item\n  self.\(slot.member) = nil\n}")
    }
  }

  private static func names(_ items: [Model.ItemType]) -> String {
    items.map { "`\($0.name)`" }.joined(separator: ", ")
  }

  // MARK: Items

  private mutating func writeItems() {
    let items = model.items
    out.line()
    out.block("/// An item, by its kind.\npublic enum Item: Hashable, Sendable, Identifiable {") { out in
      for item in items {
        out.comment(commentLines(item.kind.title))
        out.line("case \(item.name)(ItemOf<\(item.content)>)")
      }
      out.line(
        """
        /// An item of a kind that these kinds do not name.
        case unknown(HomePayload.Item)

        /// The item's id, unique in its section.
        public var id: String {
          switch self {
        """)
      for item in items { out.line("  case .\(item.name)(let item): item.id") }
      out.line(
        """
          case .unknown(let item): item.id
          }
        }

        /// The item as it crosses the wire.
        public var item: HomePayload.Item {
          switch self {
        """)
      for item in items { out.line("  case .\(item.name)(let item): item.item") }
      out.line(
        """
          case .unknown(let item): item
          }
        }

        fileprivate init?(_ item: HomePayload.Item, at place: String, _ dropped: inout [PayloadError]) {
          switch item.kind {
        """)
      for item in items {
        out.line(
          """
            case \(literal(item.kind.name)):
              guard let known = ItemOf<\(item.content)>(item, at: place, &dropped) else { return nil }
              self = .\(item.name)(known)
          """)
      }
      out.line(
        """
          default: self = .unknown(item)
          }
        }
        """)
    }
    out.line(SwiftSupport.items)
  }

  // MARK: Content

  /// The type of a shape, as members have it.
  private func type(_ position: Int) -> String {
    let (position, isNullable) = model.target(position)
    return plainType(position) + (isNullable ? "?" : "")
  }

  private func plainType(_ position: Int) -> String {
    if let name = model.typeNames[position] { return name }
    switch model.shapes[position].form {
    case .boolean: return "Bool"
    case .text: return "String"
    case .integer(let limits): return limits.fitInt32 ? "Int" : limits.fitInt64 ? "Int64" : "JSONNumber"
    case .number: return "JSONNumber"
    case .list(let element): return "[\(type(element))]"
    case .map(let element):
      let element = type(element)
      return element == "JSON" ? "JSONObject" : "[String: \(element)]"
    case .any, .words, .object, .choice, .same: return "JSON"
    }
  }

  private mutating func writeType(_ position: Int) {
    out.line()
    let name = model.typeNames[position] ?? ""
    out.comment(model.comment(of: position))
    switch model.shapes[position].form {
    case .object(let members): writeObject(name, members, position)
    case .words(let words): writeWords(name, words)
    case .choice(let alternatives): writeChoice(name, alternatives, position)
    default: break
    }
  }

  private mutating func writeObject(_ name: String, _ members: [SchemaShape.Member], _ position: Int) {
    var scope = NameScope(Self.spelling, ofTypes: false)
    let names = scope.names(for: members.map(\.name))
    struct Property {
      var member: SchemaShape.Member
      var name: String
      var type: String
      var isOptional: Bool
      /// Whether `null` says something else than that the member is not there.
      var keepsNull: Bool
    }
    let (model, space) = (self.model, self.name)
    let properties = zip(members, names).map { member, name -> Property in
      let (target, isNullable) = model.target(member.shape)
      let type = plainType(target)
      let isOptional = !member.isRequired || isNullable
      return Property(
        member: member, name: name, type: isOptional ? type + "?" : type, isOptional: isOptional,
        keepsNull: isNullable && !member.isRequired)
    }
    // Those that must be there come first, as a reader writes them.
    let ordered = properties.filter { !$0.isOptional } + properties.filter(\.isOptional)
    let parameters =
      ordered.map { "\($0.name): \($0.type)\($0.isOptional ? " = nil" : "")" }
      + ["unknownMembers: JSONObject = JSONObject()"]
    out.block("public struct \(name): Content, \(self.name)Value {") { out in
      for property in properties {
        out.comment(model.comment(of: property.member))
        let isRecurring = model.holds(property.member.shape, position)
        out.line("\(isRecurring ? "@Indirect " : "")public var \(property.name): \(property.type)")
      }
      out.line("/// Members that these kinds do not name, and `null` where nothing may be.")
      out.line("public var unknownMembers: JSONObject")
      out.line()
      out.line("/// Makes one.")
      out.block("public init(\n  \(parameters.joined(separator: ",\n  "))\n) {") { out in
        for property in properties { out.line("self.\(property.name) = \(property.name)") }
        out.line("self.unknownMembers = unknownMembers")
      }
      out.line()
      out.line("/// Reads it.\n///\n/// - Throws: ``PayloadError`` when it does not have this shape.")
      out.block("public init(json: JSON) throws {") { out in
        out.line("\(properties.isEmpty ? "let" : "var") reader = try \(space)Reader(json)")
        for property in properties {
          let read =
            property.member.isRequired
            ? "required(" : property.keepsNull ? "optional(keepingNull: true, " : "optional("
          out.line("self.\(property.name) = try reader.\(read)\(literal(property.member.name)))")
        }
        out.line("self.unknownMembers = reader.unknown")
      }
      out.line()
      out.line("/// As it crosses the wire.")
      if properties.isEmpty {
        out.line("public var json: JSON { .object(unknownMembers) }")
      } else {
        out.block("public var json: JSON {") { out in
          out.line("var object = unknownMembers")
          for property in properties {
            let name = literal(property.member.name)
            if property.member.isRequired {
              out.line("object[\(name)] = self.\(property.name).json")
            } else {
              out.line("if let value = self.\(property.name) { object[\(name)] = value.json }")
            }
          }
          out.line("return .object(object)")
        }
      }
    }
  }

  private mutating func writeWords(_ name: String, _ words: [String]) {
    var scope = NameScope(Self.spelling, ofTypes: false, taking: Self.spelling.takenCases)
    let names = scope.names(for: words)
    out.block("public enum \(name): Hashable, Sendable, RawRepresentable, \(self.name)Value {") { out in
      for name in names { out.line("case \(name)") }
      out.line("/// A word that these kinds do not name.\ncase unknown(String)")
      out.line()
      out.block("public init(rawValue: String) {") { out in
        // A JSON string is compared by its code points; Swift's own is not.
        out.line("switch JSON.string(rawValue) {")
        for (name, word) in zip(names, words) { out.line("case \(literal(word)): self = .\(name)") }
        out.line("default: self = .unknown(rawValue)\n}")
      }
      out.line()
      out.block("public var rawValue: String {") { out in
        out.line("switch self {")
        for (name, word) in zip(names, words) { out.line("case .\(name): \(literal(word))") }
        out.line("case .unknown(let word): word\n}")
      }
      out.line()
      out.line(
        """
        /// Reads it.
        ///
        /// - Throws: ``PayloadError`` when it is no string.
        public init(json: JSON) throws { self.init(rawValue: try String(json: json)) }

        /// As it crosses the wire.
        public var json: JSON { .string(rawValue) }
        """)
    }
  }

  private mutating func writeChoice(_ name: String, _ alternatives: [SchemaShape.Alternative], _ position: Int) {
    var scope = NameScope(Self.spelling, ofTypes: false, taking: Self.spelling.takenCases)
    let names = scope.names(for: model.alternativeTexts(alternatives))
    let types = alternatives.map { type($0.shape) }
    let isRecurring = alternatives.contains { model.holds($0.shape, position) }
    out.block("public \(isRecurring ? "indirect " : "")enum \(name): Content, \(self.name)Value {") { out in
      for (name, type) in zip(names, types) { out.line("case \(name)(\(type))") }
      out.line("/// A form that these kinds do not name.\ncase unknown(JSON)")
      out.line()
      out.line("/// Reads it.\n///\n/// - Throws: ``PayloadError`` when it has the mark of a form and not its shape.")
      out.block("public init(json: JSON) throws {") { out in
        for (position, alternative) in alternatives.enumerated() {
          let cases = ["boolean": "bool"]
          let tests = alternative.types.sorted().map { "json.\(cases[$0] ?? $0) != nil" }
          var condition = tests.count == 1 ? tests[0] : "(\(tests.joined(separator: " || ")))"
          if let mark = alternative.mark {
            let words = mark.words.map { literal($0) }.joined(separator: ", ")
            condition += ", [\(words)].contains(json[\(literal(mark.member))])"
          }
          out.line("\(position == 0 ? "" : "} else ")if \(condition) {")
          out.line("  self = .\(names[position])(try \(types[position])(json: json))")
        }
        out.line("} else {\n  self = .unknown(json)\n}")
      }
      out.line()
      out.block("/// As it crosses the wire.\npublic var json: JSON {") { out in
        out.line("switch self {")
        for name in names { out.line("case .\(name)(let value): value.json") }
        out.line("case .unknown(let json): json\n}")
      }
    }
  }
}
