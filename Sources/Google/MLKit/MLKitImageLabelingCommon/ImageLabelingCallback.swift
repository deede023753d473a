// SPDX-License-Identifier: Apache-2.0

/// Takes the labels of an image, or why there are none: exactly one of the two is nil.
public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void
