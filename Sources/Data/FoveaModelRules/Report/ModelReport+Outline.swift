// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

extension ModelReport {
  /// The errors of models that are damaged or that LiteRT cannot open or run.
  private static let codes = ["model-unsupported", "model-invalid", "run-failed", "metadata-damaged-model"]
  /// The maximum number of listed operators.
  private static let mostOperators = 40

  /// Whether an error is in the model's file, including its labels and metadata, not in another argument.
  private static func isFault(of file: String, _ error: FoveaError) -> Bool {
    let code = error.code.rawValue
    return codes.contains(code) || code.hasPrefix(MetadataCode.domain) && error.subject == file
  }

  /// Describes the file of a model that cannot be examined, with the reason; nil if the error concerns
  /// something else, such as a given label file, or if the file cannot be read as a model.
  /// - Parameters:
  ///   - source: The source of the model.
  ///   - error: The reason why it cannot be examined.
  ///   - words: Renders remedies for their readers.
  package init?(outlineOf source: ModelSource, error: FoveaError, words: (Advice) -> String) {
    guard let bytes = try? source.fileBytes(), Self.isFault(of: bytes.name, error),
      let outline = try? LoadedModel.parts(of: bytes, GraphOutline.read)
    else { return nil }
    self.init(
      path: bytes.name, fileSize: bytes.count,
      sha256: bytes.withSpan { SHA256.hexadecimal(of: $0) }, reason: error.reason,
      needs: [words(error.remedy)], inputs: outline.inputs.map(Tensor.init),
      outputs: outline.outputs.map(Tensor.init))
    if !outline.operators.isEmpty {
      operators = outline.operators.prefix(Self.mostOperators).map { name, count in
        count == 1 ? name : "\(name) × \(count)"
      }
    }
    if outline.operators.count > Self.mostOperators { operators?.append("…") }
    let read = try? LoadedModel.parts(of: bytes) { bytes throws(MetadataError) in
      try ModelMetadata.read(bytes)
    }
    if let read {
      metadata = Metadata(
        name: read.name, description: read.description, version: read.version, author: read.author,
        license: read.license)
    }
  }
}

extension ModelReport.Tensor {
  fileprivate init(_ tensor: GraphOutline.Tensor) {
    self.init(name: tensor.name, type: tensor.type, shape: tensor.shape)
    if let scale = tensor.scales.first {
      quantization = Quantization(
        scale: Double(scale), zeroPoint: tensor.zeroPoint, channels: tensor.scales.count)
    }
  }
}
