// The C library of Yams, which reads events. Yams itself composes a tree on top of them that takes canonically equivalent
// keys for one, and drops U+FEFF: neither is what YAML says. This is the one file that enters it.
import CYaml

/// One thing that libyaml finds in a text.
struct YAMLEvent {
  /// What it is.
  enum Kind {
    case scalar(String, isPlain: Bool)
    case sequence, mapping, end
    case alias(String)
    case document, documentEnd, streamEnd
    case other
  }

  var kind: Kind
  var tag: String?
  var anchor: String?
  /// From 1.
  var line: Int
}

/// Reads the events of a text, which is UTF-8.
@safe struct LibYAML: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// libyaml reads from here for as long as it parses.
  private let text: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    // libyaml keeps pointers to both, so that neither may move.
    unsafe text = .allocate(capacity: max(bytes.count, 1))
    _ = unsafe text.initialize(fromContentsOf: bytes)
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    unsafe yaml_parser_initialize(parser)
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, text.baseAddress, bytes.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// The next event.
  ///
  /// - Throws: ``YAMLDocument/Invalid`` for what is not YAML, or not UTF-8.
  borrowing func next() throws(YAMLDocument.Invalid) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
    defer { unsafe yaml_event_delete(&event) }
    let line = unsafe event.start_mark.line + 1
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      let kind = unsafe YAMLEvent.Kind.scalar(
        String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      return unsafe YAMLEvent(kind: kind, tag: Self.string(scalar.tag), anchor: Self.string(scalar.anchor), line: line)
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      return unsafe YAMLEvent(
        kind: .sequence, tag: Self.string(start.tag), anchor: Self.string(start.anchor), line: line)
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      return unsafe YAMLEvent(
        kind: .mapping, tag: Self.string(start.tag), anchor: Self.string(start.anchor), line: line)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .end, line: line)
    case YAML_ALIAS_EVENT:
      return unsafe YAMLEvent(kind: .alias(Self.string(event.data.alias.anchor) ?? ""), line: line)
    case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .document, line: line)
    case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, line: line)
    case YAML_STREAM_END_EVENT: return YAMLEvent(kind: .streamEnd, line: line)
    default: return YAMLEvent(kind: .other, line: line)
    }
  }

  /// Why parsing stopped.
  private var failure: YAMLDocument.Invalid {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it cannot be read"
    guard unsafe parser.pointee.error == YAML_READER_ERROR else {
      return unsafe YAMLDocument.Invalid(line: Int(parser.pointee.problem_mark.line) + 1, detail: problem)
    }
    // The reader is ahead of the scanner, and knows the byte alone.
    let read = unsafe text.prefix(Int(parser.pointee.problem_offset))
    let line = unsafe read.count { $0 == UInt8(ascii: "\n") } + 1
    // The reader refuses control characters too.
    let isUTF8 = problem.hasPrefix("control")
    return YAMLDocument.Invalid(line: line, detail: isUTF8 ? problem : "the text is not UTF-8: \(problem)")
  }

  private static func string(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe characters.map { unsafe String(cString: $0) }
  }
}
