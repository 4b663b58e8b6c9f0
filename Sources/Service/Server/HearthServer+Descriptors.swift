import HTTPServer
import Logging

extension HearthServer {
  /// What the process needs beside connections: loops, listening sockets, the database's files, the log.
  private static let descriptorsKept = 64

  /// Says how many descriptors there are, and warns where the connections that are allowed would take them all.
  func reportDescriptors(connections: Int) {
    let most = Limits.descriptorsMax
    logger.info("descriptors", metadata: ["max": "\(most)"])
    guard connections > most - Self.descriptorsKept else { return }
    logger.warning(
      """
      more connections are allowed than there are descriptors; raise the hard limit (LimitNOFILE), or lower \
      public.connectionsMax and admin.connectionsMax
      """,
      metadata: ["descriptors": "\(most)", "connections": "\(connections)"])
  }
}
