// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaTesting

/// A small random evaluation, the same as in Fixtures/make-pycocotools-figures.py for the same number.
struct RandomCase {
  private(set) var images: [Int] = []
  private(set) var categories: [Int] = []
  private(set) var annotations: [COCOGroundTruth.Annotation] = []
  private(set) var detections: [COCODetection] = []
  private var random: SeededGenerator
  private var hasTies = false

  private static let borders: [(Double, Double)] = [(32, 32), (64, 16), (96, 96), (128, 72)]

  init(number: UInt64) {
    random = SeededGenerator(seed: number)
    for index in 0..<(1 + random.below(8)) { images.append(3 * index + 1 + random.below(3)) }
    for index in 0..<(1 + random.below(4)) { categories.append(2 * index + 1) }
    let used = max(1, categories.count - random.below(2))
    let firstID = random.below(8) == 0 ? 0 : 1
    let repeatsIDs = random.below(8) == 0
    hasTies = random.below(2) == 0
    let isCrowded = random.below(10) == 0
    for image in images {
      for _ in 0..<random.below(7) {
        addObject(image: image, used: used, firstID: firstID, repeatsIDs: repeatsIDs)
      }
      for _ in 0..<(random.below(6) + (isCrowded ? 130 : 0)) {
        let (x, y) = (quarters(1200), quarters(1200))
        let (width, height) = size()
        let category = categories[random.below(categories.count)]
        add(image, category, COCOBox(x: x, y: y, width: width, height: height))
      }
    }
    if detections.count > 1 {
      for index in stride(from: detections.count - 1, to: 0, by: -1) {
        detections.swapAt(index, random.below(index + 1))
      }
    }
    let box = COCOBox(x: 0, y: 0, width: 9, height: 9)
    var strangers: [COCODetection] = []
    if random.below(6) == 0 {
      strangers.append(COCODetection(imageID: 9999, categoryID: categories[0], box: box, score: 1))
    }
    if random.below(6) == 0 {
      detections.append(COCODetection(imageID: images[0], categoryID: 9999, box: box, score: 1))
    }
    detections += strangers
  }

  private mutating func addObject(image: Int, used: Int, firstID: Int, repeatsIDs: Bool) {
    let category = categories[random.below(used)]
    let (x, y) = (quarters(1200), quarters(1200))
    let (width, height) = size()
    let isCrowd = random.below(8) == 0
    // The field "ignore", which has no effect.
    _ = random.below(10)
    let area = [width * height, width * height, width * height * 3 / 4, 1024][random.below(4)]
    var id = firstID + annotations.count
    if repeatsIDs, !annotations.isEmpty, random.below(5) == 0 {
      id = annotations[random.below(annotations.count)].id
    }
    annotations.append(
      COCOGroundTruth.Annotation(
        id: id, imageID: image, categoryID: category, box: COCOBox(x: x, y: y, width: width, height: height),
        area: area, isCrowd: isCrowd))
    for _ in 0..<random.below(3) {
      let near = 1 + random.below(2) * 15
      let found = random.below(8) == 0 ? categories[random.below(categories.count)] : category
      let (dx, dy, dw, dh) = (quarters(near), quarters(near), quarters(near), quarters(near))
      add(image, found, COCOBox(x: x + dx, y: y + dy, width: width + dw, height: height + dh))
    }
  }

  private mutating func add(_ image: Int, _ category: Int, _ box: COCOBox) {
    let score = hasTies ? Double(random.below(8) + 1) / 8 : Double(random.below(1 << 20)) / Double(1 << 20)
    detections.append(COCODetection(imageID: image, categoryID: category, box: box, score: score))
  }

  private mutating func quarters(_ bound: Int) -> Double { Double(random.below(bound)) / 4 }

  private mutating func size() -> (Double, Double) {
    switch random.below(12) {
    case 0: (0, quarters(100))
    case 1...3: RandomCase.borders[random.below(4)]
    case 4...6: (1 + quarters(100), 1 + quarters(100))
    default: (1 + quarters(800), 1 + quarters(800))
    }
  }
}
