// SPDX-License-Identifier: Apache-2.0

import Fovea

/// The model of one request.
package struct LabelingEngine: VisionEngine {
  /// Up to eight unused engines are kept: an app uses one or two.
  package static let cache = EngineCache<LabelingEngine>(limit: 8)

  private let labeler: ImageLabeler

  /// Loads the model.
  package init(_ request: LabelingRequest) async throws(MLError) {
    var options = ImageLabeler.Options()
    options.threshold = request.threshold
    options.maxResults = request.maxLabels
    options.locale = request.locale
    options.exactArithmetic = request.isExact
    options.reducedSizeDecoding = !request.isExact
    options.normalization = request.normalization?.normalization
    guard let reference = request.model else {
      do throws(FoveaError) { labeler = try await ImageLabeler(options: options) } catch {
        throw MLError(error)
      }
      return
    }
    let path = try reference.path()
    let custom = try CustomModel(
      path: path, normalization: request.normalization, isExact: request.isExact, asClassifier: true)
    do throws(FoveaError) { labeler = try await ImageLabeler(model: custom.source, options: options) } catch {
      throw MLError(error).about(model: path)
    }
  }

  /// Labels an image.
  package func find(in image: VisionInput) async throws(MLError) -> [FoundLabel] {
    let input = try image.input()
    do throws(FoveaError) { return try await labeler.labels(in: input).map(FoundLabel.init) } catch {
      throw MLError(error)
    }
  }

  /// Does nothing: images are independent.
  package func reset() {}
}
