// SPDX-License-Identifier: Apache-2.0

/// A repair of a fault in a model that would break LiteRT, made in memory; the file is unchanged.
///
/// A repair does not change any number that the model computes with: it removes what contradicts the graph,
/// or adds what the graph leaves open.
public struct ModelRepair: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a repair; more may be added, so compare with `==` instead of switching.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private let text: String

    private init(_ text: String) { self.text = text }

    /// The code in kebab case, such as `signature-ignored`.
    public var description: String { text }

    /// A signature that does not match the graph is ignored; the graph is called by its own inputs and
    /// outputs.
    public static let signatureIgnored = Code("signature-ignored")
    /// A filter's single scale for all channels is repeated for each of them.
    public static let scaleRepeated = Code("scale-repeated")
  }

  /// The kind of the repair.
  public let code: Code
  /// The change and its reason, as a clause that continues "In 'model.tflite' …".
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// Returns a sentence that names the model, without a final full stop.
  package func sentence(of modelName: String) -> String { "In '\(modelName)' \(message)" }
}
