// SPDX-License-Identifier: Apache-2.0

package import FoveaModelFile

/// A model's bytes, checked and repaired if necessary for LiteRT, which trusts some of their numbers even
/// while opening them.
///
/// Every `Model` is created from one, so that no model reaches the runtime unchecked. A caller that needs the
/// checked bytes first, such as to rewrite them, creates it and passes it to the model, so that the check
/// runs only once.
package struct PreparedModel: Sendable {
  /// The content of the model's file.
  package let stored: ModelBytes
  /// The bytes that LiteRT reads: the same, or a repaired copy.
  package let bytes: ModelBytes
  /// The changes in the copy, with reasons; empty if LiteRT reads the file's own bytes.
  package let repairs: [ModelRepair]

  /// Checks a model, and makes the repairs that need no guess.
  /// - Parameter stored: The content of a `.tflite` file.
  /// - Throws: `modelInvalid` for bytes that are not a model, and for a graph that would make LiteRT access
  ///   memory out of bounds; `cause` is then the `MetadataError`.
  package init(_ stored: ModelBytes) throws(RuntimeError) {
    try ModelIdentifier.check(stored)
    self.stored = stored
    do throws(MetadataError) {
      guard let patch = try stored.withSpan(ModelGraphCheck.patch) else {
        bytes = stored
        repairs = []
        return
      }
      bytes = ModelBytes(count: patch.byteCount, name: stored.name) { target in
        stored.withSpan { patch.write($0, into: &target) }
      }
      repairs = patch.repairs
      // In a damaged file, objects may share a number, so the repaired copy is checked like a file.
      guard try bytes.withSpan(ModelGraphCheck.check).isEmpty else {
        throw .damaged("it cannot be repaired: \(patch.repairs[0])")
      }
    } catch {
      throw RuntimeError(damaged: error, name: stored.name)
    }
  }

  /// Wraps a model that is known to be intact, such as one embedded in the program.
  /// - Parameter stored: The content of a `.tflite` file.
  package init(trusted stored: ModelBytes) {
    self.stored = stored
    bytes = stored
    repairs = []
  }
}

extension RuntimeError {
  init(damaged error: MetadataError, name: String) {
    self.init(
      .modelInvalid, "The model '\(name)' is damaged: \(error.message)", remedy: error.remedy, cause: error)
  }
}
