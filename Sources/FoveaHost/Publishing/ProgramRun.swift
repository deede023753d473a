// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem
  internal import Synchronization

  /// A program that runs to its end, with limits on its time and on what it prints.
  struct ProgramRun {
    /// How it has ended.
    enum End: Equatable {
      case exited(Int32)
      case killed(signal: Int32)
      /// It was ended here: its time was over.
      case timedOut
      /// It was ended here: it printed more than it may.
      case printedTooMuch
    }

    var end: End
    var output: [UInt8]
    var messages: [UInt8]

    /// Runs a program; waits on the caller's thread.
    /// - Parameters:
    ///   - program: Its path.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: All of its variables, `NAME=value`.
    ///   - limit: After how long it is ended.
    ///   - outputLimit: The most bytes that it may print to each of its two streams.
    /// - Throws: Where it cannot be started.
    init(
      _ program: String, _ arguments: [String], environment: [String], limit: Duration, outputLimit: Int
    ) throws(SystemError) {
      let started = try Self.starting.withLock { _ throws(SystemError) in
        try Self.start(program, arguments, environment)
      }
      defer { for file in [started.output, started.messages] { close(file) } }
      self.output = []
      self.messages = []
      end = .exited(0)
      let deadline = ContinuousClock.now + limit
      let stopped = read(started.output, started.messages, until: deadline, limit: outputLimit)
      end = Self.wait(started.number, until: deadline, stopped)
    }

    /// - Returns: Why it must be ended; nil where it has closed both streams.
    private mutating func read(
      _ output: Int32, _ messages: Int32, until deadline: ContinuousClock.Instant, limit: Int
    ) -> End? {
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      var isOpen = (true, true)
      while isOpen.0 || isOpen.1 {
        guard ContinuousClock.now < deadline else { return .timedOut }
        // A number below 0 is left out.
        var files = [
          pollfd(fd: isOpen.0 ? output : -1, events: Int16(POLLIN), revents: 0),
          pollfd(fd: isOpen.1 ? messages : -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&files, 2, 100)
        if files[0].revents != 0 {
          let count = Descriptor.read(output, into: &chunk)
          if count > 0 { self.output += chunk[..<count] } else { isOpen.0 = false }
        }
        if files[1].revents != 0 {
          let count = Descriptor.read(messages, into: &chunk)
          if count > 0 { self.messages += chunk[..<count] } else { isOpen.1 = false }
        }
        if self.output.count > limit || self.messages.count > limit { return .printedTooMuch }
      }
      return nil
    }

    private static func wait(_ number: pid_t, until deadline: ContinuousClock.Instant, _ stopped: End?) -> End
    {
      var stopped = stopped
      var isKilled = false
      while true {
        if stopped != nil, !isKilled {
          kill(number, SIGKILL)
          isKilled = true
        }
        var status: Int32 = 0
        let answer = unsafe waitpid(number, &status, WNOHANG)
        if answer == number || (answer < 0 && errno != EINTR) {
          if let stopped { return stopped }
          let signal = status & 0x7F
          return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
        }
        if stopped == nil, ContinuousClock.now >= deadline { stopped = .timedOut }
        _ = poll(nil, 0, 2)
      }
    }

    /// One at a time: a program that starts between a pipe and the flag that keeps it to itself would hold it open.
    private static let starting = Mutex(())

    private static func start(
      _ program: String, _ arguments: [String], _ environment: [String]
    ) throws(SystemError) -> (number: pid_t, output: Int32, messages: Int32) {
      let output = try pipe()
      defer { close(output.write) }
      do throws(SystemError) {
        let messages = try pipe()
        defer { close(messages.write) }
        do throws(SystemError) {
          let number = try spawn(
            program, arguments, environment, output: output.write, messages: messages.write)
          return (number, output.read, messages.read)
        } catch {
          close(messages.read)
          throw error
        }
      } catch {
        close(output.read)
        throw error
      }
    }

    private static func spawn(
      _ program: String, _ arguments: [String], _ environment: [String], output: Int32, messages: Int32
    ) throws(SystemError) -> pid_t {
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
      unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      unsafe posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO)
      // The host's threads may block signals.
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
        unsafe withCStrings(environment) { environment in
          unsafe posix_spawn(&number, program, &actions, &attributes, arguments, environment)
        }
      }
      guard status == 0 else { throw SystemError(status) }
      return number
    }

    /// A pipe that no child inherits but by `adddup2`.
    private static func pipe() throws(SystemError) -> (read: Int32, write: Int32) {
      var files: [Int32] = [-1, -1]
      guard systemPipe(&files) == 0 else { throw SystemError(errno) }
      for file in files { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
      return (files[0], files[1])
    }
  }

  // Outside of the structure, whose own `pipe` would hide the system's.
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
#endif
