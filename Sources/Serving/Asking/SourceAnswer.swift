import HTTPClient
import JSON
package import Layout

/// Why nothing could be made of an endpoint's answer.
package struct SourceFailure: Error, CustomStringConvertible {
  /// What is wrong, in words.
  package let description: String
  /// What is wrong in which place, where an answer came.
  package var problems: [DocumentProblem] = []

  init(_ description: String, problems: [DocumentProblem] = []) {
    // Not more than a line of a list.
    self.description = String(String.UnicodeScalarView(description.unicodeScalars.prefix(500)))
    self.problems = problems
  }

  init(_ document: InvalidDocument) {
    self.init("the answer is refused: \(document)", problems: document.problems)
  }
}

/// What an endpoint has answered.
package struct SourceAnswer: Sendable {
  /// What is sent with the next request, so that an answer that is the same need not come again.
  struct Validators: Hashable, Sendable {
    var entityTag: String?
    var lastModified: String?

    fileprivate var fields: [(name: String, value: String)] {
      // RFC 9110 §13.1.3: the tag counts alone where there is one.
      if let entityTag { return [("If-None-Match", entityTag)] }
      return lastModified.map { [("If-Modified-Since", $0)] } ?? []
    }
  }

  /// The content that it comes to; `nil` where it is what it was (304).
  package let content: SectionContent?
  /// How many bytes came.
  package let bytes: Int
  let validators: Validators
  /// The fingerprint of the bytes.
  let fingerprint: String
}

/// Asks one endpoint.
struct SourceRequest {
  let client: HTTPClient
  let settings: SourceSettings
  let context: DefinitionContext

  /// Asks, and makes content of the answer.
  ///
  /// - Parameter validators: Those of the last answer, where its content still stands.
  /// - Throws: ``SourceFailure``.
  func answer(
    of asking: Asking, for section: String, validators: SourceAnswer.Validators? = nil
  ) async throws(SourceFailure) -> SourceAnswer {
    guard let url = OutgoingURL(asking.url) else {
      throw SourceFailure("the address must be \(OutgoingURL.expected)")
    }
    let conditions = validators?.fields ?? []
    var fields: [(name: String, value: String)] = [("Accept", "application/json")]
    fields += try credential(of: asking, for: url)
    fields += conditions
    let came: HTTPAnswer
    do throws(HTTPClientFailure) {
      came = try await client.get(
        url, fields: fields, timeout: .seconds(asking.timeout), bytesMax: settings.answerBytesMax)
    } catch { throw SourceFailure(error.description) }
    let fingerprint = Fingerprint.of(came.body)
    let newer = SourceAnswer.Validators(entityTag: came.entityTag, lastModified: came.lastModified)
    if came.status == 304, !conditions.isEmpty {
      return SourceAnswer(content: nil, bytes: 0, validators: validators ?? newer, fingerprint: fingerprint)
    }
    guard came.status == 200 else {
      let isElsewhere = (301...308).contains(came.status) && came.status != 304
      throw SourceFailure("it answered \(came.status)" + (isElsewhere ? "; redirects are not followed" : ""))
    }
    let json: JSON
    do { json = try JSON.parse(came.body) } catch { throw SourceFailure("the answer is no JSON: \(error)") }
    do throws(InvalidDocument) {
      let content = try asking.content(of: json, section: section, in: context)
      return SourceAnswer(content: content, bytes: came.body.count, validators: newer, fingerprint: fingerprint)
    } catch { throw SourceFailure(error) }
  }

  private func credential(
    of asking: Asking, for url: OutgoingURL
  ) throws(SourceFailure) -> [(name: String, value: String)] {
    guard let name = asking.credential else { return [] }
    let credential = try SourceCredential(name, in: settings.credentialsFolder)
    guard credential.origin == url.origin else {
      throw SourceFailure("the credential \(name) is for another server than the address names")
    }
    return credential.fields
  }
}
