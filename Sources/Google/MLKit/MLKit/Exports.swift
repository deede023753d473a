// SPDX-License-Identifier: Apache-2.0

// Re-exports all of Google's modules and, on Linux, the types of Apple's frameworks that they mention.
@_exported public import AppleCapture
@_exported public import MLImage
@_exported public import MLKitCommon
@_exported public import MLKitImageLabeling
@_exported public import MLKitImageLabelingCommon
@_exported public import MLKitImageLabelingCustom
@_exported public import MLKitLinkFirebase
@_exported public import MLKitObjectDetection
@_exported public import MLKitObjectDetectionCommon
@_exported public import MLKitObjectDetectionCustom
@_exported public import MLKitVision
