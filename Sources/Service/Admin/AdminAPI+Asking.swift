import HTTPClient
import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  var askingRoutes: [Route] {
    let path = "pages/{page}/sections/{section}/asked"
    return [
      Route("GET", path, .viewer) { [self] context in
        var object: JSONObject = ["isOn": .bool(asker.isOn)]
        if let found = asker.sections.first(where: { $0.page == context.page && $0.section == context.section }) {
          object["asks"] = found.asking.json
          for member in found.json(at: clock()) { object[member.name] = member.value }
        } else {
          _ = try await store.section(context.page, context.section)
        }
        return .value(.object(object))
      },
      Route("GET", path + "/answer", .editor) { [self] context in
        let section = try await store.section(context.page, context.section).section
        return .value(.object(await tried(section)))
      },
    ]
  }

  /// What the mapping of the draft's section makes of the endpoint's answer now.
  private func tried(_ section: SectionDefinition) async -> JSONObject {
    guard let asking = section.settings.loading.asks else {
      return ["failure": "the section of the draft asks nothing: it has no 'asks'", "errors": []]
    }
    do throws(SourceFailure) {
      let answer = try await asker.trial(of: asking, for: section.id)
      var section = section
      section.content = answer.content ?? SectionContent()
      return [
        "bytes": .count(answer.bytes), "content": section.content.json, "errors": Self.listed(problems(in: section)),
      ]
    } catch { return ["failure": .string(error.description), "errors": Self.listed(error.problems)] }
  }

  private static func listed(_ problems: [DocumentProblem]) -> JSON {
    .array(problems.prefix(Problem.errorsMax).map(\.json))
  }

  /// What is wrong with a section's settings and content, the address that it asks among them.
  func problems(inWritten section: SectionDefinition) -> [DocumentProblem] {
    let found = problems(in: section)
    guard let asking = section.settings.loading.asks else { return found }
    let place = JSONPointer(["asks", "url"])
    guard let url = OutgoingURL(asking.url) else {
      return found + [DocumentProblem(pointer: place, Sentence.text(OutgoingURL.expected).demanded)]
    }
    guard let refusal = asker.refusal(of: url) else { return found }
    return found + [DocumentProblem(pointer: place, Sentence.text("a public address: \(refusal)").demanded)]
  }
}

extension AskedSection {
  /// What came of asking for it.
  func json(at instant: Instant) -> JSONObject {
    var object: JSONObject = ["every": .count(asking.every), "age": .count(age(at: instant))]
    object["answeredAt"] = state.answeredAt.map { .string($0.description) }
    object["triedAt"] = state.triedAt.map { .string($0.description) }
    object["failure"] = state.failure.map { .string($0) }
    return object
  }
}
