// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs many tasks on the objects they may share under the thread sanitizer; scripts/test-threads builds and
/// starts it.
@main
struct ThreadSafety {
  private static let usage = """
    usage: ThreadSafety share [IMAGES]   8 tasks share detector and labeler; each answer must equal the serial one
           ThreadSafety download         8 tasks share 1,000 downloads of three models; each has to end once
           ThreadSafety serve [CALLS]    8 tasks call a server's routes while a model is replaced and unloaded
           ThreadSafety prove-race       writes without a lock: the sanitizer must report it
           ThreadSafety prove-lock       writes under a contended lock: the sanitizer must be silent
    """

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      switch (arguments.first, arguments.dropFirst().first.map { Int($0) }, arguments.count) {
      case ("share", nil, 1): try await share(images: 1000)
      case ("share", let images??, 2) where images >= 1: try await share(images: images)
      case ("download", nil, 1): try await DownloadUse(tasks: 8, observers: 1000).check()
      case ("serve", nil, 1): try await ServerUse(tasks: 8, calls: 4000).check()
      case ("serve", let calls??, 2) where calls >= 1: try await ServerUse(tasks: 8, calls: calls).check()
      case ("prove-race", nil, 1): Proof.race()
      case ("prove-lock", nil, 1): try Proof.lock()
      default:
        print(usage)
        exit(64)
      }
    } catch {
      print("ThreadSafety: error: \(error)")
      exit(1)
    }
  }

  /// Everything that tasks may share, one after the other.
  private static func share(images: Int) async throws {
    let samples = try SampleImage.all()
    let use = SharedUse(tasks: 8, images: images)
    // One session, which all tasks wait for, with several threads; and several sessions, which some wait for.
    for sessions in [1, 3] { try await use.check(try await FoveaWorker(sessions: sessions), on: samples) }
    try await use.check(try MLKitWorker(samples), on: samples)
  }
}

/// The reason why the check failed.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
