// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

/// The options common to all labelers, the base of `ImageLabelerOptions` and `CustomImageLabelerOptions`.
///
/// A labeler copies the options when it is created; later changes do not affect it.
open class CommonImageLabelerOptions: NSObject {
  /// The lowest confidence of a label, 0…1, inclusive.
  ///
  /// Nil, the default, and any number outside 0…1 mean 0.5 with the embedded classifier, and with a custom
  /// classifier the threshold in its metadata, else 0.0.
  public var confidenceThreshold: NSNumber?

  /// The settings of the subclass.
  package var custom: LabelingRequest

  /// Creates options.
  /// - Parameter custom: The settings of the subclass: the model, and the threshold to use if none is set.
  package init(custom: LabelingRequest) { self.custom = custom }

  /// A snapshot of the options.
  package var request: LabelingRequest {
    var request = custom
    request.threshold = OptionValues.threshold(confidenceThreshold) ?? custom.threshold
    return request
  }
}
