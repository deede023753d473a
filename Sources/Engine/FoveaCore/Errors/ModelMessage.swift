// SPDX-License-Identifier: Apache-2.0

/// The message of an error about a model, with the model's name, and without it for reports that begin with
/// the name.
///
///     let message: ModelMessage = "The input of \(model: "m.tflite") is text"
///     message.text    // The input of 'm.tflite' is text
///     message.reason  // The input of the model is text
package struct ModelMessage: Sendable, Hashable {
  /// The message with the model's name.
  package private(set) var text: String
  /// The message with "the model" in place of its name.
  package private(set) var reason: String

  /// Joins two parts of a message.
  package static func + (first: ModelMessage, second: ModelMessage) -> ModelMessage {
    var both = first
    both.text += second.text
    both.reason += second.reason
    return both
  }
}

extension ModelMessage: ExpressibleByStringInterpolation {
  /// Creates a message that names no model.
  package init(stringLiteral text: String) { (self.text, reason) = (text, text) }
  /// Creates a message from a literal with interpolated values.
  package init(stringInterpolation: StringInterpolation) {
    (text, reason) = (stringInterpolation.text, stringInterpolation.reason)
  }

  /// A literal under construction.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var reason = ""

    /// Creates an empty message.
    package init(literalCapacity: Int, interpolationCount: Int) {}
    /// Appends the text between values.
    package mutating func appendLiteral(_ literal: String) {
      text += literal
      reason += literal
    }
    /// Appends a value as text.
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendLiteral(value.description)
    }
    /// Appends another message in its two forms.
    package mutating func appendInterpolation(_ message: ModelMessage) {
      text += message.text
      reason += message.reason
    }
    /// Appends a model's name in quotes, or "the model".
    package mutating func appendInterpolation(model name: String) {
      let article = text.isEmpty ? "The" : "the"
      text += "'\(name)'"
      reason += article + " model"
    }
    /// Appends "the model" with its name in quotes, or without it.
    package mutating func appendInterpolation(theModel name: String) {
      let article = text.isEmpty ? "The" : "the"
      text += "\(article) model '\(name)'"
      reason += article + " model"
    }
  }
}

extension Failure {
  /// Creates an error about a model.
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: The problem, with and without the model's name.
  ///   - remedy: The next step for the user.
  @_disfavoredOverload package init(_ code: Code, _ message: ModelMessage, remedy: Advice) {
    self.init(code, message.text, remedy: remedy)
    reason = message.reason
  }
}
