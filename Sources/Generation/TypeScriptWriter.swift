import JSONSchema
import Layout

/// Writes kinds as TypeScript.
struct TypeScriptWriter {
  static let spelling = Spelling(
    keywords: [
      "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum",
      "export", "extends", "false", "finally", "for", "function", "if", "import", "in", "instanceof", "new", "null",
      "return", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield",
      "let", "static", "implements", "interface", "package", "private", "protected", "public", "await", "arguments",
      "eval", "undefined",
    ],
    takenMembers: [],
    takenTypes: [
      "Accessibility", "Action", "Any", "Array", "Background", "BackgroundPicture", "BigInt", "Boolean", "Check",
      "Date", "Dropped", "Error",
      "Exact", "ExactNumber",
      "Function", "Infinity", "Inset", "Item", "ItemAction", "ItemOf", "ItemSize", "JSON", "Layout", "LayoutBounds",
      "LayoutColor", "Map", "NaN", "Never", "Null",
      "Number", "Object",
      "Page", "Promise", "Proxy", "Record", "Reflect", "Section", "SectionOf", "SectionShape", "Set", "String",
      "Symbol", "Undefined", "Unknown", "UnknownItem", "UnknownSection", "Value", "Void", "WireItem", "WirePage",
      "WireSection",
    ],
    takenCases: [])

  private let model: Model
  private var out = SourceText(indent: "  ")
  /// The functions that tell the forms of a choice apart.
  private var guards = NameScope(
    spelling, ofTypes: false, taking: ["isExact"])

  init(_ kinds: Kinds) throws(InvalidSchema) {
    model = try Model(kinds, spelling: Self.spelling, sectionMembers: [])
  }

  /// The file.
  mutating func file() -> String {
    out.line("// Written by `hearth generate typescript`. Change the kinds and generate it again, not this file.")
    out.line(TypeScriptSupport.types)
    writeItems()
    writeSections()
    for position in model.named { writeType(position) }
    writeTables()
    out.line(TypeScriptSupport.reading)
    return out.text
  }

  // MARK: Items and sections

  private static func type(of item: Model.ItemType) -> String {
    "ItemOf<\(literal(item.kind.name)), \(item.content)>"
  }

  private static func types(of items: [Model.ItemType]) -> String {
    (items.map(type(of:)) + ["UnknownItem"]).joined(separator: " | ")
  }

  private mutating func writeItems() {
    out.line()
    out.line("/** An item, by its kind; `kind` is null where these kinds do not name it. */")
    out.line("export type Item =")
    for item in model.items { out.line("  | " + Self.type(of: item)) }
    out.line("  | UnknownItem;")
  }

  private mutating func writeSections() {
    out.line()
    out.line("/** A section, by its kind; `kind` is null where these kinds do not name it. */")
    out.line("export type Section =")
    for section in model.sections { out.line("  | " + section.type) }
    out.line("  | UnknownSection;")
    for section in model.sections {
      out.line()
      out.documentation(commentLines(section.kind.title))
      let head = "export interface \(section.type) extends SectionOf<\(literal(section.kind.name))> {"
      out.block(head) { out in
        if !section.header.isEmpty { out.line("readonly header?: \(Self.types(of: section.header));") }
        if !section.items.isEmpty { out.line("readonly items: readonly (\(Self.types(of: section.items)))[];") }
        if !section.slots.isEmpty {
          out.block("readonly slots: {", end: "};") { out in
            for slot in section.slots {
              let types =
                slot.items.count == 1 && slot.isRequired ? Self.type(of: slot.items[0]) : Self.types(of: slot.items)
              out.line("readonly \(Self.property(slot.name))\(slot.isRequired ? "" : "?"): \(types);")
            }
          }
        }
        if !section.footer.isEmpty { out.line("readonly footer?: \(Self.types(of: section.footer));") }
      }
    }
  }

  private mutating func writeTables() {
    out.line()
    out.block("const contents = new Map<string, Check>([", end: "]);") { [model] out in
      for item in model.items { out.line("[\(literal(item.kind.name)), check_\(item.content)],") }
    }
    out.line()
    out.block("const shapes = new Map<string, SectionShape>([", end: "]);") { [model] out in
      for section in model.sections {
        func names(_ items: [Model.ItemType]) -> String {
          "[\(items.map { literal($0.kind.name) }.joined(separator: ", "))]"
        }
        let slots = section.slots.map { slot in
          "[\(literal(slot.name)), \(names(slot.items)), \(slot.isRequired)]"
        }
        out.line(
          "[\(literal(section.kind.name)), { header: \(names(section.header)), items: \(names(section.items)), "
            + "slots: [\(slots.joined(separator: ", "))], footer: \(names(section.footer)) }],")
      }
    }
  }

  // MARK: Content

  private static func property(_ name: String) -> String {
    name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil && name != "__proto__" ? name : literal(name)
  }

  private func type(_ position: Int) -> String {
    let (position, isNullable) = model.target(position)
    return plainType(position) + (isNullable ? " | null" : "")
  }

  private func plainType(_ position: Int) -> String {
    if let name = model.typeNames[position] { return name }
    switch model.shapes[position].form {
    case .boolean: return "boolean"
    case .text: return "string"
    case .integer(let limits): return limits.fitDouble(isInteger: true) ? "number" : "Exact"
    case .number(let limits): return limits.fitDouble(isInteger: false) ? "number" : "Exact"
    case .list(let element):
      let type = type(element)
      return type.contains(" ") ? "readonly (\(type))[]" : "readonly \(type)[]"
    case .map(let element): return "{ readonly [name: string]: \(type(element)) }"
    case .any, .words, .object, .choice, .same: return "Value"
    }
  }

  /// What holds a value against a shape.
  private func check(_ position: Int) -> String {
    let (position, isNullable) = model.target(position)
    return isNullable ? "is.nullable(\(plainCheck(position)))" : plainCheck(position)
  }

  private func plainCheck(_ position: Int) -> String {
    if let name = model.typeNames[position] { return "check_" + name }
    switch model.shapes[position].form {
    case .boolean: return "is.flag"
    case .text: return "is.text"
    case .integer(let limits): return limits.fitDouble(isInteger: true) ? "is.whole" : "is.exactWhole"
    case .number(let limits): return limits.fitDouble(isInteger: false) ? "is.number" : "is.exact"
    case .list(let element): return "is.list(\(check(element)))"
    case .map(let element): return "is.map(\(check(element)))"
    case .any, .words, .object, .choice, .same: return "is.any"
    }
  }

  private mutating func writeType(_ position: Int) {
    out.line()
    let name = model.typeNames[position] ?? ""
    out.documentation(model.comment(of: position))
    let head = "function check_\(name)(value: any, at: string): Dropped | null {"
    switch model.shapes[position].form {
    case .object(let members):
      let types = members.map { type($0.shape) }
      let comments = members.map { model.comment(of: $0) }
      let checks = members.map { check($0.shape) }
      out.block("export interface \(name) {") { out in
        for ((member, type), comment) in zip(zip(members, types), comments) {
          out.documentation(comment)
          out.line("readonly \(Self.property(member.name))\(member.isRequired ? "" : "?"): \(type);")
        }
      }
      out.block(head) { out in
        out.block("return object(value, at, [", end: "]);") { out in
          for (member, check) in zip(members, checks) {
            out.line("[\(literal(member.name)), \(check), \(member.isRequired)],")
          }
        }
      }
    case .words(let words):
      out.line("export type \(name) = \(words.map { literal($0) + " | " }.joined())(string & {});")
      out.block(head) { out in out.line("return is.text(value, at);") }
    case .choice(let alternatives): writeChoice(name, head, alternatives)
    default: break
    }
  }

  private mutating func writeChoice(_ name: String, _ head: String, _ alternatives: [SchemaShape.Alternative]) {
    let types = alternatives.map { type($0.shape) }
    let checks = alternatives.map { check($0.shape) }
    let names = model.alternativeTexts(alternatives).map {
      guards.name(for: "is \(name) \(Identifier.upper($0))")
    }
    // What is of no form that is named here may be anything.
    out.line("export type \(name) =")
    for type in types { out.line("  | \(type)") }
    out.line("  | Value;")
    for (position, alternative) in alternatives.enumerated() {
      var tests = alternative.types.sorted().map { "typeOf(value) === \"\($0)\"" }
      if tests.count > 1 { tests = ["(\(tests.joined(separator: " || ")))"] }
      if let mark = alternative.mark {
        let words = mark.words.map { literal($0) }.joined(separator: ", ")
        tests.append("[\(words)].includes(value[\(literal(mark.member))])")
      }
      out.line("/** Whether it is of this form. */")
      out.block("export function \(names[position])(value: any): value is \(types[position]) {") { out in
        out.line("return \(tests.joined(separator: " && "));")
      }
    }
    out.block(head) { out in
      for (name, check) in zip(names, checks) { out.line("if (\(name)(value)) return \(check)(value, at);") }
      out.line("return null;")
    }
  }
}
