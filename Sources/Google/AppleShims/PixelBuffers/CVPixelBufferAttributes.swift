// SPDX-License-Identifier: Apache-2.0

// Keys of the attributes that programs for Apple's systems give when they make a buffer, or ask an output for.

/// The pixel format, an `OSType` as a number.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The width in pixels.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The height in pixels.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// Whether a `CGImage` can share the memory; without an effect here.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// Whether a `CGContext` can draw into the memory; without an effect here, where one always can.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// Attributes of shared surfaces; without an effect here.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// Whether Metal can read the memory; without an effect here.
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"

/// How a buffer is locked.
public struct CVPixelBufferLockFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt64
  /// Makes flags from their bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The program only reads.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Gives one block of memory back.
///
/// It takes the reference that came with the memory, and the address of the memory.
public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

/// Gives planes of memory back.
///
/// It takes the reference that came with the memory, the address and the size of the block that holds the planes, and the
/// number and the addresses of the planes.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void
