// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import Synchronization

/// Returns the width in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Returns the height in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Returns the four-character code of the format.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.pixelFormatType
}

/// Returns the distance between the starts of two rows in bytes; for a planar buffer, in its first plane.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planeGeometry.first?.bytesPerRow ?? 0
}

/// Returns the number of bytes of all planes, including the gaps between rows.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planeGeometry.reduce(0) { $0 + $1.bytesPerRow * $1.height }
}

/// Returns whether the pixels are in planes: true for the YUV formats.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }

/// Returns the number of planes; 0 if the buffer is not planar.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.isPlanar ? pixelBuffer.planeGeometry.count : 0
}

/// Returns the width of a plane in samples; 0 if the plane does not exist or the buffer is not planar.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.planeGeometry(planeIndex)?.width ?? 0
}

/// Returns the number of rows of a plane; 0 if the plane does not exist or the buffer is not planar.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.planeGeometry(planeIndex)?.height ?? 0
}

/// Returns the distance between the starts of two rows of a plane in bytes; 0 if the plane does not exist or
/// the buffer is not planar.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.planeGeometry(planeIndex)?.bytesPerRow ?? 0
}

extension CVBuffer {
  /// The width, height and row distance of each plane.
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
