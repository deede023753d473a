// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

extension ImageTensorWorker {
  /// The normalisation of the input; nil for raw pixels.
  package var normalization: Normalization? { input.normalization }

  /// Whether a quantised file of the model would be given normalised values, not bytes: the caller, the
  /// metadata or the family states the normalisation.
  package var readsValues: Bool { [.option, .metadata, .family].contains(input.normalizationSource) }

  /// Returns the input tensor of an image.
  /// - Precondition: The input is float32.
  /// - Throws: `image-…` for an image that cannot be read.
  package func tensor(of image: ImageInput) throws(FoveaError) -> [Float] {
    try fill(image)
    return unsafe session.withUnsafeInputBytes(state.inputs[0]) { bytes in
      unsafe Array(bytes.bindMemory(to: Float.self))
    }
  }
}
