// SPDX-License-Identifier: Apache-2.0

/// A completion that receives the objects of an image or an error: exactly one of the two is nil.
public typealias VisionObjectDetectionCallback = ([VisionObject]?, (any Error)?) -> Void
