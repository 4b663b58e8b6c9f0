import Glibc

/// Whether a signal does nothing to this process, as `nohup` has it for SIGHUP.
func isSignalIgnored(_ number: Int32) -> Bool {
  var action = sigaction()
  unsafe sigaction(number, nil, &action)
  return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
}
