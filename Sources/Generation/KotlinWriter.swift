import JSONSchema
import Layout

/// Writes kinds as Kotlin.
struct KotlinWriter {
  static let spelling = Spelling(
    keywords: [
      "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null",
      "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var",
      // The compiler keeps `yield` for itself.
      "when", "while", "yield",
    ],
    quote: { "`\($0)`" },
    // A property `class` would be `getClass`, which every object has.
    takenMembers: ["class", "unknownMembers", "toJson", "json", "companion", "field", "it"],
    takenTypes: [
      "Action", "Any", "Array", "ArrayList", "BigDecimal", "Boolean", "Companion", "Double", "Dropped", "Enum",
      "Exception", "Float", "Function", "Int", "Item", "ItemAction", "JsonText", "LinkedHashMap", "List", "Long", "Map",
      "Members", "NamedList", "Nothing", "Number", "Object", "Page", "Pair", "PayloadException", "Read", "Section",
      "Set", "String",
      "StringBuilder", "Throwable", "Unit", "Void",
    ],
    takenCases: ["Unknown"], casesAreTypes: true)

  private static let sectionMembers: Set<String> = [
    "id", "kind", "index", "layout", "lists", "header", "items", "footer", "rest",
  ]

  private let model: Model
  private let package: String
  private var out = SourceText(indent: "    ")

  init(_ kinds: Kinds, package: String) throws(InvalidSchema) {
    model = try Model(kinds, spelling: Self.spelling, sectionMembers: Self.sectionMembers)
    self.package = package
  }

  /// The file.
  mutating func file() -> String {
    out.line(
      """
      // Written by `hearth generate kotlin`. Change the kinds and generate it again, not this file.
      //
      // JSON is null, Boolean, BigDecimal, String, List<Any?> and Map<String, Any?> here.

      package \(package)
      """)
    out.line("\nimport java.math.BigDecimal")
    out.line(KotlinSupport.page)
    writeSections()
    writeItems()
    for position in model.named { writeType(position) }
    out.line(KotlinSupport.reading)
    return out.text
  }

  private static func literal(_ text: String) -> String {
    Generation.literal(text, quoting: ["\"", "\\", "$"]) { scalar in
      String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  // MARK: Sections

  private static func type(of slot: Model.SectionType.Slot) -> String {
    slot.items.count == 1 ? "Item.\(slot.items[0].name)" : "Item"
  }

  private mutating func writeSections() {
    out.line()
    out.line("/** A section, by its kind. */")
    out.block("sealed class Section {") { [model] out in
      out.line(
        """
        /** What crosses the wire beside the members below. */
        abstract val rest: Map<String, Any?>
        /** The section's id, unique in its page. */
        val id: String get() = rest["id"] as String
        /** The operators' number; the order of the list is what counts. */
        val index: BigDecimal? get() = rest["index"] as? BigDecimal
        /** How the items are laid out and sized. */
        val layout: Map<*, *> get() = rest["layout"] as? Map<*, *> ?: emptyMap<Any?, Any?>()
        /** The lists that share the section; tabs choose which one shows. */
        val lists: List<NamedList>
            get() = (rest["lists"] as? List<*> ?: emptyList<Any?>()).mapNotNull { (it as? Map<*, *>)?.let(::NamedList) }

        /** The section as it crosses the wire. */
        abstract fun toJson(): Map<String, Any?>
        """)
      for section in model.sections { Self.write(section, &out) }
      out.line(
        """

        /** A section of a kind that these kinds do not name, or without an item that its kind requires. */
        data class Unknown(override val rest: Map<String, Any?>) : Section() {
            override fun toJson(): Map<String, Any?> = rest
        }

        companion object {
            internal fun read(json: Any?, at: String, dropped: MutableList<Dropped>): Section {
                val section = readMembers(json, at)
                readText(section["id"], "$at/id")
        """)
      out.line("        return when (section[\"kind\"]) {")
      for section in model.sections {
        out.line("            \(Self.literal(section.kind.name)) -> \(section.name).read(section, at, dropped)")
      }
      out.line(
        """
                    else -> null
                } ?: Unknown(section)
            }
        }
        """)
    }
  }

  private static func write(_ section: Model.SectionType, _ out: inout SourceText) {
    var properties: [(declaration: String, taken: String, argument: String, written: String)] = []
    func one(_ name: String, _ comment: String, _ items: [Model.ItemType]) {
      guard !items.isEmpty else { return }
      properties.append(
        (
          "/** \(comment): \(names(items)). */\nval \(name): Item?", literal(name),
          "\(name) = Item.one(section[\"\(name)\"], \"$at/\(name)\", dropped)", "put(\"\(name)\", \(name)?.toJson())"
        ))
    }
    one("header", "What stands above", section.header)
    if !section.items.isEmpty {
      properties.append(
        (
          "/** The items in the order to draw them: \(names(section.items)). */\nval items: List<Item>", "\"items\"",
          "items = Item.all(section[\"items\"], \"$at/items\", dropped)",
          "put(\"items\", items.map { it.toJson() }.takeIf { it.isNotEmpty() })"
        ))
    }
    one("footer", "What stands below", section.footer)
    out.line()
    out.documentation(commentLines(section.kind.title))
    out.line("data class \(section.name)(")
    var declarations = ["override val rest: Map<String, Any?>"] + properties.map(\.declaration)
    for slot in section.slots {
      declarations.append(
        "/** The item `\(slot.name)`: \(names(slot.items)). */\n"
          + "val \(slot.member): \(type(of: slot))\(slot.isRequired ? "" : "? = null")")
    }
    for line in declarations.joined(separator: ",\n").split(separator: "\n") { out.line("    " + line) }
    out.block(") : Section() {") { out in
      out.block("override fun toJson(): Map<String, Any?> = rest.changed {") { out in
        for property in properties { out.line(property.written) }
        if !section.slots.isEmpty {
          out.line("val _slots = LinkedHashMap(readMembers(rest[\"slots\"] ?: emptyMap<String, Any?>(), \"/slots\"))")
          for slot in section.slots {
            let name = literal(slot.name)
            out.line(
              slot.isRequired
                ? "_slots[\(name)] = \(slot.member).toJson()"
                : "\(slot.member)?.let { _slots[\(name)] = it.toJson() }")
          }
          out.line("replace(\"slots\", _slots.takeIf { it.isNotEmpty() })")
        }
      }
      out.line()
      out.block("internal companion object {") { out in
        let head = "fun read(section: Map<String, Any?>, at: String, dropped: MutableList<Dropped>): \(section.name)? {"
        out.block(head) { out in
          var arguments = properties.map(\.argument)
          if !section.slots.isEmpty {
            out.line(
              "val slots = LinkedHashMap(readMembers(section[\"slots\"] ?: emptyMap<String, Any?>(), \"$at/slots\"))")
          }
          for (position, slot) in section.slots.enumerated() {
            let name = literal(slot.name)
            let read = "Item.one(slots.remove(\(name)), \"$at/slots/\" + \(name), dropped)"
            let item = "slot\(position)"
            out.line("val \(item) = \(read)")
            if slot.items.count == 1 {
              let type = type(of: slot)
              if slot.isRequired {
                out.line("if (\(item) !is \(type)) return null")
              } else {
                out.line("if (\(item) != null && \(item) !is \(type)) slots[\(name)] = \(item).toJson()")
              }
              arguments.append("\(slot.member) = \(item)\(slot.isRequired ? "" : " as? \(type)")")
            } else {
              if slot.isRequired { out.line("if (\(item) == null) return null") }
              arguments.append("\(slot.member) = \(item)")
            }
          }
          let taken = properties.map(\.taken).joined(separator: ", ")
          out.line("return \(section.name)(")
          out.line("    rest = section.changed {")
          if !taken.isEmpty { out.line("        listOf(\(taken)).forEach { remove(it) }") }
          if !section.slots.isEmpty { out.line("        replace(\"slots\", slots.takeIf { it.isNotEmpty() })") }
          out.line("    }\(arguments.isEmpty ? "" : ",")")
          for line in arguments.joined(separator: ",\n").split(separator: "\n") { out.line("    " + line) }
          out.line(")")
        }
      }
    }
  }

  private static func names(_ items: [Model.ItemType]) -> String {
    items.map { "`\($0.kind.name)`" }.joined(separator: ", ")
  }

  // MARK: Items

  private mutating func writeItems() {
    out.line()
    out.line("/** An item, by its kind. */")
    out.block("sealed class Item {") { [model] out in
      out.line(KotlinSupport.item)
      for item in model.items {
        out.line()
        out.documentation(commentLines(item.kind.title))
        out.line(
          """
          data class \(item.name)(
              override val rest: Map<String, Any?>,
              /** What the cell shows. */
              val content: \(item.content),
              override val children: List<Item> = emptyList()
          ) : Item() {
              override fun toJson(): Map<String, Any?> = json(content.toJson())
          }
          """)
      }
      out.line(
        """

        /** An item of a kind that these kinds do not name. */
        data class Unknown(override val rest: Map<String, Any?>) : Item() {
            override val children: List<Item> get() = emptyList()
            override fun toJson(): Map<String, Any?> = rest
        }

        companion object {
            internal fun read(json: Any?, at: String, dropped: MutableList<Dropped>): Item? {
                try {
                    val item = readMembers(json, at)
                    readText(item["id"], "$at/id")
                    return when (item["kind"]) {
        """)
      for item in model.items {
        out.line(
          """
                      \(Self.literal(item.kind.name)) -> \(item.name)(
                          rest(item),
                          \(item.content).read(item["content"], "$at/content"),
                          all(item["children"], "$at/children", dropped)
                      )
          """.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))
      }
      out.line(
        """
                        else -> Unknown(item)
                    }
                } catch (problem: PayloadException) {
                    dropped.add(Dropped(problem.pointer, problem.detail))
                    return null
                }
            }
        """)
      out.line(KotlinSupport.readingItems)
    }
  }

  // MARK: Content

  private func type(_ position: Int) -> String {
    let (target, isNullable) = model.target(position)
    let type = plainType(target)
    return isNullable && !type.hasSuffix("?") ? type + "?" : type
  }

  private func plainType(_ position: Int) -> String {
    if let name = model.typeNames[position] { return name }
    switch model.shapes[position].form {
    case .boolean: return "Boolean"
    case .text: return "String"
    case .integer(let limits): return limits.fitInt32 ? "Int" : limits.fitInt64 ? "Long" : "BigDecimal"
    case .number: return "BigDecimal"
    case .list(let element): return "List<\(type(element))>"
    case .map(let element): return "Map<String, \(type(element))>"
    case .any, .words, .object, .choice, .same: return "Any?"
    }
  }

  /// What reads a shape: a function of a value and its place.
  private func read(_ position: Int) -> String {
    let (target, isNullable) = model.target(position)
    return isNullable ? "readNullable(\(plainRead(target)))" : plainRead(target)
  }

  private func plainRead(_ position: Int) -> String {
    if let name = model.typeNames[position] { return "\(name).Companion::read" }
    switch model.shapes[position].form {
    case .boolean: return "::readFlag"
    case .text: return "::readText"
    case .integer(let limits): return limits.fitInt32 ? "::readInt" : limits.fitInt64 ? "::readLong" : "::readWhole"
    case .number: return "::readNumber"
    case .list(let element): return "readList(\(read(element)))"
    case .map(let element): return "readMap(\(read(element)))"
    case .any, .words, .object, .choice, .same: return "::readAny"
    }
  }

  /// What a value is as JSON.
  private func written(_ value: String, _ position: Int) -> String {
    let (target, isNullable) = model.target(position)
    let isPlain = plainWritten("it", target) == "it"
    if isPlain { return value }
    return isNullable ? "\(value)?.let { \(plainWritten("it", target)) }" : plainWritten(value, target)
  }

  private func plainWritten(_ value: String, _ position: Int) -> String {
    if model.typeNames[position] != nil { return "\(value).toJson()" }
    switch model.shapes[position].form {
    case .integer(let limits): return limits.fitInt64 ? "BigDecimal(\(value))" : value
    case .list(let element):
      let written = written("it", element)
      return written == "it" ? value : "\(value).map { \(written) }"
    case .map(let element):
      let written = written("it.value", element)
      return written == "it.value" ? value : "\(value).mapValues { \(written) }"
    case .any, .boolean, .text, .number, .words, .object, .choice, .same: return value
    }
  }

  private mutating func writeType(_ position: Int) {
    out.line()
    let name = model.typeNames[position] ?? ""
    out.documentation(model.comment(of: position))
    switch model.shapes[position].form {
    case .object(let members): writeObject(name, members)
    case .words(let words): writeWords(name, words)
    case .choice(let alternatives): writeChoice(name, alternatives)
    default: break
    }
  }

  private mutating func writeObject(_ name: String, _ members: [SchemaShape.Member]) {
    var scope = NameScope(Self.spelling, ofTypes: false)
    let names = scope.names(for: members.map(\.name))
    let ordered = zip(members, names).sorted { left, right in
      left.0.isRequired && !right.0.isRequired
    }
    out.line("data class \(name)(")
    var reads: [String] = []
    var writes: [String] = []
    for (member, property) in ordered {
      for line in model.comment(of: member) { out.line("    /** \(line) */") }
      let type = type(member.shape)
      let isNullable = type.hasSuffix("?")
      out.line(
        "    val \(property): \(type)\(isNullable || member.isRequired ? "" : "?")\(member.isRequired ? "" : " = null"),"
      )
      let key = Self.literal(member.name)
      let read = read(member.shape)
      if member.isRequired {
        reads.append("\(property) = members.required(\(key), \(read))")
        writes.append("put(\(key), \(written(property, member.shape)), true)")
      } else {
        // A null that is there stays among the unknown members, and is written back.
        reads.append("\(property) = members.optional(\(key), \(isNullable), \(read))")
        let plain = plainWritten("it", model.target(member.shape).position)
        writes.append("put(\(key), \(plain == "it" ? property : "\(property)?.let { \(plain) }"))")
      }
    }
    out.line("    /** Members that these kinds do not name, and null where nothing may be. */")
    out.line("    val unknownMembers: Map<String, Any?> = emptyMap()")
    out.block(") {") { out in
      out.line("/** As it crosses the wire. */")
      if writes.isEmpty {
        out.line("fun toJson(): Map<String, Any?> = unknownMembers")
      } else {
        out.block("fun toJson(): Map<String, Any?> = unknownMembers.changed {") { out in
          for write in writes { out.line(write) }
        }
      }
      out.line()
      out.block("companion object {") { out in
        out.line("/** Reads it; throws a PayloadException when it does not have this shape. */")
        out.block("fun read(json: Any?, at: String): \(name) {") { out in
          out.line("val members = Members(json, at)")
          out.line("return \(name)(")
          for read in reads { out.line("    \(read),") }
          out.line("    unknownMembers = members.unknown")
          out.line(")")
        }
      }
    }
  }

  /// What names of nested classes must not hide.
  private var takenCases: Set<String> { Self.spelling.takenCases.union(model.typeNames.values) }

  private mutating func writeWords(_ name: String, _ words: [String]) {
    var scope = NameScope(Self.spelling, ofTypes: true, taking: takenCases)
    let names = scope.names(for: words)
    out.block("sealed class \(name) {") { out in
      out.line("/** The word. */\nabstract val value: String")
      out.line()
      for (word, text) in zip(names, words) {
        out.line("object \(word) : \(name)() { override val value: String get() = \(Self.literal(text)) }")
      }
      out.line("/** A word that these kinds do not name. */")
      out.line("data class Unknown(override val value: String) : \(name)()")
      out.line(
        """

        /** As it crosses the wire. */
        fun toJson(): String = value

        final override fun toString(): String = value
        """)
      out.line()
      out.block("companion object {") { out in
        out.line("/** Reads it; throws a PayloadException when it is no string. */")
        out.line("fun read(json: Any?, at: String): \(name) = of(readText(json, at))")
        out.line("/** The word of a text. */")
        out.block("fun of(value: String): \(name) = when (value) {") { out in
          for (word, text) in zip(names, words) { out.line("\(Self.literal(text)) -> \(word)") }
          out.line("else -> Unknown(value)")
        }
      }
    }
  }

  private mutating func writeChoice(_ name: String, _ alternatives: [SchemaShape.Alternative]) {
    var scope = NameScope(Self.spelling, ofTypes: true, taking: takenCases)
    let names = scope.names(for: model.alternativeTexts(alternatives))
    let types = alternatives.map { type($0.shape) }
    let reads = alternatives.map { read($0.shape) }
    let writes = alternatives.map { written("value", $0.shape) }
    out.block("sealed class \(name) {") { out in
      out.line("/** As it crosses the wire. */\nabstract fun toJson(): Any?")
      out.line()
      for position in names.indices {
        out.block("data class \(names[position])(val value: \(types[position])) : \(name)() {") { out in
          out.line("override fun toJson(): Any? = \(writes[position])")
        }
      }
      out.line("/** A form that these kinds do not name. */")
      out.block("data class Unknown(val json: Any?) : \(name)() {") { out in
        out.line("override fun toJson(): Any? = json")
      }
      out.line()
      out.block("companion object {") { out in
        out.line("/** Reads it; throws a PayloadException when it has the mark of a form and not its shape. */")
        out.block("fun read(json: Any?, at: String): \(name) = when {") { out in
          let classes = [
            "boolean": "Boolean", "string": "String", "number": "BigDecimal", "array": "List<*>", "object": "Map<*, *>",
          ]
          for (position, alternative) in alternatives.enumerated() {
            let tests = alternative.types.sorted().map { "json is \(classes[$0] ?? "Any")" }
            var condition = tests.count == 1 ? tests[0] : "(\(tests.joined(separator: " || ")))"
            if let mark = alternative.mark {
              let words = mark.words.map(Self.literal).joined(separator: ", ")
              condition += " && json[\(Self.literal(mark.member))] in listOf<Any?>(\(words))"
            }
            out.line("\(condition) -> \(names[position])((\(reads[position]))(json, at))")
          }
          out.line("else -> Unknown(json)")
        }
      }
    }
  }
}
