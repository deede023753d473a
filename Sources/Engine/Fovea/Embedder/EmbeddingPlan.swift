// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// The parts that all sessions of one embedder share: the cut graph, and how to fill its input.
struct EmbeddingPlan: Sendable {
  let backbone: LoadedModel
  let graph: EmbeddingGraph
  let input: ImageInputTensor
  let options: ImageEmbedder.Options
  /// The cut graph as it runs.
  private let cut: LoadedModel

  init(_ model: ModelSource, _ options: ImageEmbedder.Options) throws {
    try options.checkShared()
    self.options = options
    backbone = try LoadedModel(model, exact: options.exactArithmetic)
    try backbone.checkInput()
    if let kind = try ImageEvidence.refusal(
      backbone, backbone.signature, normalization: options.normalization, labels: nil)
    {
      throw kind.error(modelName: backbone.name)
    }
    let layer = try Self.layer(of: backbone, options.layer)
    do throws(MetadataError) {
      graph = try EmbeddingGraph(
        model: backbone.stored.copied(), name: backbone.name, layer: layer)
    } catch {
      throw Self.error(error, backbone)
    }
    cut = try LoadedModel(
      ModelBytes(graph.bytes(), name: backbone.name), like: backbone, exact: options.exactArithmetic)
    let usual = backbone.classifierInput
    input = try ImageInputTensor(
      modelName: backbone.name, signature: cut.signature, metadata: backbone.metadata,
      normalization: options.normalization,
      family: options.samplesAsFile ? DetectorInput(usesTwoTaps: true) : usual,
      scale: options.normalization == nil ? try backbone.pixelScale() : nil, takesRawPixels: cut.isRewritten)
  }

  /// Returns the error of a model without an embedding, with the kind of a detector or segmentation model.
  private static func error(_ error: MetadataError, _ backbone: LoadedModel) -> FoveaError {
    var failure = FoveaError(error)
    let profile = ModelProfile(backbone, ObjectDetector.Options())
    if error.code == .noEmbedding, profile.isDetector || profile.isSegmenter, let use = profile.kind.use {
      failure.message += "; it is \(use.noun)"
    }
    return failure
  }

  /// Returns the layer to cut at: the output of a model that ends in features, unless another is requested.
  private static func layer(
    of backbone: LoadedModel, _ asked: ImageEmbedder.Options.Layer
  ) throws(FoveaError) -> EmbeddingLayer {
    guard asked == .pool, let output = backbone.signature.outputs.first else { return asked.embeddingLayer }
    let labels = try? ModelProfile.labels(of: backbone).get()
    let labelCount = labels?.count(fitting: output.shape.last)
    let kind = try backbone.unsupportedKind(backbone.signature, labelCount: labelCount)
    return kind?.featureCount == nil ? asked.embeddingLayer : .tensor(output.name)
  }

  /// Creates a session of the cut graph.
  func makeSession() throws(RuntimeError) -> sending Session {
    try Session(model: cut.model, options: options.session)
  }
}
