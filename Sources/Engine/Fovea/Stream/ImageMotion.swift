// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import FoveaImage

/// How the image moved: from frame to frame, since the detector's last frame, and since the one that it is processing.
struct ImageMotion: Sendable {
  private var current = GreyPyramid()
  private var previous = GreyPyramid()
  /// The image in which the detector found what is followed now.
  private var anchor = GreyPyramid()
  /// The image that the detector is processing in the background.
  private var remembered = GreyPyramid()
  private var flow = BoxFlow()
  private var camera = CameraFlow()

  /// Takes the next image.
  /// - Throws: `image-…` where it cannot be read; the image before is then still the current one.
  mutating func advance(to pixels: PixelBuffer) throws(FoveaError) {
    swap(&previous, &current)
    do throws(ImageError) { try current.update(from: pixels) } catch {
      swap(&previous, &current)
      throw FoveaError(error)
    }
  }

  /// Notes that the boxes that follow were found in the current image.
  mutating func setAnchor() { anchor = current }

  /// Notes that the detector begins to process the current image.
  mutating func remember() { remembered = current }

  /// Whether there is an image that the detector is processing.
  var isRemembering: Bool { !remembered.isEmpty }

  /// Where boxes of the image before are now; nil for those that cannot be followed.
  mutating func moved(_ boxes: [AnchoredBox]) throws(FoveaError) -> [BoundingBox?] {
    guard !boxes.isEmpty, !previous.isEmpty else { return boxes.map { _ in nil } }
    do throws(FlowError) {
      return try flow.move(boxes, from: previous, to: current, anchor: anchor)
        .map { $0.isLost ? nil : $0.box }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Where boxes of the remembered image are now; nil for those that cannot be followed.
  mutating func movedSinceRemembered(_ boxes: [BoundingBox]) throws(FoveaError) -> [BoundingBox?] {
    guard !boxes.isEmpty, !remembered.isEmpty else { return boxes.map { _ in nil } }
    do throws(FlowError) {
      return try flow.move(boxes, from: remembered, to: current).map { $0.isLost ? nil : $0.box }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Where the image before went as a whole; nil where that cannot be measured.
  ///
  /// `boxes` are the objects of the image before, which may go their own ways.
  mutating func cameraMotion(outside boxes: [BoundingBox]) throws(FoveaError) -> CameraMotion? {
    guard !previous.isEmpty else { return nil }
    do throws(FlowError) { return try camera.motion(from: previous, to: current, outside: boxes) } catch {
      throw FoveaError(error)
    }
  }
}
