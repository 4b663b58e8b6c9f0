import Foundation
import Glibc
import HTTPServer
import Synchronization

/// An endpoint of somebody else's that answers as badly as it is told: it sends any bytes.
public final class FakeEndpoint: Sendable {
  /// What it does with a request.
  public enum Deed: Sendable {
    /// It sends these bytes, and closes the connection.
    case sends([UInt8])
    /// It sends these bytes, and then one more again and again, until the other side has gone.
    case drips([UInt8])
    /// It sends nothing until the other side has gone.
    case waits

    /// An answer as it should be.
    public static func answer(_ status: String, _ fields: [String] = [], _ body: String = "") -> Deed {
      let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
      return .sends(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }

    /// JSON.
    public static func json(_ body: String, _ fields: [String] = []) -> Deed { .answer("200 OK", fields, body) }
  }

  private struct State {
    var requests: [String] = []
    var isOver = false
  }

  private let sockets: ListeningSockets
  private let state = Box()

  private final class Box: Sendable {
    let value = Mutex(State())
  }

  /// Where it listens.
  public var port: UInt16 { sockets.port }
  /// The heads of all requests, in their order.
  public var requests: [String] { state.value.withLock { $0.requests } }

  /// - Parameter answer: What it does with a request's head; called on a thread of the connection.
  public init(host: String = "127.0.0.1", answering answer: @escaping @Sendable (String) -> Deed) throws {
    sockets = try ListeningSockets(host: host, port: 0, count: 1)
    let (listener, state) = (sockets.descriptors[0], self.state)
    Thread.detachNewThread {
      while !state.value.withLock({ $0.isOver }) {
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, 50) > 0 else { continue }
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        Thread.detachNewThread {
          Self.serve(connection, state, answer)
          close(connection)
        }
      }
      close(listener)
    }
  }

  /// Answers no more.
  public func stop() { state.value.withLock { $0.isOver = true } }

  private static func serve(_ connection: Int32, _ state: Box, _ answer: (String) -> Deed) {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      var byte: UInt8 = 0
      guard unsafe recv(connection, &byte, 1, 0) == 1 else { return }
      head.append(byte)
    }
    let request = String(decoding: head, as: UTF8.self)
    state.value.withLock { $0.requests.append(request) }
    switch answer(request) {
    case .sends(let bytes): _ = send(bytes, to: connection)
    case .drips(let bytes):
      var goesOn = send(bytes, to: connection)
      while goesOn, !state.value.withLock({ $0.isOver }) {
        usleep(20_000)
        goesOn = send([0x20], to: connection)
      }
    case .waits:
      var byte: UInt8 = 0
      while unsafe recv(connection, &byte, 1, 0) > 0 {}
    }
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
