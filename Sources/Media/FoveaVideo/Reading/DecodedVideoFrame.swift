// SPDX-License-Identifier: Apache-2.0

import CVideo
import FoveaGeometry
import FoveaImage

/// A frame in FFmpeg's memory, which is released with this object and all buffers made from it.
@safe final class DecodedVideoFrame: @unchecked Sendable {
  // SAFETY: any thread may read and release FFmpeg's frames; this one does not change after init.
  private let frame: fovea_video_frame

  init(_ frame: fovea_video_frame) { unsafe self.frame = unsafe frame }

  deinit { unsafe frame.release?(frame.owner) }

  var size: PixelSize { unsafe PixelSize(width: Int(frame.width), height: Int(frame.height)) }
  var isDamaged: Bool { unsafe frame.is_damaged }
  /// The timestamp in seconds from the source's own start; nil if the source has none.
  var time: Double? { unsafe frame.has_time ? frame.time : nil }

  private var format: PixelFormat {
    let encoding = unsafe YUVEncoding(
      matrix: frame.is_bt709 ? .bt709 : .bt601, range: frame.is_full_range ? .full : .video)
    return switch unsafe frame.pixels {
    case FOVEA_PIXELS_I420: .i420(encoding)
    case FOVEA_PIXELS_NV12: .nv12(encoding)
    case FOVEA_PIXELS_GREY: .grey
    case FOVEA_PIXELS_RGB: .rgb
    case FOVEA_PIXELS_BGRA: .bgra
    default: .rgba
    }
  }

  /// Returns the pixels without a copy; `known` is the previous frame's layout, which is reused if it fits.
  func pixels(orientation: Orientation, name: String, known: PixelLayout?) throws(ImageError) -> PixelBuffer {
    let format = format
    let strides = unsafe [Int(frame.strides.0), Int(frame.strides.1), Int(frame.strides.2)]
    let planeCount =
      switch unsafe frame.pixels {
      case FOVEA_PIXELS_I420: 3
      case FOVEA_PIXELS_NV12: 2
      default: 1
      }
    let bytesPerRow = Array(strides.prefix(planeCount))
    let layout: PixelLayout
    if let known, known.format == format, known.size == size, known.bytesPerRow == bytesPerRow {
      layout = known
    } else {
      layout = try PixelLayout(format, size: size, bytesPerRow: bytesPerRow)
    }
    let bases = unsafe [frame.planes.0, frame.planes.1, frame.planes.2]
    let planes = unsafe zip(bases, layout.planeByteCounts).map { base, count in
      unsafe UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count)
    }
    // The closure keeps this frame alive as long as the buffer.
    return try unsafe PixelBuffer(layout, adopting: planes, orientation: orientation, name: name) {
      withExtendedLifetime(self) {}
    }
  }
}
