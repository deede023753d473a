// SPDX-License-Identifier: Apache-2.0

/// The result of a Core Video function: 0 on success.
///
/// The numbers are Apple's.
public typealias CVReturn = Int32

/// Success.
public let kCVReturnSuccess: CVReturn = 0
/// A failure without its own code.
public let kCVReturnError: CVReturn = -6660
/// A parameter conflicts with another, or with the state of the buffer.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// Memory is exhausted.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The function is not available.
public let kCVReturnUnsupported: CVReturn = -6663
/// The pixel format does not support allocation.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// A side is below 1 or above 65,535.
public let kCVReturnInvalidSize: CVReturn = -6681
/// The attributes conflict with each other.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
