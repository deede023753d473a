// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import Synchronization

/// The width in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// The height in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// The four-character code of the format.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.pixelFormatType
}

/// The distance between the starts of two rows in bytes; of a planar buffer, that of its first plane.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planeGeometry.first?.bytesPerRow ?? 0
}

/// The bytes of all planes with the gaps between rows.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planeGeometry.reduce(0) { $0 + $1.bytesPerRow * $1.height }
}

/// Whether the pixels lie in planes: true for the YUV formats.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }

/// The number of planes; 0 where the buffer is not planar.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.isPlanar ? pixelBuffer.planeGeometry.count : 0
}

/// The width of a plane in samples; 0 where there is no such plane, or the buffer is not planar.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.planeGeometry(planeIndex)?.width ?? 0
}

/// The rows of a plane; 0 where there is no such plane, or the buffer is not planar.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.planeGeometry(planeIndex)?.height ?? 0
}

/// The distance between the starts of two rows of a plane in bytes; 0 where there is no such plane, or the buffer is not
/// planar.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.planeGeometry(planeIndex)?.bytesPerRow ?? 0
}

extension CVBuffer {
  /// Width, height and row distance of each plane.
  fileprivate var planeGeometry: [(width: Int, height: Int, bytesPerRow: Int)] {
    switch state.withLock({ $0.contents }) {
    case .memory(let memory): memory.planes.map { ($0.width, $0.height, $0.bytesPerRow) }
    case .shared(let pixels):
      zip(
        PlaneShape.planes(of: pixelFormatType, width: width, height: height) ?? [], pixels.layout.bytesPerRow
      )
      .map { ($0.width, $0.height, $1) }
    }
  }

  fileprivate func planeGeometry(_ index: Int) -> (width: Int, height: Int, bytesPerRow: Int)? {
    guard isPlanar else { return nil }
    let planes = planeGeometry
    return planes.indices.contains(index) ? planes[index] : nil
  }
}
