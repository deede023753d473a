// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaFormats
import FoveaGeometry

extension ObjectSet {
  /// Reads results of `fovea detect`, with or without manual corrections.
  ///
  /// They are JSON, JSON lines, CSV, or a folder in the form of Pascal VOC or YOLO. A box gets its best label
  /// as class; scores are ignored.
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - folder: The folder of the images, which are found by the results' paths or by name.
  /// - Throws: As `init(instances:images:)`.
  package init(results path: String, images folder: String) throws(FoveaError) {
    let truth: COCOGroundTruth
    do throws(EvaluationError) {
      var list = RecordList(folder: folder)
      try RecordFile.read(path: path) { list.add($0) }
      truth = try COCOGroundTruth(
        images: list.images, categories: list.categories, annotations: list.annotations)
    } catch {
      throw FoveaError(error)
    }
    do throws(TrainingError) {
      self = try InstancesReader(truth: truth, source: path, folder: folder).set()
    } catch {
      throw FoveaError(error)
    }
  }
}

/// Records as the lists of an instances file.
private struct RecordList {
  let folder: String
  private(set) var images: [COCOGroundTruth.Image] = []
  private(set) var categories: [COCOGroundTruth.Category] = []
  private(set) var annotations: [COCOGroundTruth.Annotation] = []
  private var numbers: [String: Int] = [:]

  init(folder: String) { self.folder = folder }

  mutating func add(_ record: DetectionRecord) {
    // Training uses images as they are stored.
    guard let findings = record.findings?.stored() else { return }
    let image = images.count + 1
    images.append(
      .init(id: image, fileName: InstancesReader.part(of: record.image, below: folder) ?? record.image))
    for object in findings.objects {
      guard let label = object.labels.first?.text else { continue }
      let category = numbers[label] ?? numbers.count + 1
      if numbers.updateValue(category, forKey: label) == nil {
        categories.append(.init(id: category, name: label))
      }
      let box = object.box
      annotations.append(
        .init(
          id: annotations.count + 1, imageID: image, categoryID: category,
          box: COCOBox(x: box.minX, y: box.minY, width: box.width, height: box.height)))
    }
  }
}
