// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Synchronization

/// Makes the addresses of the pixels available until the buffer is unlocked as often as it was locked.
///
/// Shared pixels, for instance of a video frame, are copied at the first lock.
/// - Parameters:
///   - pixelBuffer: The buffer.
///   - lockFlags: `readOnly` or nothing; without effect here.
/// - Returns: `kCVReturnSuccess`; `kCVReturnAllocationFailed` if there is no memory for the copy, or its
///   pixels were borrowed for a call that has ended.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.lock() ? kCVReturnSuccess : kCVReturnAllocationFailed
}

/// Unlocks a buffer; after the last unlock its addresses must not be used.
/// - Parameters:
///   - pixelBuffer: The buffer.
///   - unlockFlags: The flags with which it was locked; without effect here.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidArgument` if the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// Returns the address of the first row; for a planar buffer, the first row of its first plane.
/// - Returns: nil unless the buffer is locked, as on iOS.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  unsafe pixelBuffer.lockedPlane(0)?.base
}

/// Returns the address of the first row of a plane.
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
        guard let memory = PlaneMemory(copying: pixels, code: pixelFormatType) else { return false }
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

  /// Returns a plane whose address may be used now.
  func lockedPlane(_ index: Int) -> PlaneMemory.Plane? {
    state.withLock { state in
      guard state.lockCount > 0, case .memory(let memory) = state.contents else { return nil }
      return memory.planes.indices.contains(index) ? memory.planes[index] : nil
    }
  }
}

extension PlaneMemory {
  /// Copies pixels, keeping the distances between rows.
  /// - Returns: nil if memory is exhausted, or the pixels were borrowed for a call that has ended.
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
