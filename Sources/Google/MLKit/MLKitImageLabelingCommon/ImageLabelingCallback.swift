// SPDX-License-Identifier: Apache-2.0

/// A completion that receives the labels of an image or an error: exactly one of the two is nil.
public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void
