// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct ModelMessageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let message: ModelMessage
    let text: String
    let reason: String
    var testDescription: String { text }
  }

  static let rows: [Case] = [
    Case(message: "There is none", text: "There is none", reason: "There is none"),
    Case(message: "", text: "", reason: ""),
    Case(
      message: "\(model: "a.tflite") has \(2) inputs", text: "'a.tflite' has 2 inputs",
      reason: "The model has 2 inputs"),
    Case(
      message: "The input of \(model: "a b") is text", text: "The input of 'a b' is text",
      reason: "The input of the model is text"),
    Case(
      message: "\(theModel: "a") is damaged", text: "The model 'a' is damaged", reason: "The model is damaged"
    ),
    Case(
      message: "LiteRT cannot open \(theModel: "a"): " + "it has no graph",
      text: "LiteRT cannot open the model 'a': it has no graph",
      reason: "LiteRT cannot open the model: it has no graph"),
    // A name is never looked for in the text: it may be one of its words, or empty.
    Case(
      message: "The input of \(model: "The") is \("'The'")", text: "The input of 'The' is 'The'",
      reason: "The input of the model is 'The'"),
    Case(message: "\(model: "") is empty", text: "'' is empty", reason: "The model is empty"),
  ]

  @Test(arguments: rows) func `a message names its model, and its reason does not`(row: Case) {
    #expect(row.message.text == row.text && row.message.reason == row.reason)
    let error = FoveaError(.unexpected, row.message, remedy: "Try again")
    #expect(error.message == row.text && error.reason == row.reason)
  }

  @Test func `an error without a model is its own reason`() {
    let error = FoveaError(.unexpected, "It failed", remedy: "Try again")
    #expect(error.reason == "It failed" && FoveaError(error).reason == "It failed")
  }
}
