// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost

extension PublishCommand {
  /// Compares the file at `path` with a published version, and prints the figures except with `--json`.
  /// - Parameters:
  ///   - path: The file to publish, of a folder the packed one.
  ///   - published: The name of a channel, or the number of a version.
  ///   - host: The host.
  /// - Returns: The figures with `--json`; `null` if the model has no stable version yet.
  /// - Throws: `precondition` for a file that agrees too little or cannot be compared on all photos;
  ///   `not-found`, `unavailable`, `cancelled`.
  func compared(
    _ path: String, with published: String, _ host: HostClient
  ) async throws(HostError) -> String {
    var number = Int(published)
    if number == nil { number = try await host.version(of: name, channel: published) }
    guard let number else {
      guard published == HostModel.stable else {
        throw HostError(
          .notFound, "The channel '\(published)' of the model '\(name)' has no version to compare with",
          remedy: "See its channels with \(call: "host show \(name)")")
      }
      CommandEnd.warn("'\(name)' has no stable version yet: there is nothing to compare with.")
      return "null"
    }
    let other = "\(name) version \(number)"
    let isJSON = client.output.json
    let (figures, refusal) = try await TemporaryPlace.with { place throws(HostError) in
      let file = place + "/published.tflite"
      try await host.download(number, of: name, to: file, isCancelled: { Interrupt.isRequested })
      PublishMeter.show("comparing with \(other)")
      return try await ModelComparer.run(
        ProgramModelRunner.nextToThisProgram().program,
        options: comparison.arguments + (isJSON ? ["--json"] : []), (file, other), (path, self.file),
        isCancelled: { Interrupt.isRequested })
    }
    if !isJSON, !figures.isEmpty { try CommandEnd.print("compared with \(other) on \(figures)") }
    if let refusal { throw refusal }
    return figures
  }
}

extension HostClient.Reply {
  /// Returns the reply, a JSON object, with the figures of a comparison as its last member.
  func with(comparison figures: String) -> HostClient.Reply {
    let members = json.prefix(upTo: json.lastIndex(of: "}") ?? json.endIndex)
    return HostClient.Reply(json: "\(members), \"comparison\": \(figures.trimmedLine.dropLast())}")
  }
}
#endif
