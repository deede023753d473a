// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The object behind a `fovea_error`.
final class ErrorObject {
  let code: CText
  let message: CText
  let remedy: CText
  let subject: CText?

  init(_ error: FoveaError) {
    code = CText(error.code.rawValue)
    message = CText(error.messageForC)
    remedy = CText(error.remedyForC)
    subject = error.subject.map { CText($0) }
  }
}

/// Calls `body` and returns the error that it throws for C; nil on success.
func failing(_ body: () throws(FoveaError) -> Void) -> OpaquePointer? {
  do throws(FoveaError) {
    try body()
    return nil
  } catch {
    return unsafe Handle.make(ErrorObject(error))
  }
}

extension OptionProblem {
  /// The message in the wording of the C interface, from which other languages derive theirs.
  fileprivate var c: String { "The option '\(name)' is '\(value.prefix(80))', \(expected) expected" }
}

extension Advice.Term {
  /// The wording of the C interface, from which other languages derive theirs.
  var c: String {
    switch self {
    case .option(let name, let value): "the option '\(name)'" + (value.map { " = '\($0)'" } ?? "")
    case .raisedLimit, .otherModels: ""
    case .runtimeSetup: "Name libLiteRt.so with fovea_runtime_set"
    case .modelHost: "the host"
    case .detector: "fovea_detector_open"
    case .labeler: "fovea_labeler_open"
    case .segmenter(let family):
      "fovea_segmenter_open"
        + (family.map { " with \(Self.option("family", $0).c)" } ?? "")
    case .embedder: "fovea_embedder_open"
    case .inspect: "fovea_inspect"
    case .layer: "\(program) of \(Self.command("embed").program)"
    case .flag: swift
    case .command: program
    case .call: "'\(program)'"
    }
  }
}

extension Failure where Code == FoveaCode {
  /// The message in the wording of the C interface.
  var messageForC: String { option?.c ?? message }
  /// The remedy in the wording of the C interface.
  var remedyForC: String { remedy.text(\.c) }

  /// Returns the error for an invalid argument.
  static func argument(_ message: String, remedy: Advice = "See fovea.h", subject: String? = nil)
    -> FoveaError
  {
    FoveaError(.argumentInvalid, message, remedy: remedy, subject: subject)
  }
}
