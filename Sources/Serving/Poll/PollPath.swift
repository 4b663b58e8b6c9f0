import HTTPServer
package import Layout

/// What a path of the public listener leads to.
package enum PollPath: Equatable {
  case pages
  case asset(AssetName)
  case resource(page: String, Resource)
  case items(page: String, section: String)
  case healthz
  case readyz

  /// `nil` when there is nothing at the path.
  package init?(_ path: borrowing Span<UInt8>) {
    guard let segments = path.pathSegments() else { return nil }
    let names = segments.map { String(decoding: $0, as: UTF8.self) }
    if names.count == 3, names.starts(with: ["v1", "assets"]) {
      guard let name = AssetName(names[2]) else { return nil }
      self = .asset(name)
      return
    }
    // Pages and sections are named here; what cannot be a name is not looked for.
    guard names.count < 3 || Slug.isValid(names[2]), names.count < 5 || Slug.isValid(names[4]) else { return nil }
    switch names.count {
    case 1 where names[0] == "healthz": self = .healthz
    case 1 where names[0] == "readyz": self = .readyz
    case 2 where names == ["v1", "home"]: self = .resource(page: "home", .page)
    case 2 where names == ["v1", "pages"]: self = .pages
    case 3 where names.starts(with: ["v1", "pages"]): self = .resource(page: names[2], .page)
    case 4 where names.starts(with: ["v1", "pages"]) && names[3] == "sort-rule":
      self = .resource(page: names[2], .sortRule)
    case 5 where names.starts(with: ["v1", "pages"]) && names[3] == "sections":
      self = .resource(page: names[2], .section(names[4]))
    case 6 where names.starts(with: ["v1", "pages"]) && names[3] == "sections" && names[5] == "items":
      self = .items(page: names[2], section: names[4])
    default: return nil
    }
  }

  /// Whether a client must show the key, when there is one: probes need none, and what loads pictures cannot send it.
  package var needsKey: Bool {
    switch self {
    case .healthz, .readyz, .asset: false
    case .pages, .resource, .items: true
    }
  }
}
