// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import FoveaImage

/// The motion of the image: from frame to frame, since the last frame that the detector has finished, and
/// since the frame it is working on.
struct ImageMotion: Sendable {
  private(set) var current = GreyPyramid()
  private var previous = GreyPyramid()
  /// The image in which the detector found the objects that are tracked now.
  private var anchor = GreyPyramid()
  /// The image that the detector is processing in the background.
  private var remembered = GreyPyramid()
  private var flow = BoxFlow()
  private var camera = CameraFlow()

  /// Advances to the next image.
  /// - Throws: `image-…` if it cannot be read; the previous image then stays the current one.
  mutating func advance(to pixels: PixelBuffer) throws(FoveaError) {
    swap(&previous, &current)
    do throws(ImageError) { try current.update(from: pixels) } catch {
      swap(&previous, &current)
      throw FoveaError(error)
    }
  }

  /// Returns to the previous image, as if the current one had been skipped.
  mutating func retreat() { swap(&previous, &current) }

  /// Records that the tracked boxes were found in the current image.
  mutating func setAnchor() { anchor = current }

  /// Records that the detector starts processing the current image.
  mutating func remember() { remembered = current }

  /// Whether the detector is processing an image.
  var isRemembering: Bool { !remembered.isEmpty }

  /// Returns the current position of boxes of the previous image; nil for those that cannot be followed.
  mutating func moved(_ boxes: [AnchoredBox]) throws(FoveaError) -> [BoundingBox?] {
    guard !boxes.isEmpty, !previous.isEmpty else { return boxes.map { _ in nil } }
    do throws(FlowError) {
      return try flow.move(boxes, from: previous, to: current, anchor: anchor)
        .map { $0.isLost ? nil : $0.box }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the current position of boxes of the remembered image; nil for those that cannot be followed.
  mutating func movedSinceRemembered(_ boxes: [BoundingBox]) throws(FoveaError) -> [BoundingBox?] {
    guard !boxes.isEmpty, !remembered.isEmpty else { return boxes.map { _ in nil } }
    do throws(FlowError) {
      return try flow.move(boxes, from: remembered, to: current).map { $0.isLost ? nil : $0.box }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the motion of the whole image since the previous one; nil if it cannot be measured.
  ///
  /// `boxes` are the objects of the previous image, which may move independently.
  mutating func cameraMotion(outside boxes: [BoundingBox]) throws(FoveaError) -> CameraMotion? {
    guard !previous.isEmpty else { return nil }
    do throws(FlowError) { return try camera.motion(from: previous, to: current, outside: boxes) } catch {
      throw FoveaError(error)
    }
  }
}
