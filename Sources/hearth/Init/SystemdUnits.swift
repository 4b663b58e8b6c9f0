import Foundation
import Glibc
import HTTPServer
import Service

/// The units that start an installed Hearth, where systemd runs this machine.
struct SystemdUnits {
  /// Those that systemd starts, sockets first.
  private static let names = ["hearth-public.socket", "hearth-admin.socket", "hearth.service"]

  /// What tells the sockets of other addresses than their units name, to be written.
  let files: [(path: String, text: String)]

  /// - Returns: `nil` where nothing is to be started: systemd does not run here, root does not run this, or it is about
  ///   another folder than the units'.
  init?(for home: NewHome) {
    guard home.folder == ConfigurationFolder.installed, geteuid() == 0,
      FileManager.default.fileExists(atPath: "/run/systemd/system"),
      Self.systemctl("cat", ["hearth.service"])
    else { return nil }
    let listeners = [
      ("public", home.listener, "127.0.0.1:8080"), ("admin", home.adminListener, "127.0.0.1:8081"),
    ]
    files = listeners.filter { $0.1.written != $0.2 }.map { name, listener, _ in
      (
        path: "/etc/systemd/system/hearth-\(name).socket.d/listen.conf",
        text:
          "# The empty line takes away what the unit has.\n[Socket]\nListenStream=\nListenStream=\(listener.written)\n"
      )
    }
  }

  /// Has systemd start them, now and at each boot, and waits until pages are served.
  ///
  /// - Throws: ``Failure`` 69 when they do not start, or nobody answers within ten seconds.
  func start(asking listener: ServerSettings.Listener) throws {
    let command = "systemctl enable --now \(Self.names.joined(separator: " "))"
    guard Self.systemctl("daemon-reload"), Self.systemctl("enable", ["--now"] + Self.names) else {
      throw Failure(.unavailable, "systemd has not started it; look with journalctl -u hearth, then: \(command)")
    }
    let listener = listener.fromHere
    let status = try? ServerQuery.status(
      host: listener.host, port: listener.port, path: "/readyz", timeout: .seconds(10))
    guard status == 200 else {
      throw Failure(.unavailable, "it was started, and is not ready within ten seconds; look with journalctl -u hearth")
    }
    print("systemd has started it, and starts it at each boot")
  }

  /// Whether systemctl does it; what it says goes to standard error, unless it is asked about something.
  private static func systemctl(_ verb: String, _ arguments: [String] = []) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["systemctl", verb] + arguments
    process.standardOutput = FileHandle.nullDevice
    if verb == "cat" { process.standardError = FileHandle.nullDevice }
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
