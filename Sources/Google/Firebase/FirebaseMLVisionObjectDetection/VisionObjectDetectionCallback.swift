// SPDX-License-Identifier: Apache-2.0

/// Takes the objects of an image, or why there are none: exactly one of the two is nil.
public typealias VisionObjectDetectionCallback = ([VisionObject]?, (any Error)?) -> Void
