// SPDX-License-Identifier: Apache-2.0

import FoveaSystem
import Synchronization

/// The system's side of a child process.
final class Child: Sendable {
  private let number: pid_t
  /// Whether the system has forgotten the number, which may be another process's from then on.
  private let isGone = Mutex(false)

  private init(number: pid_t) { self.number = number }

  /// Sends a signal, as long as the process is there.
  func signal(_ signal: Int32) {
    isGone.withLock { if !$0 { kill(number, signal) } }
  }

  /// Starts a program.
  /// - Returns: The process, and where its standard output and standard error are read; the second is below 0 where the
  ///   streams are joined.
  static func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], joinsStreams: Bool
  ) throws(TestFailure) -> (child: Child, output: Int32, messages: Int32) {
    // One at a time: a process that starts between a pipe and the flag that keeps it to itself would hold it open.
    try starting.withLock { _ throws(TestFailure) in
      try start(program, arguments, environment: environment, joinsStreams: joinsStreams)
    }
  }

  private static let starting = Mutex(())

  private static func start(
    _ program: String, _ arguments: [String], environment: [String: String], joinsStreams: Bool
  ) throws(TestFailure) -> (child: Child, output: Int32, messages: Int32) {
    let output = try pipe()
    defer { close(output.write) }
    let messages = joinsStreams ? (read: -1, write: -1) : try pipe()
    defer { if messages.write >= 0 { close(messages.write) } }

    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(
      &actions, joinsStreams ? output.write : messages.write, STDERR_FILENO)
    // The threads of the tests block signals; the child must be open to Ctrl-C.
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var number = pid_t()
    let status = unsafe withCStrings([program] + arguments) { arguments in
      unsafe withCStrings(environment.map { "\($0)=\($1)" }) { environment in
        unsafe posix_spawn(&number, program, &actions, &attributes, arguments, environment)
      }
    }
    guard status == 0 else {
      close(output.read)
      if messages.read >= 0 { close(messages.read) }
      throw TestFailure("\(program) cannot be started: error \(status)")
    }
    return (Child(number: number), output.read, messages.read)
  }

  /// Reads what the process prints and waits for its end; ends it after the limit.
  func wait(
    _ output: Int32, _ messages: Int32, name: String, limit: Duration
  ) -> Result<ChildProcess.Outcome, TestFailure> {
    defer {
      close(output)
      if messages >= 0 { close(messages) }
    }
    let end = ContinuousClock.now + limit
    var outcome = ChildProcess.Outcome(code: -1)
    var isOpen = (output: true, messages: messages >= 0)
    var isOver = false
    while !isOver, isOpen.output || isOpen.messages {
      // A number below 0 is left out.
      var files = [
        pollfd(fd: isOpen.output ? output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen.messages ? messages : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&files, 2, 200)
      if files[0].revents != 0 { isOpen.output = Self.read(output, into: &outcome.standardOutput) }
      if files[1].revents != 0 { isOpen.messages = Self.read(messages, into: &outcome.standardError) }
      isOver = ContinuousClock.now > end
    }
    while !isOver {
      if let status = reap() {
        outcome.code = status
        return .success(outcome)
      }
      _ = poll(nil, 0, 2)
      isOver = ContinuousClock.now > end
    }
    signal(SIGKILL)
    while reap() == nil { _ = poll(nil, 0, 2) }
    return .failure(
      TestFailure(
        "\(name) had not ended after \(limit.components.seconds) s; it printed: \(outcome.output)\(outcome.messages)"
      ))
  }

  /// The exit status; nil while the process runs.
  private func reap() -> Int32? {
    isGone.withLock { isGone in
      var status: Int32 = 0
      let answer = unsafe waitpid(number, &status, WNOHANG)
      guard answer != 0 else { return nil }
      if answer < 0, errno == EINTR { return nil }
      isGone = true
      let signal = status & 0x7F
      return answer < 0 ? -1 : signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
  }

  /// Reads what is there; false at the end.
  private static func read(_ file: Int32, into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = readFile(file, &buffer, buffer.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    bytes += buffer[..<count]
    return true
  }

  /// A pipe that no other child inherits.
  private static func pipe() throws(TestFailure) -> (read: Int32, write: Int32) {
    var files: [Int32] = [-1, -1]
    guard systemPipe(&files) == 0 else { throw TestFailure("there is no pipe: error \(errno)") }
    for file in files { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    return (files[0], files[1])
  }
}

// Outside of the class, whose own `read` and `pipe` would hide the system's.
private func readFile(_ file: Int32, _ bytes: inout [UInt8], _ count: Int) -> Int {
  unsafe read(file, &bytes, count)
}

private func systemPipe(_ files: inout [Int32]) -> Int32 { unsafe pipe(&files) }

/// Calls a function with C strings, ended by nil, that live as long as the call.
private func withCStrings<R>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
    // SAFETY: there is at least the nil at the end, so that the buffer has an address.
    unsafe body(buffer.baseAddress.unsafelyUnwrapped)
  }
}
