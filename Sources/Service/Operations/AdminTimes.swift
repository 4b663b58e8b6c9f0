import Serving

/// How long admin requests take, by method. Those that wait for a change are not among them.
struct AdminTimes: Sendable {
  private static let methods = ["DELETE", "GET", "HEAD", "POST", "PUT"]

  private let times = methods.map { (method: $0, histogram: Histogram()) }

  func note(_ request: AdminRequest, _ time: Duration) {
    guard request.waitSeconds == 0 else { return }
    times.first { $0.method == request.method }?.histogram.note(time)
  }

  var readings: [(labels: [String: String], reading: Histogram.Reading)] {
    times.map { (labels: ["method": $0.method], reading: $0.histogram.reading) }
  }
}
