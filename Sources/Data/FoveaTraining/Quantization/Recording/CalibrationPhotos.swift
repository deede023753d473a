// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The photos that show a model's activations, as tensors.
struct CalibrationPhotos {
  private let worker: ImageTensorWorker
  private let photos: [ComparedPhoto]

  init(_ worker: ImageTensorWorker, _ photos: [ComparedPhoto]) {
    (self.worker, self.photos) = (worker, photos)
  }

  var count: Int { photos.count }

  /// Returns the first photos, spread evenly.
  func prefix(_ count: Int) -> CalibrationPhotos {
    CalibrationPhotos(worker, EvenChoice.of(photos, count))
  }

  /// Returns the input tensor of a photo, which is decoded again.
  func tensor(_ index: Int) throws(FoveaError) -> [Float] {
    do throws(FoveaError) { return try worker.tensor(of: photos[index].load()) } catch {
      var named = error
      named.subject = named.subject ?? photos[index].name
      throw named
    }
  }
}

/// A choice of elements at even distances.
package enum EvenChoice {
  /// Returns at most `count` elements, in order.
  package static func of<Element>(_ elements: [Element], _ count: Int) -> [Element] {
    guard elements.count > count else { return elements }
    return (0..<count).map { elements[$0 * elements.count / count] }
  }
}
