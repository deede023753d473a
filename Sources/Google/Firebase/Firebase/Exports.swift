// SPDX-License-Identifier: Apache-2.0

// `import Firebase` brings the legacy modules, and on Linux the types of Apple's frameworks that they mention.
// FirebaseMLModelDownloader is imported by itself: it has another ModelDownloadConditions.
@_exported public import AppleCapture
@_exported public import FirebaseCore
@_exported public import FirebaseMLCommon
@_exported public import FirebaseMLModelInterpreter
@_exported public import FirebaseMLVision
@_exported public import FirebaseMLVisionObjectDetection
