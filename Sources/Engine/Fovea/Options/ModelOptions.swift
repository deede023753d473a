// SPDX-License-Identifier: Apache-2.0

package import FoveaImage
import FoveaRuntime

/// The options that detectors, labelers, segmenters and embedders share.
package protocol ModelOptions: Sendable {
  /// The normalisation of the input instead of the model's own.
  var normalization: Normalization? { get set }
  /// The number of threads per session; nil for the default.
  var threads: Int? { get set }
  /// The number of images that can be processed at the same time.
  var sessions: Int { get set }
  /// Decoding of a JPEG at a fraction of its size if the model needs no more.
  var reducedSizeDecoding: Bool { get set }
  /// Arithmetic exactly as stored.
  var exactArithmetic: Bool { get set }
  /// The limits for the size of an image.
  var imageLimits: ImageLimits { get set }

  init()
}

extension ObjectDetector.Options: ModelOptions {}
extension ImageLabeler.Options: ModelOptions {}
extension ImageSegmenter.Options: ModelOptions {}
extension ImageEmbedder.Options: ModelOptions {}

extension ModelOptions {
  /// Copies the options that both share; the others keep their defaults.
  init(sharing other: some ModelOptions) {
    self.init()
    normalization = other.normalization
    threads = other.threads
    sessions = other.sessions
    reducedSizeDecoding = other.reducedSizeDecoding
    exactArithmetic = other.exactArithmetic
    imageLimits = other.imageLimits
  }

  /// The options of each session.
  var session: SessionOptions {
    SessionOptions(threads: SessionThreads.count(asked: threads, sessions: sessions))
  }

  /// Throws `option-invalid` for shared values out of range.
  func checkShared() throws(FoveaError) {
    try OptionChecks.sessions(sessions, threads: threads)
    try OptionChecks.atLeastOne("max-pixels", imageLimits.maxPixels, property: "imageLimits.maxPixels")
  }
}
