// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaImage

/// The models of one request and, in stream mode, the state of the stream.
package struct DetectionEngine: VisionEngine {
  /// Up to eight unused engines are kept: an app uses two or three.
  package static let cache = EngineCache<DetectionEngine>(limit: 8)

  private enum Kind: Sendable {
    case singleImage(ObjectDetector)
    case stream(FrameStepper)
  }
  private var kind: Kind
  private var clock = BufferClock()
  private let isClassifying: Bool
  private let isCoarse: Bool
  private let classThreshold: Float

  /// Loads the models.
  package init(_ request: DetectionRequest) async throws(MLError) {
    let plan = try DetectionSettings(request)
    isClassifying = request.isClassifying
    isCoarse = request.model == .coarse
    classThreshold = plan.classThreshold
    do throws(FoveaError) {
      let detector = try await ObjectDetector(model: plan.model, options: plan.options)
      if let tracking = plan.tracking {
        kind = .stream(try FrameStepper(detector: detector, options: tracking))
      } else {
        kind = .singleImage(detector)
      }
    } catch {
      throw plan.named(MLError(error))
    }
  }

  /// Finds the objects of an image.
  package mutating func find(in image: VisionInput) async throws(MLError) -> [FoundObject] {
    switch kind {
    case .singleImage(let detector):
      let input = try image.input()
      do throws(FoveaError) {
        let result = try await detector.analyze(input)
        return found(result.objects, size: result.size, orientation: result.orientation)
      } catch {
        throw MLError(error)
      }
    case .stream(var stepper):
      let pixels = try image.pixels()
      let (number, seconds) = clock.next(image.seconds)
      let frame = VideoFrame(pixels: pixels, number: number, seconds: seconds)
      let outcome: Result<TrackedFrame, FoveaError>
      do throws(FoveaError) { outcome = .success(try await stepper.take(frame)) } catch {
        outcome = .failure(error)
      }
      kind = .stream(stepper)
      switch outcome {
      case .success(let tracked):
        return found(tracked.objects, size: pixels.size, orientation: pixels.orientation)
      case .failure(let error): throw MLError(error)
      }
    }
  }

  /// Forgets the objects of the stream; identities start at 0 again.
  package mutating func reset() {
    clock = BufferClock()
    guard case .stream(var stepper) = kind else { return }
    stepper.reset()
    kind = .stream(stepper)
  }

  private func found(
    _ objects: [DetectedObject], size: PixelSize, orientation: Orientation
  ) -> [FoundObject] {
    objects.map { object in
      var found = FoundObject(object, size: size, orientation: orientation, isClassifying: isClassifying)
      found.labels.removeAll { $0.confidence < classThreshold }
      if isCoarse {
        for index in found.labels.indices {
          guard let category = CoarseCategory(text: found.labels[index].text) else { continue }
          found.labels[index].index = category.rawValue
        }
      }
      return found
    }
  }
}
