// SPDX-License-Identifier: Apache-2.0

/// The answer of a Core Video function: 0 when it did what was asked.
///
/// The numbers are Apple's.
public typealias CVReturn = Int32

/// The function did what was asked.
public let kCVReturnSuccess: CVReturn = 0
/// A failure without its own code.
public let kCVReturnError: CVReturn = -6660
/// A parameter contradicts another, or the state of the buffer.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// There is no memory.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The function is not available.
public let kCVReturnUnsupported: CVReturn = -6663
/// Memory cannot be made for this pixel format.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// A side is below 1 or above 65,535.
public let kCVReturnInvalidSize: CVReturn = -6681
/// The attributes contradict each other.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
