/// Does one thing after the other, whoever asks for it.
actor Turns {
  private var last: Task<Void, Never>?

  /// Does something once all is done that was asked for before. Cancellation does not reach it.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let before = last
    let task = Task {
      await before?.value
      return try await work()
    }
    last = Task { _ = await task.result }
    return try await task.value
  }
}
