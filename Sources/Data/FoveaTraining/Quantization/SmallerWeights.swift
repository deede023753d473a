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

  /// The model file.
  package let bytes: [UInt8]
  /// The size of the original file in bytes.
  package let originalByteCount: Int

  /// Stores the weights of a model in another form.
  /// - Parameters:
  ///   - source: The model.
  ///   - form: The form of the weights.
  /// - Throws: `metadata-already-quantized` for a model with such weights; `metadata-not-quantizable`, also
  ///   for one that does not become smaller; the errors of models, also of the new one, which is prepared to
  ///   run.
  package init(_ source: ModelSource, as form: Form) throws(FoveaError) {
    let (model, name) = try Quantizer.read(source)
    let stored: StoredWeights = form == .int8 ? .int8 : .float16
    do throws(MetadataError) {
      bytes = try ModelArchive.copy(to: try stored.model(model), from: model)
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
