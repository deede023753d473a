// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A program that was started: its process number, and the descriptors of its output.
///
/// It has an empty standard input, blocks no signals, and inherits no other files, neither those opened to be
/// inherited nor those that another thread has just opened. The caller closes both descriptors and waits for
/// its end.
package struct SpawnedProgram: Sendable {
  /// The number of the process.
  package let number: pid_t
  /// The descriptor of its standard output.
  package let output: Int32
  /// The descriptor of its standard error; below 0 if it is joined to `output`.
  package let messages: Int32

  // One at a time: a program started between the creation of a pipe and its close-on-exec flag would keep the
  // pipe open.
  private static let starting = Mutex(())

  /// Starts a program.
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: All of its variables, `NAME=value`.
  ///   - joinsStreams: Whether standard error is joined to standard output.
  ///   - endsWithStarter: Whether the program, which must be one of Fovea's, ends when the thread that starts
  ///     it ends, at the latest with its process. That thread must wait for the program's end.
  /// - Throws: The system's reason if a pipe cannot be created or the program cannot be started.
  package init(
    _ program: String, _ arguments: [String], environment: [String], joinsStreams: Bool = false,
    endsWithStarter: Bool = false
  ) throws(SystemError) {
    let environment = environment + (endsWithStarter ? ["\(ParentProcess.variable)=\(getpid())"] : [])
    self = try Self.starting.withLock { _ throws(SystemError) in
      let output = try Descriptor.pipe()
      defer { close(output.write) }
      do throws(SystemError) {
        let messages = joinsStreams ? (read: -1, write: output.write) : try Descriptor.pipe()
        defer { if !joinsStreams { close(messages.write) } }
        do throws(SystemError) {
          let number = try Self.spawn(program, arguments, environment, output.write, messages.write)
          return Self(number: number, output: output.read, messages: messages.read)
        } catch {
          if !joinsStreams { close(messages.read) }
          throw error
        }
      } catch {
        close(output.read)
        throw error
      }
    }
  }

  private init(number: pid_t, output: Int32, messages: Int32) {
    self.number = number
    self.output = output
    self.messages = messages
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String], _ output: Int32, _ messages: Int32
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
    #if !canImport(Darwin)
    unsafe closeOthers(&actions)
    #endif
    // The caller's threads may block signals; the program must react to Ctrl-C.
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #if canImport(Darwin)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var number = pid_t()
    return try unsafe withCStrings([program] + arguments) { arguments throws(SystemError) in
      try unsafe withCStrings(environment) { environment throws(SystemError) in
        // Another program that starts at this moment may hold the executable open for writing until it runs.
        for _ in 0..<20 {
          let status = unsafe posix_spawn(&number, program, &actions, &attributes, arguments, environment)
          guard status == ETXTBSY else {
            guard status == 0 else { throw SystemError(status) }
            return number
          }
          _ = poll(nil, 0, 10)
        }
        throw SystemError(ETXTBSY)
      }
    }
  }
}

#if !canImport(Darwin)
extension SpawnedProgram {
  /// Makes the new program close every descriptor from 3 up, including those that other threads open in the
  /// meantime.
  private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
    // glibc has it since 2.34, but Swift's module of glibc lacks it.
    if let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
      typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt
      // SAFETY: the function has this type in every C library that has it.
      let closeFrom = unsafe unsafeBitCast(symbol, to: Function.self)
      if unsafe closeFrom(&actions, STDERR_FILENO + 1) == 0 { return }
    }
    // The descriptors open now; closing one in the meantime is not an error.
    guard let names = try? Folder.names(in: "/proc/self/fd") else { return }
    for number in names.compactMap({ CInt($0) }) where number > STDERR_FILENO {
      unsafe posix_spawn_file_actions_addclose(&actions, number)
    }
  }
}
#endif

/// Calls a function with a nil-terminated array of C strings that live as long as the call.
private func withCStrings<R>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws(SystemError) -> R
) throws(SystemError) -> R {
  var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return try unsafe pointers.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
    // SAFETY: the array contains at least the final nil, so the buffer has an address.
    try unsafe body(buffer.baseAddress.unsafelyUnwrapped)
  }
}
