// SPDX-License-Identifier: Apache-2.0

/// The five anchors of a YOLOv2: widths and heights in cells of 32 pixels.
struct YOLOv2Anchors: Sendable, Hashable {
  /// What they are called in a sentence: "the anchors of …".
  let name: String
  let sizes: [[Float]]

  /// The anchors of models for Pascal VOC's 20 classes.
  ///
  /// **Source:** Darknet, `cfg/yolov2-tiny-voc.cfg` (in Darkflow `tiny-yolo-voc.cfg`), line `anchors`.
  static let tinyVOC = YOLOv2Anchors(
    name: "tiny-yolo-voc",
    sizes: [[1.08, 1.19], [3.42, 4.41], [6.63, 11.38], [9.42, 5.11], [16.62, 10.52]])

  /// The anchors of models for COCO's 80 classes, small and large.
  ///
  /// **Source:** Darknet, `cfg/yolov2.cfg` and `cfg/yolov2-tiny.cfg`, line `anchors`; Microsoft's samples for Custom
  /// Vision's exports and those for Kendryte's K210 have the same.
  static let coco = YOLOv2Anchors(
    name: "yolov2",
    sizes: [
      [0.57273, 0.677385], [1.87446, 2.06253], [3.33843, 5.47434], [7.88282, 3.52778], [9.77052, 9.16828],
    ])

  /// The anchors that a model with so many classes most probably has.
  static func usual(classCount: Int) -> YOLOv2Anchors { classCount == 20 ? tinyVOC : coco }
}
