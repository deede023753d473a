// SPDX-License-Identifier: Apache-2.0

/// The task of a model that is compared.
package enum ComparedTask: String, Sendable, Hashable, CaseIterable {
  /// Finds objects.
  case detection
  /// Labels whole images.
  case labeling
  /// Finds the class of each part of an image.
  case segmentation
  /// Ends in features.
  case embedding
  /// Ends in numbers of an unknown meaning.
  case numbers
}
