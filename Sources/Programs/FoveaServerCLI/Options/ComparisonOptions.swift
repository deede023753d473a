// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser

/// The comparison of a file with a published version of its model.
struct ComparisonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Publish only if it agrees with this channel or version; needs --photos.", valueName: "which"))
  var compareWith: String?

  @Option(help: ArgumentHelp("Photos and folders of photos; may be repeated.", valueName: "path"))
  var photos: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Least agreement, 0 to 1 (default: 0.9).", valueName: "x"))
  var atLeast: Double?

  func validate() throws {
    guard compareWith != nil else {
      guard photos.isEmpty, atLeast == nil else {
        throw ValidationError("--photos and --at-least are for --compare-with: give it too.")
      }
      return
    }
    if photos.isEmpty { throw ValidationError("Name photos or a folder of them: --photos <path>.") }
    if photos.contains("") { throw ValidationError("--photos needs the name of a folder.") }
    if photos.contains("-") { throw ValidationError("--photos reads files, not standard input.") }
    if let atLeast, !(0...1).contains(atLeast) {
      throw ValidationError("--at-least must be between 0 and 1, got \(atLeast).")
    }
  }

  /// The options of `fovea model compare`.
  var arguments: [String] {
    ["--quiet", "--published", "--at-least=\(atLeast ?? 0.9)"] + photos.map { "--photos=\($0)" }
  }
}
#endif
