// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension Advice {
  /// The text in the words of the command that is running.
  var commandLine: String { commandLine(.current) }

  /// The text in the words of a command.
  func commandLine(_ words: CommandWords) -> String { text(words.text(for:)) }
}

extension Advice.Term {
  /// The words of a command that has every option.
  var commandLine: String {
    switch self {
    case .activation(let value): "--activation" + (value.map { " \($0)" } ?? "")
    case .background(let value): "--background" + (value.map { $0 ? " first" : " none" } ?? "")
    case .family(let value): "--family" + (value.map { " \($0)" } ?? "")
    case .labels(let isFile): "--labels" + (isFile ? " FILE" : "")
    case .normalization(let isValue): "--normalize" + (isValue ? " MEAN,STD" : "")
    case .pixelLimit: "--max-pixels"
    case .raisedLimit: ""
    case .otherModels, .runtimeSetup: swift
    case .benchmark: "--benchmark"
    case .sequences: "--sequences"
    case .unknownIDs: "--ignore-unknown"
    case .uprightBoxes: "--upright"
    case .modelHost: "--host"
    case .detector: "'fovea detect --model'"
    case .labeler: "'fovea label', or for --classifier"
    case .inspect: "'fovea model inspect'"
    case .check: "'fovea model check'"
    case .addMetadata(let arguments): "fovea model add-metadata" + (arguments.isEmpty ? "" : " \(arguments)")
    case .modelList: "'fovea model list'"
    case .replacing: " with --force"
    case .download(let name): "'fovea model pull \(name)'"
    }
  }
}
