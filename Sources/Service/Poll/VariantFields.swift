import HTTPServer
import Publication
import Storage

/// The fields of a variant's responses; Cache-Control, Date and Content-Length are the engine's.
struct VariantFields {
  let tag: String
  /// `Hearth-Revision`: which edition it is of, so that parts of one page are seen to be of one edition.
  private let edition: EditionNumber
  /// The version that a change set starts from; `nil` for a whole document.
  private var base: String?

  init(_ variant: Variant, of edition: Edition) {
    tag = "W/\"\(variant.version)\""
    self.edition = edition.number
  }

  /// The fields of the changes since a version.
  func changes(from version: String) -> VariantFields {
    var fields = self
    fields.base = version
    return fields
  }

  /// What a 304 repeats of its 200 (RFC 9110 §15.4.5).
  var validators: [ResponseField] {
    let varied = base == nil ? "" : ", A-IM, If-None-Match"
    return [
      ResponseField("ETag", tag), .edition(edition),
      ResponseField("Vary", "Accept-Encoding, Accept-Language\(varied)"),
    ]
  }

  func all(_ coding: ContentCoding) -> [ResponseField] {
    var fields = [ResponseField("Content-Type", "application/json")]
    switch coding {
    case .identity: break
    case .gzip: fields.append(ResponseField("Content-Encoding", "gzip"))
    case .brotli: fields.append(ResponseField("Content-Encoding", "br"))
    }
    if let base {
      fields += [ResponseField("IM", "hearth-changes"), ResponseField("Delta-Base", "W/\"\(base)\"")]
    }
    return fields + validators
  }
}

extension ResponseField {
  /// Generation and revision: `1.42`.
  static func edition(_ number: EditionNumber) -> ResponseField { ResponseField("Hearth-Revision", "\(number)") }
}
