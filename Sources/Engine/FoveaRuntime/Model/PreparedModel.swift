// SPDX-License-Identifier: Apache-2.0

package import FoveaModelFile

/// A model's bytes as LiteRT may have them: checked and, where needed, repaired, because LiteRT trusts some of their numbers already while it opens
/// them.
///
/// Every `Model` is made of one, so that no door into the runtime is without the check. A caller who needs the checked
/// bytes first, to rewrite them for instance, makes it and gives it to the model: then the check happens once.
package struct PreparedModel: Sendable {
  /// The content of the model's file.
  package let stored: ModelBytes
  /// What LiteRT reads: the same, or a repaired copy.
  package let bytes: ModelBytes
  /// What was changed in the copy, and why; empty where LiteRT reads the file's own bytes.
  package let repairs: [ModelRepair]

  /// Checks a model, and repairs what can be repaired without a guess.
  /// - Parameter stored: The content of a `.tflite` file.
  /// - Throws: `modelInvalid` for bytes that are no model, and for a graph that LiteRT would follow outside its own memory;
  ///   `cause` is then the `MetadataError`.
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
      // In a damaged file a number may be part of several things: what a change makes of them is checked like a file.
      guard try bytes.withSpan(ModelGraphCheck.check).isEmpty else {
        throw .damaged("what has to be repaired cannot be: \(patch.repairs[0])")
      }
    } catch {
      throw RuntimeError(damaged: error, name: stored.name)
    }
  }

  /// Takes a model that is known to be whole, such as one that the program carries in itself.
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
