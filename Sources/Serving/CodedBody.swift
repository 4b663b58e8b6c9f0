import Compression
import Layout
import Synchronization

/// The bytes of one document or change set in each content coding, each made once. All who send them share them.
public final class CodedBody: Sendable {
  /// An array that an atomic reference can hold.
  private final class Bytes: Sendable {
    let array: [UInt8]

    init(_ array: [UInt8]) { self.array = array }
  }

  /// The bytes gzip'd.
  public let gzip: [UInt8]
  /// How many bytes there are without a coding.
  public let identitySize: Int
  /// What counts the bytes that are kept.
  public let budget: ByteBudget
  private let madeBrotli = AtomicLazyReference<Bytes>()
  private let madeIdentity = AtomicLazyReference<Bytes>()
  private let madeHash = AtomicLazyReference<Bytes>()
  private let asked = Atomic(false)
  private let kept: ByteCharge

  init(gzip: [UInt8], identitySize: Int, budget: ByteBudget) {
    self.gzip = gzip
    self.identitySize = identitySize
    self.budget = budget
    kept = ByteCharge(gzip.count + Self.ownBytes, in: budget)
  }

  convenience init(_ bytes: [UInt8], budget: ByteBudget) {
    self.init(gzip: Gzip.compress(bytes), identitySize: bytes.count, budget: budget)
  }

  /// What the object takes beside its bytes, about.
  private static let ownBytes = 160

  /// The uncompressed bytes, unpacked at their first use.
  public var identity: [UInt8] { (madeIdentity.load() ?? keep(unpacked, in: madeIdentity)).array }

  /// The SHA-256 of the bytes as they are, made when it is asked for first: takes as long as to unpack them, so never on a
  /// loop.
  public var hash: [UInt8] { (madeHash.load() ?? keep(Fingerprint.hash(of: unpacked), in: madeHash)).array }

  /// The bytes with coding `br`, once ``BrotliQueue`` has made them.
  public var brotli: [UInt8]? { madeBrotli.load()?.array }

  /// The bytes that are kept, of all codings.
  public var size: Int { kept.bytes - Self.ownBytes }

  /// Whether nobody has asked for `br` before.
  func isFirstToAsk() -> Bool {
    !asked.load(ordering: .relaxed) && !asked.exchange(true, ordering: .relaxed)
  }

  /// Lets somebody ask again.
  func forgetAsking() { asked.store(false, ordering: .relaxed) }

  /// Makes `br`: takes milliseconds for each kilobyte, so never on a loop.
  func makeBrotli() {
    if brotli == nil { _ = keep(Brotli.compress(unpacked), in: madeBrotli) }
  }

  /// The bytes as they are, not kept.
  private var unpacked: [UInt8] { madeIdentity.load()?.array ?? Gzip.decompress(gzip, size: identitySize) }

  private func keep(_ bytes: [UInt8], in place: borrowing AtomicLazyReference<Bytes>) -> Bytes {
    let made = Bytes(bytes)
    let first = place.storeIfNil(made)
    if first === made { kept.add(bytes.count) }
    return first
  }
}
