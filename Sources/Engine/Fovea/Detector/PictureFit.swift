// SPDX-License-Identifier: Apache-2.0

/// How an image whose proportions are not the input's is fitted into a detector's input.
public enum PictureFit: String, Sendable, Hashable, CaseIterable {
  /// It fills the input and its proportions change, as with SSD, EfficientDet and the embedded models.
  case stretch
  /// It keeps its proportions, and bars fill the rest, as with YOLO.
  case letterbox
}
