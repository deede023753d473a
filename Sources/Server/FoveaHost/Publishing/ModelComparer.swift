// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Compares a file to publish with another model, with the program `fovea`.
package enum ModelComparer {
  /// The path of a model, and its name in figures and messages.
  package typealias Model = (path: String, name: String)

  /// Runs both models in turns on photos.
  /// - Parameters:
  ///   - program: The path of `fovea`.
  ///   - options: The options of its comparison.
  ///   - first: The model that is the measure.
  ///   - second: The file to publish.
  ///   - isCancelled: Returns whether to stop; polled on another thread.
  /// - Returns: The figures as the program prints them, empty if there are none; and the error of a file that
  ///   agrees too little or cannot be compared on all photos, nil for others.
  /// - Throws: `unavailable` if the program is missing or has another version; `cancelled`.
  package static func run(
    _ program: String, options: [String], _ first: Model, _ second: Model,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws(HostError) -> (figures: String, refusal: HostError?) {
    let run = try await BlockingWork.run { _ throws(HostError) in
      try ProgramRun(
        program, ["model", "compare"] + options + ["--", first.path, second.path], publishing: "file",
        limit: .seconds(86_400), isCancelled)
    }
    let names: KeyValuePairs = [first.path: first.name, second.path: second.name]
    let output = String(decoding: run.output, as: UTF8.self)
    let figures = names.reduce(output) { $0.replacing($1.key, with: $1.value) }
    switch run.end {
    case .exited(0): return (figures, nil)
    case .exited(64):
      throw HostError(
        .unavailable, "The program 'fovea' next to this one does not support this comparison",
        remedy: "Build both programs from the same version")
    default:
      var reason = "the comparison did not end by itself"
      if case .exited = run.end { reason = ProgramModelRunner.reason(run.messages, names) }
      return (
        figures,
        HostError(
          .precondition, "Nothing was published: \(reason)",
          remedy: "Correct that, or publish the file without a comparison")
      )
    }
  }
}
#endif
