// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility
public import MLKitImageLabelingCommon

/// Options of a labeler with the embedded classifier: Fashion good, Food, Home good, Place, Plant.
///
/// ML Kit's own model has more than 400 labels and may not be redistributed; if you need more labels, use a
/// classifier of your own with `CustomImageLabelerOptions`.
public final class ImageLabelerOptions: CommonImageLabelerOptions {
  /// Creates options with the defaults: labels with a confidence of 0.5 or more.
  public init() {
    var request = LabelingRequest()
    request.threshold = LabelingRequest.defaultThreshold
    super.init(custom: request)
  }
}
