import Foundation
import HomePayload
import JSON
import Service
import Testing

/// nginx as a shared cache in front, which knows nothing of 226 (RFC 3229).
private final class CachingProxy {
  let port: UInt16
  private let process = Process()
  private let folder: String

  init(upstream: UInt16) throws {
    folder = try RunningServer.makeFolder()
    port = UInt16.random(in: 20_000...29_999)
    let configuration = """
      daemon off; worker_processes 1; error_log \(folder)/error.log; pid \(folder)/pid;
      events { worker_connections 256; }
      http {
        access_log off;
        client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
        uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
        proxy_cache_path \(folder)/cache keys_zone=pages:1m;
        server {
          listen 127.0.0.1:\(port);
          location / {
            proxy_pass http://127.0.0.1:\(upstream);
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            # As careless as a cache can be: conditions and A-IM go through, and any status may be kept.
            proxy_set_header If-None-Match $http_if_none_match;
            proxy_cache pages;
            add_header X-Cache $upstream_cache_status always;
          }
        }
      }
      """
    try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    let paths = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
    let path = try #require(paths.first { FileManager.default.isExecutableFile(atPath: $0) }, "nginx is not installed")
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-e", folder + "/error.log", "-c", folder + "/nginx.conf"]
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func get(_ path: String, _ fields: [String: String] = [:]) async throws -> Reply {
    try await Reply(port: port, "GET", path, fields, nil)
  }

  func stop() throws {
    process.terminate()
    process.waitUntilExit()
    try FileManager.default.removeItem(atPath: folder)
  }
}

@Suite struct SharedCacheTests {
  @Test func `a cache that knows nothing of 226 never gives one to the wrong client`() async throws {
    try await withServer([Demo.long]) { server in
      let proxy = try CachingProxy(upstream: server.server.publicPort)
      do {
        try await waitUntil { (try? await proxy.get("/healthz"))?.status == 200 }
        try await exercise(server, proxy)
      } catch {
        try proxy.stop()
        throw error
      }
      try proxy.stop()
    }
  }

  private func exercise(_ server: RunningServer, _ proxy: CachingProxy) async throws {
    let old = try Page(bytes: Array(try await server.get("/v1/home").body))
    let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "New"}}]}"#
    let published = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", body)
    #expect(published.status == 200)
    let holding = ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(old.version)\"", "Accept-Encoding": "gzip"]
    // The 226 goes through, and is not kept: neither for its own kind of client nor for others.
    for _ in 0..<2 {
      let changed = try await proxy.get("/v1/home", holding)
      #expect(changed.status == 226)
      #expect(changed["X-Cache"] != "HIT")
    }
    let whole = try await proxy.get("/v1/home", ["Accept-Encoding": "gzip"])
    #expect(whole.status == 200)
    let page = try Page(bytes: Array(whole.body))
    #expect(page.version != old.version)
    // The whole page is kept, and is right for everyone.
    let again = try await proxy.get("/v1/home", ["Accept-Encoding": "gzip"])
    #expect(again["X-Cache"] == "HIT")
    #expect(again.body == whole.body)
    let served = try await proxy.get("/v1/home", holding)
    #expect([200, 226].contains(served.status))
    if served.status == 200 { #expect(try Page(bytes: Array(served.body)) == page) }
  }
}
