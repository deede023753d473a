// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaRuntime

/// The possible actions of code that has taken over a sandboxed process: the tests sandbox their own thread.
@Suite struct ProcessSealTests {
  struct Attempt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The error number of the attempt; 0 if it is allowed.
    let attempt: @Sendable () -> Int32
    var expected: [Int32] = [EACCES, EPERM]
  }

  private static func number(_ result: Int32) -> Int32 { result < 0 ? errno : 0 }

  private static func failure(_ result: Int) -> Int32 { result < 0 ? errno : 0 }

  static let attempts: [Attempt] = [
    Attempt(testDescription: "opens a file") { number(unsafe open("/etc/passwd", O_RDONLY)) },
    Attempt(testDescription: "opens a folder") { number(unsafe open("/", O_RDONLY | O_DIRECTORY)) },
    Attempt(testDescription: "creates a file") {
      number(unsafe open("/tmp/fovea-sealed", O_WRONLY | O_CREAT, 0o600))
    },
    Attempt(testDescription: "checks whether a file exists") { number(unsafe access("/etc/passwd", F_OK)) },
    Attempt(testDescription: "removes a file") { number(unsafe unlink("/tmp/fovea-none")) },
    Attempt(testDescription: "renames a file") {
      number(unsafe rename("/tmp/fovea-none", "/tmp/fovea-other"))
    },
    Attempt(testDescription: "creates a folder") { number(unsafe mkdir("/tmp/fovea-sealed-folder", 0o700)) },
    Attempt(testDescription: "creates a link") {
      number(unsafe symlink("/etc/passwd", "/tmp/fovea-sealed-link"))
    },
    Attempt(testDescription: "connects over IPv4") {
      number(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    },
    Attempt(testDescription: "connects over IPv6") {
      number(socket(AF_INET6, Int32(SOCK_DGRAM.rawValue), 0))
    },
    Attempt(testDescription: "connects to this machine") {
      number(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    },
    Attempt(testDescription: "creates a pair of sockets") {
      var pair: [Int32] = [-1, -1]
      return number(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair))
    },
    Attempt(testDescription: "executes another program") {
      // If allowed, it replaces the whole test run, which must not succeed then.
      var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
      return number(unsafe execve("/bin/false", &arguments, &arguments))
    },
    Attempt(testDescription: "sends its parent a signal") { number(kill(getppid(), 0)) },
    Attempt(testDescription: "sends every process a signal") { number(kill(-1, 0)) },
    Attempt(testDescription: "raises a limit") {
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return number(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
    },
    Attempt(testDescription: "changes its group") { number(setpgid(0, 0)) },
    Attempt(
      testDescription: "allocates memory",
      attempt: {
        let memory = unsafe mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return unsafe memory == MAP_FAILED ? errno : 0
      }, expected: [0]),
    Attempt(
      testDescription: "writes to an open file", attempt: { failure(unsafe write(STDERR_FILENO, "", 0)) },
      expected: [0]),
    Attempt(
      testDescription: "reads a limit",
      attempt: {
        var limit = rlimit()
        return number(unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit))
      }, expected: [0]),
    Attempt(
      testDescription: "starts a thread",
      attempt: {
        var thread = pthread_t()
        let status = unsafe pthread_create(&thread, nil, { _ in nil }, nil)
        if status == 0 { pthread_join(thread, nil) }
        return status
      }, expected: [0]),
  ]

  /// Whether the system can sandbox a thread, tried on one that ends with it.
  static func canSeal() async throws -> Bool {
    try await onOwnThread { ProcessSeal.close(onlyThisThread: true) }
  }

  /// The results of the attempts on a sandboxed thread.
  private static func sealed(_ attempts: [Attempt]) async throws -> [Int32] {
    let numbers: [Int32]? = try await onOwnThread {
      guard ProcessSeal.close(onlyThisThread: true) else { return nil }
      return attempts.map { $0.attempt() }
    }
    return try #require(numbers)
  }

  @Test(.enabled("neither seccomp nor Landlock") { try await ProcessSealTests.canSeal() })
  func `a sandboxed thread reaches no file, network, program or process, and computes`() async throws {
    let numbers = try await Self.sealed(Self.attempts)
    #expect(numbers.count == Self.attempts.count)
    for (attempt, number) in zip(Self.attempts, numbers) {
      #expect(attempt.expected.contains(number), "\(attempt.testDescription): \(number)")
    }
  }

  @Test(.enabled("neither seccomp nor Landlock") { try await ProcessSealTests.canSeal() })
  func `other threads are unaffected`() async throws {
    _ = try await Self.sealed([])
    let descriptor = unsafe open("/dev/null", O_RDONLY)
    #expect(descriptor >= 0)
    close(descriptor)
  }
}
