// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaCLI

/// The results of a run of `fovea track`.
struct TrackOutcome {
  var code: Int32
  var output: String
  var errors: String

  /// Runs in this process, with standard output and error in files of `folder`, whose path is removed from
  /// both.
  static func of(
    _ arguments: [String], in folder: TemporaryFolder, stop: StopSignal = StopSignal()
  ) async throws -> TrackOutcome {
    var plan = try TrackPlan(try command(arguments))
    let output = try PhotoRunTests.descriptor(folder["stdout"])
    let errors = try PhotoRunTests.descriptor(folder["stderr"])
    defer {
      close(output)
      close(errors)
    }
    plan.outputDescriptor = output
    plan.errorDescriptor = errors
    let code = await plan.runUntilStopped(stop)
    return TrackOutcome(
      code: code, output: try folder.read("stdout").replacing(folder.path + "/", with: ""),
      errors: try folder.read("stderr").replacing(folder.path + "/", with: ""))
  }

  static func command(_ arguments: [String]) throws -> TrackCommand {
    try #require(try FoveaCommand.parseAsRoot(["track"] + arguments) as? TrackCommand)
  }

  /// The messages, without the line of the run's speed.
  var notes: [String] {
    errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("fovea: ") }
      .map { String($0.dropFirst("fovea: ".count)) }
  }
}

/// A clip of `Tests/Fixtures/video`.
enum VideoFixture {
  static func path(_ name: String) -> String { PackageRoot.path + "/Tests/Fixtures/video/" + name }
}
