// SPDX-License-Identifier: Apache-2.0

// Keys of the attributes that code for Apple's systems passes when it creates a buffer or configures an
// output.

/// The pixel format, an `OSType` as a number.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The width in pixels.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The height in pixels.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// Whether a `CGImage` can share the memory; without effect here.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// Whether a `CGContext` can draw into the memory; without effect here, since it always can.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// Attributes of shared surfaces; without effect here.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// Whether Metal can read the memory; without effect here.
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"

/// The flags of a lock.
public struct CVPixelBufferLockFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt64
  /// Creates flags from their bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The program only reads.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Releases one block of memory.
///
/// Receives the reference that was passed with the memory, and the address of the memory.
public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

/// Releases planes of memory.
///
/// Receives the reference that was passed with the memory, the address and the size of the block that
/// contains the planes, and the number and the addresses of the planes.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void
