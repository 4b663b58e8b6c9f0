import Glibc

/// Writing to a descriptor that may be anything. Foundation's `FileHandle` ends the process when a write fails.
enum DescriptorWriting {
  /// How much of a text was written.
  enum Result {
    case wholly, partly, not
  }

  /// Writes a text, waiting for a slow reader. SIGPIPE must be ignored, or a closed pipe ends the process.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Result {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        written += count
      } else if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&waiting, 1, -1)
      } else if count == 0 || errno != EINTR {
        return written == 0 ? .not : .partly
      }
    }
    return .wholly
  }

  /// Opens `/dev/null` in place of standard input, output and error where the process was started without them: the next
  /// file that is opened would be taken for one, and log lines written into the database.
  static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is the one that is missing.
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }

  /// Has a write to a closed pipe, or beyond the limit of a file's size, fail instead of ending the process.
  static func survive() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}
