import Compression
import HomePayload
import Layout
import Synchronization

/// An edition's sections, encoded and compressed once, however many variants hold them.
///
/// It begins with what the edition before it had: a publish of a large page that changes one section encodes and
/// compresses that one alone. What the new edition's variants do not hold goes when the edition after it comes.
final class SectionParts: Sendable {
  /// Pages of more bytes than this are compressed section by section: some per cent larger, many times sooner.
  static let wholeBytesMax = 256 * 1024
  /// The most bytes that are kept, and no more than half of the budget; sections beyond them are made anew for each
  /// variant.
  private static let bytesMax = 128 * 1024 * 1024

  /// A section as its page has it.
  final class Part: Sendable {
    let bytes: [UInt8]
    private let compressed = Mutex<Gzip.Fragment?>(nil)
    private let charge: ByteCharge

    init(_ section: Section, budget: ByteBudget) {
      // A copy of its own size: what a writer fills grows by doubling.
      bytes = section.canonicalBytes.map(\.self)
      // Compressed it takes a fifth again.
      charge = ByteCharge(bytes.count + bytes.count / 5, in: budget)
    }

    /// The bytes as a piece of a gzip member, compressed when it is asked for first.
    var fragment: Gzip.Fragment {
      compressed.withLock { compressed in
        if let compressed { return compressed }
        let made = Gzip.Fragment(bytes)
        compressed = made
        return made
      }
    }
  }

  /// What is ready to serve.
  struct Document {
    var version = ""
    /// `nil` when there is nothing, because a section is not in the page.
    var body: CodedBody?
    var nextFlip: Instant?
  }

  private struct State {
    var parts: [PagePlan.SectionKey: PagePlan.Made<Part>] = [:]
    var bytes = 0
    /// Those of the sections with long lists among them.
    var listBytes = 0
  }

  private let state = Mutex(State())
  /// The documents that are ready.
  let bodies: SharedBodies
  private let versions: PageVersions
  /// The previous edition's parts.
  private let before: [PagePlan.SectionKey: PagePlan.Made<Part>]

  private let budget: ByteBudget
  private let bytesMax: Int

  /// - Parameter previous: Those of the edition before, if there is one.
  init(after previous: SectionParts?, budget: ByteBudget) {
    self.budget = budget
    bytesMax = min(Self.bytesMax, budget.bytesMax / 2)
    bodies = previous?.bodies ?? SharedBodies()
    versions = previous?.versions ?? PageVersions()
    before = previous?.state.withLock { $0.parts } ?? [:]
  }

  /// The page for an outcome at an instant.
  func page(of plan: PagePlan, _ outcome: Outcome, at instant: Instant) -> Document {
    let assembled = plan.assembleParts(outcome, at: instant) { key, make in part(key, make) }
    let frame = assembled.frame.frame(version: nil)
    let version = makeVersion(frame, assembled.parts)
    let body = bodies.value(of: version) { makeBody(assembled.frame.frame(version: version), assembled.parts) }
    return Document(version: version, body: body, nextFlip: assembled.nextFlip)
  }

  /// Some bytes, compressed unless the same are there.
  func document(_ bytes: [UInt8], nextFlip: Instant? = nil) -> Document {
    let version = String(Fingerprint.of(bytes).prefix(16))
    let body = bodies.value(of: version) { CodedBody(bytes, budget: budget) }
    return Document(version: version, body: body, nextFlip: nextFlip)
  }

  private func makeVersion(_ frame: (head: [UInt8], tail: [UInt8]), _ parts: [Part]) -> String {
    guard parts.reduce(0, { $0 + $1.bytes.count }) <= Self.wholeBytesMax else {
      return versions.version(of: frame, parts)
    }
    return String(Fingerprint.of(pieces: Self.pieces(frame.head, parts, frame.tail)).prefix(16))
  }

  private func makeBody(_ frame: (head: [UInt8], tail: [UInt8]), _ parts: [Part]) -> CodedBody {
    let (head, tail) = frame
    let size = head.count + tail.count + parts.reduce(0) { $0 + $1.bytes.count + 1 }
    let gzip =
      size > Self.wholeBytesMax
      ? Gzip.join(Gzip.Fragment(head), parts.map(\.fragment), Gzip.Fragment(tail))
      : Gzip.compress(Self.pieces(head, parts, tail).reduce(into: []) { $0 += $1 })
    let commas = max(parts.count - 1, 0)
    return CodedBody(gzip: gzip, identitySize: size - parts.count + commas, budget: budget)
  }

  private func part(
    _ key: PagePlan.SectionKey?, _ make: () -> PagePlan.Made<Section>
  ) -> PagePlan.Made<Part> {
    guard let key else { return encoded(make()) }
    if let known = state.withLock({ $0.parts[key] }) { return known }
    let made = before[key] ?? encoded(make())
    state.withLock { state in
      let size = (made.part?.bytes.count ?? 0) + (key.list == nil ? 0 : Self.listKeyBytes)
      guard state.bytes + size <= bytesMax else { return }
      // Clients can make many of them, by their conditions, also of what is not there.
      if key.list != nil {
        guard state.listBytes + size <= budget.bytesMax / 8 else { return }
        state.listBytes += size
      }
      if state.parts.updateValue(made, forKey: key) == nil { state.bytes += size }
    }
    return made
  }

  /// About how many bytes a list's key takes.
  private static let listKeyBytes = 512

  private func encoded(_ made: PagePlan.Made<Section>) -> PagePlan.Made<Part> {
    PagePlan.Made(made.part.map { Part($0, budget: budget) }, nextFlip: made.nextFlip)
  }

  /// The page for an outcome at an instant as values: a long list is not assembled again for the few items of it that stand
  /// in the page.
  func assembled(_ plan: PagePlan, _ outcome: Outcome, at instant: Instant) -> (page: Page, nextFlip: Instant?) {
    var assembled = plan.assembleParts(outcome, at: instant) { key, make -> PagePlan.Made<Section> in
      guard let key, key.list != nil else { return make() }
      let made = part(key, make)
      guard let part = made.part else { return PagePlan.Made(nil, nextFlip: made.nextFlip) }
      // What was written here is read again.
      guard let section = try? Section(bytes: part.bytes) else { return make() }
      return PagePlan.Made(section, nextFlip: made.nextFlip)
    }
    assembled.frame.sections = assembled.parts
    return (assembled.frame, assembled.nextFlip)
  }

  private static func pieces(_ head: [UInt8], _ parts: [Part], _ tail: [UInt8]) -> [[UInt8]] {
    let comma = [UInt8(ascii: ",")]
    return [head] + parts.enumerated().flatMap { $0 == 0 ? [$1.bytes] : [comma, $1.bytes] } + [tail]
  }
}
