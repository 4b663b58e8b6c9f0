import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension Problem {
  /// The one table from failures to problems; what is not in it is a defect of the server, and only the log has its details.
  init?(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let wrong as WrongName: self = wrong.problem
    case let error as InvalidDocument: self = .invalid(error.problems)
    case let error as StoreError: self.init(error)
    case let refusal as AssetRefusal: self.init(refusal)
    case let error as AssetInUse:
      self.init(409, "asset-in-use", error.description.sentence, members: [("uses", error.json)])
    case let error as AssetOfOthers: self.init(403, "forbidden", error.description.sentence)
    case is HandingOver: self = .handingOver
    case let error as NotServedYet:
      self.init(
        503, "database-unavailable", error.description.sentence, fields: [ResponseField("Retry-After", "5")])
    case let error as InvalidKindsFile: self.init(error)
    case let error as KindsBreakContent: self.init(error)
    case let error as UnusableKinds: self.init(409, "kinds-unusable", error.description.sentence)
    case is KindsAreOthers: self.init(409, "kinds-changed", "The kinds were changed meanwhile; try again.")
    default: return nil
    }
  }

  private static let handingOver = Problem(
    503, "handing-over",
    "A successor is taking over from this server. Nothing was changed; try again in a moment.",
    fields: [ResponseField("Retry-After", "1")])

  static func invalid(_ problems: [DocumentProblem]) -> Problem {
    Problem(
      422, "invalid-content", "The document is well-formed, but wrong in \(problems.count) place(s).",
      values: ["count": .count(problems.count)], errors: problems)
  }

  private init(_ refusal: AssetRefusal) {
    switch refusal {
    case .noPicture: self.init(415, "no-picture", refusal.description.sentence)
    case .tooLarge(let bytes, let most):
      self.init(
        413, "picture-too-large", refusal.description.sentence, values: ["bytes": .count(bytes), "most": .count(most)])
    case .tooManyPixels(let pixels, let most):
      self.init(
        422, "too-many-pixels", refusal.description.sentence, values: ["pixels": .count(pixels), "most": .count(most)])
    case .full(let bytes, let count, let limits):
      let values: JSONObject = [
        "bytes": .count(bytes), "count": .count(count), "most": .count(limits.countMax),
        "bytesMost": .count(limits.totalBytesMax),
      ]
      self.init(507, "assets-full", refusal.description.sentence, values: values)
    case .shareFull(let bytes, let count, let limits):
      let values: JSONObject = [
        "bytes": .count(bytes), "count": .count(count), "most": .count(limits.sourceCountMax),
        "bytesMost": .count(limits.sourceBytesMax),
      ]
      self.init(507, "assets-share-full", refusal.description.sentence, values: values)
    }
  }

  private init(_ error: StoreError) {
    switch error {
    case .notFound(let what, let name, let known):
      let code = "unknown-" + what.replacing(" ", with: "-")
      var values: JSONObject = ["name": .string(name)]
      if !known.isEmpty, Self.valueNames[code]?.contains("known") == true {
        values["known"] = .array(known.map { .string($0) })
      }
      self.init(404, code, error.description.sentence, values: values)
    case .stale(let stale):
      self.init(stale)
    case .preconditionRequired: self = .preconditionRequired
    case .waiting(let waiting):
      self.init(
        409, "waits-in-schedule",
        "\(error.description.sentence) Say \"waiting\": \"carry\" to have it wait as it is published now, or \"leave\" to have it "
          + "be as it was scheduled when that is due.",
        values: ["at": .string(waiting.first?.at.description ?? "")],
        members: [("waiting", .array(waiting.map(\.json)))])
    case .conflict(let code, let detail, let values): self.init(409, code, detail.sentence, values: values)
    case .invalid(let problems): self = .invalid(problems)
    case .order(.wrong(let problems)):
      self.init(
        422, "invalid-order", "The order is wrong in \(problems.count) place(s).",
        values: ["count": .count(problems.count)], errors: problems)
    case .order(let error):
      let values: JSONObject =
        switch error {
        case .unknownSection(let id), .nextToItself(let id): ["section": .string(id)]
        case .unknownItem(let id), .itemNextToItself(let id): ["item": .string(id)]
        case .wrong: [:]
        }
      self.init(422, "invalid-order", error.description.sentence, values: values)
    case .database(let failure): self.init(failure)
    }
  }

  private init(_ stale: StoreError.Stale?) {
    guard let stale else {
      self.init(412, "stale", "If-Match names what is not there; leave it out, or send *, to make it.")
      return
    }
    self.init(
      412, "stale", "It was changed by \(stale.changedBy) at \(stale.changedAt); read it again and decide.",
      fields: [ResponseField("ETag", stale.tag)],
      members: [
        ("etag", .string(stale.tag)), ("changedBy", .string(stale.changedBy)),
        ("changedAt", .string(stale.changedAt.description)),
      ])
  }
}
