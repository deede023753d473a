// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

/// What the options of all labelers have: `ImageLabelerOptions` and `CustomImageLabelerOptions` are made of it.
///
/// A labeler takes a snapshot when it is made: later changes have no effect on it.
open class CommonImageLabelerOptions: NSObject {
  /// The lowest confidence of a label, 0…1; a label whose confidence equals it is kept.
  ///
  /// Nil, the default, and a value that is no number of 0…1 take 0.5 with the embedded classifier; with a custom one the
  /// threshold in its metadata, else 0.0.
  public var confidenceThreshold: NSNumber?

  /// What the kind of options adds.
  package var custom: LabelingRequest

  /// Makes options.
  /// - Parameter custom: What the kind of options adds: the model, and the threshold where none is set.
  package init(custom: LabelingRequest) { self.custom = custom }

  /// A snapshot of the options.
  package var request: LabelingRequest {
    var request = custom
    request.threshold = OptionValues.threshold(confidenceThreshold) ?? custom.threshold
    return request
  }
}
