// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

/// A float model whose weights take less space; it computes in floats as before.
package struct SmallerWeights: Sendable {
  /// The form of the weights.
  package enum Form: String, Sendable, CaseIterable {
    /// A quarter of the size, with a scale for each output channel.
    case int8
    /// Half the size.
    case float16
  }

  /// The form of the weights.
  package let form: Form
  /// The model file.
  package let bytes: [UInt8]
  /// The size of the original file in bytes.
  package let originalByteCount: Int
  /// The names of the weights that stay float32, because the form cannot hold their numbers.
  package let floatWeights: [String]

  /// Stores the weights of a model in another form.
  /// - Parameters:
  ///   - source: The model.
  ///   - form: The form of the weights.
  /// - Throws: `metadata-already-quantized` for a model with such weights; `metadata-not-quantizable`, also
  ///   for weights that are not finite and for a model that does not become smaller; the errors of models,
  ///   also of the new one, which is prepared to run.
  package init(_ source: ModelSource, as form: Form) throws(FoveaError) {
    self.form = form
    let (model, name) = try Quantizer.read(source)
    let stored: StoredWeights = form == .int8 ? .int8 : .float16
    do throws(MetadataError) {
      let result = try stored.model(model)
      floatWeights = result.floatWeights
      bytes = try ModelArchive.copy(to: result.bytes, from: model)
      guard bytes.count < model.count else {
        let sizes = [bytes.count, model.count].map { DecimalText.grouped($0) }
        throw MetadataError(
          .notQuantizable,
          "does not become smaller with weights as \(form.rawValue): "
            + "\(sizes[0]) bytes in place of \(sizes[1])",
          remedy: "Keep the file")
      }
    } catch {
      throw FoveaError(error.ofModel(name))
    }
    do throws(RuntimeError) {
      _ = try Session(model: try Model(bytes: bytes, name: name), options: SessionOptions(threads: 1))
    } catch {
      throw FoveaError(error)
    }
    originalByteCount = model.count
  }
}
