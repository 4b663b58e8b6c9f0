import Layout

/// The plans of earlier revisions that changes were made from lately: clients ask for the same few again and again, in
/// every outcome.
typealias OldPlans = KeptLoads<String, PagePlan>

/// The lists of sections whose parts were requested lately; `nil` if a key has no list.
typealias ItemLists = KeptLoads<ItemListName, ItemList.Found>

/// Values that take long to load and are needed again and again.
///
/// They count in the budget and take at most an eighth of it; the least recently used goes first. A larger value is
/// loaded each time. One is loaded at a time, so a storm of requests never holds many at once.
actor KeptLoads<Name: Hashable & Sendable, Value: KeptLoad> {
  /// A value, and what it takes.
  private final class Kept: Sendable {
    let value: Value
    let charge: ByteCharge

    init(_ value: Value, bytes: Int, budget: ByteBudget) {
      self.value = value
      charge = ByteCharge(bytes, in: budget)
    }
  }

  private let countMax = 16
  private let budget: ByteBudget
  private let bytesMax: Int
  /// The one that was used last is at the end.
  private var loads: [(name: Name, kept: Kept)] = []
  private var loading: Task<Value, any Error>?

  /// - Parameter budget: What counts the bytes.
  init(budget: ByteBudget) {
    self.budget = budget
    bytesMax = budget.bytesMax / 8
  }

  /// How many are kept.
  var count: Int { loads.count }

  /// What has a name.
  ///
  /// - Parameter load: Loads it; called when it is not kept.
  func value(_ name: Name, load: @Sendable @escaping () async throws -> Value) async throws -> Value {
    if let known = find(name) { return known }
    while let loading {
      // Whoever waits for a load that fails fails too: not one time-out after the other.
      _ = try await loading.value
      if let known = find(name) { return known }
    }
    let task = Task {
      // The load ends itself, before anyone who waits for it runs: to them a load that is over but still stands here
      // would be one to wait for, and waiting for it would take no time and never yield.
      defer { loading = nil }
      let value = try await load()
      keep(value, name)
      return value
    }
    loading = task
    return try await task.value
  }

  private func find(_ name: Name) -> Value? {
    guard let place = loads.firstIndex(where: { $0.name == name }) else { return nil }
    loads.append(loads.remove(at: place))
    return loads.last?.kept.value
  }

  private func keep(_ value: Value, _ name: Name) {
    guard let bytes = value.bytesKept, bytes <= bytesMax else { return }
    while loads.count >= countMax || loads.reduce(bytes, { $0 + $1.kept.charge.bytes }) > bytesMax {
      loads.removeFirst()
    }
    loads.append((name, Kept(value, bytes: bytes, budget: budget)))
  }
}

/// What ``KeptLoads`` keeps.
protocol KeptLoad: Sendable {
  /// The bytes that it takes in memory, about; `nil` for what is not worth keeping.
  var bytesKept: Int? { get }
}

extension PagePlan: KeptLoad {
  var bytesKept: Int? { byteCount }
}

extension ItemList.Found: KeptLoad {
  var bytesKept: Int? {
    guard case .list(let list) = self else { return nil }
    return list.byteCount
  }
}

/// What a list is by, as long as the same kinds are withheld.
struct ItemListName: Hashable, Sendable {
  let page: String
  /// The hash of the kinds that draw it.
  let kinds: String
  let key: ListKey
  let withheld: [Withholding]
}
