// SPDX-License-Identifier: Apache-2.0

// Re-exports the legacy modules and, on Linux, the types of Apple's frameworks that they mention.
// FirebaseMLModelDownloader must be imported explicitly: its ModelDownloadConditions is a different type.
@_exported public import AppleCapture
@_exported public import FirebaseCore
@_exported public import FirebaseMLCommon
@_exported public import FirebaseMLModelInterpreter
@_exported public import FirebaseMLVision
@_exported public import FirebaseMLVisionObjectDetection
