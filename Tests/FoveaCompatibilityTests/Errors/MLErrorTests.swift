// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import Testing

@testable import FoveaCompatibility

/// Errors of the lower layers under Google's names.
@Suite struct MLErrorTests {
  /// A code of Fovea's, and its mapping.
  struct Case: CustomTestStringConvertible {
    let code: String
    let kind: MLError.Code
    var status: Int?
    var testDescription: String { code }
  }

  static let cases = [
    Case(code: "cancelled", kind: .cancelled), Case(code: "run-failed", kind: .internal),
    Case(code: "runtime-missing", kind: .failedPrecondition),
    Case(code: "option-invalid", kind: .invalidArgument),
    Case(code: "image-truncated", kind: .invalidArgument), Case(code: "image-not-found", kind: .notFound),
    Case(code: "image-unsupported-pixel-format", kind: .invalidArgument),
    Case(code: "image-out-of-memory", kind: .resourceExhausted),
    Case(code: "model-unreadable", kind: .invalidArgument, status: 102),
    Case(code: "model-invalid", kind: .modelIncompatible, status: 3),
    Case(code: "metadata-missing-file", kind: .notFound, status: 100),
    Case(code: "metadata-compressed-archive", kind: .modelIncompatible, status: 202),
    Case(code: "unknown-family", kind: .modelIncompatible), Case(code: "unexpected", kind: .unknown),
  ]

  @Test("A code is mapped to its kind, and texts and cause stay", arguments: cases)
  func codes(_ row: Case) {
    let error = FoveaError(
      .init(rawValue: row.code), "It happened", remedy: "Do this", subject: "cat.jpg")
    let translated = MLError(error)
    #expect(translated.code == row.kind)
    #expect(translated.modelStatus == row.status)
    #expect(translated.description == "cat.jpg: It happened. Do this.")
    #expect((translated.cause as? FoveaError)?.code == error.code)
  }

  @Test("As an NSError it has a domain, the number of its kind, both texts and the status")
  func bridging() {
    let error = MLError(.modelIncompatible, "It happened", remedy: "Do this", modelStatus: 208) as NSError
    #expect(error.domain == "fovea.mlkit")
    #expect(error.code == 100)
    #expect(error.localizedDescription == "It happened. Do this.")
    #expect(error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String == "Do this")
    #expect(error.userInfo[MLError.modelStatusKey] as? Int == 208)
  }

  @Test("Only a model that cannot be opened gets ML Kit's message")
  func words() {
    let missing = MLError(
      FoveaError(
        .init(rawValue: "metadata-no-model"), "The folder has no model", remedy: "Give one"))
    #expect(missing.about(model: "m").message == "Local model path (m) is invalid: The folder has no model")
    let twice = [
      ("Cannot read the model 'm': no", "Cannot read the model: no"),
      ("'m' is no model", "It is no model"), ("'me' is no model", "'me' is no model"),
    ]
    for (message, reason) in twice {
      let error = FoveaError(.init(rawValue: "model-unreadable"), message, remedy: "")
      #expect(MLError(error).about(model: "m").message == "Local model path (m) is invalid: \(reason)")
    }
    let option = MLError(FoveaError(.optionInvalid, "No", remedy: "Yes"))
    #expect(option.about(model: "m").message == "No")
  }
}
