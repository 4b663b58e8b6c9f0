import HTTPServer
import Serving

/// The paths below `/admin/v1`, each with its methods: made once, of all routes.
struct RouteTable: Sendable {
  private struct Path {
    /// The path's routes by method; HEAD has GET's.
    var routes: [String: Route]
    /// What `Allow` says.
    var allowed: String { (routes.keys + ["OPTIONS"]).sorted().joined(separator: ", ") }
  }

  private let paths: [Path]

  init(_ routes: [Route]) {
    paths = Dictionary(grouping: routes, by: \.pattern).values.map { routes in
      var methods = Dictionary(routes.map { ($0.method, $0) }, uniquingKeysWith: { first, _ in first })
      methods["HEAD"] = methods["GET"]
      return Path(routes: methods)
    }
  }

  /// The route of a request, `nil` for OPTIONS; its path's parameters, and the methods that the path takes.
  ///
  /// - Throws: ``Problem`` 404, 405, or what is wrong with a parameter: before anyone looks at who asks, since nothing
  ///   is told but what the path itself says. ``WrongName`` where there is something to tell of the body, too.
  func find(
    _ method: String, _ segments: ArraySlice<String>
  ) throws -> (route: Route?, parameters: [String: String], allowed: String) {
    // No two patterns match one path.
    let path = paths.first { $0.routes.values.first?.matches(segments) ?? false }
    guard let path, let any = path.routes.values.first else { throw Problem.notFound }
    let route = path.routes[method]
    guard route != nil || method == "OPTIONS" else { throw Problem.methodNotAllowed(path.allowed) }
    do { return (route, try any.parameters(of: segments), path.allowed) } catch let problem as Problem {
      guard let route, route.mistakes != nil else { throw problem }
      throw WrongName(problem: problem, route: route)
    }
  }
}

/// A path that names what cannot be a name, of a route that can tell what is wrong with the body all the same.
struct WrongName: Error {
  var problem: Problem
  let route: Route
}
