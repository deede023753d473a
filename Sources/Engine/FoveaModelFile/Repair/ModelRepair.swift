// SPDX-License-Identifier: Apache-2.0

/// Something in a model that LiteRT would stumble over, and what is done about it in memory; the file stays unchanged.
///
/// A repair changes no number that the model computes with: it takes away what contradicts the graph, or states what the
/// graph leaves to be guessed.
public struct ModelRepair: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a repair; more kinds may come, so compare with `==` instead of switching.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private let text: String

    private init(_ text: String) { self.text = text }

    /// The code in kebab case, for example `signature-ignored`.
    public var description: String { text }

    /// A signature that does not fit the graph is left out; the graph is called by its own inputs and outputs.
    public static let signatureIgnored = Code("signature-ignored")
    /// A scale that a filter has for all channels together is stated for each of them.
    public static let scaleRepeated = Code("scale-repeated")
  }

  /// The kind of repair.
  public let code: Code
  /// What is done and why, as a clause that reads on from "In 'model.tflite' …".
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// A sentence that names the model, without a final stop.
  package func sentence(of modelName: String) -> String { "In '\(modelName)' \(message)" }
}
