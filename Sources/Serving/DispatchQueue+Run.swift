import Dispatch

extension DispatchQueue {
  /// Does some work on the queue, and returns when it is done.
  func run(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      async {
        work()
        continuation.resume()
      }
    }
  }
}
