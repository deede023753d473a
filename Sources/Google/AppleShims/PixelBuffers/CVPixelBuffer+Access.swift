// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Synchronization

/// Lets the program use the addresses of the pixels until it unlocks the buffer, as often as it locked it.
///
/// Pixels that are shared, of a video frame for instance, are copied when they are locked for the first time.
/// - Parameters:
///   - pixelBuffer: The buffer.
///   - lockFlags: `readOnly` or nothing; without an effect here.
/// - Returns: `kCVReturnSuccess`; `kCVReturnAllocationFailed` where there is no memory for the copy, or its pixels were
///   lent for a call that is over.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.lock() ? kCVReturnSuccess : kCVReturnAllocationFailed
}

/// Ends the use of the addresses.
/// - Parameters:
///   - pixelBuffer: The buffer.
///   - unlockFlags: The flags that it was locked with; without an effect here.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidArgument` where the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// The address of the first row; of a planar buffer, that of its first plane.
/// - Returns: nil unless the buffer is locked, as on a phone.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  unsafe pixelBuffer.lockedPlane(0)?.base
}

/// The address of the first row of a plane.
/// - Returns: nil unless the buffer is locked, is planar and has the plane.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  guard pixelBuffer.isPlanar else { return nil }
  return unsafe pixelBuffer.lockedPlane(planeIndex)?.base
}

extension CVBuffer {
  func lock() -> Bool {
    state.withLock { state in
      if case .shared(let pixels) = state.contents {
        guard let memory = PixelMemory(copying: pixels, code: pixelFormatType) else { return false }
        state.contents = .memory(memory)
      }
      state.lockCount += 1
      return true
    }
  }

  func unlock() -> Bool {
    state.withLock { state in
      guard state.lockCount > 0 else { return false }
      state.lockCount -= 1
      return true
    }
  }

  /// A plane whose address may be used now.
  func lockedPlane(_ index: Int) -> PixelMemory.Plane? {
    state.withLock { state in
      guard state.lockCount > 0, case .memory(let memory) = state.contents else { return nil }
      return memory.planes.indices.contains(index) ? memory.planes[index] : nil
    }
  }
}

extension PixelMemory {
  /// Copies pixels, with the distances between their rows as they are.
  /// - Returns: nil where there is no memory, or the pixels were lent for a call that is over.
  fileprivate convenience init?(copying pixels: PixelBuffer, code: OSType) {
    guard let shapes = PlaneShape.planes(of: code, width: pixels.size.width, height: pixels.size.height)
    else { return nil }
    self.init(
      zip(shapes, pixels.layout.bytesPerRow).map { shape, distance in
        PlaneShape(width: shape.width, height: shape.height, rowBytes: shape.rowBytes, bytesPerRow: distance)
      })
    let targets = planes
    let copied: Void? = try? unsafe pixels.withUnsafePlanes { sources in
      for (index, target) in targets.enumerated() {
        guard let source = unsafe sources[index].baseAddress else { continue }
        unsafe target.base?.copyMemory(from: source, byteCount: sources[index].count)
      }
    }
    guard copied != nil else { return nil }
  }
}
