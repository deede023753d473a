// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// A group of landmark models: they find the points of one object in a crop that a detector has found.
///
/// Each family is a value; all are listed in `all`.
package struct LandmarkFamily: Sendable, Hashable {
  /// The detectors that find the crop.
  package enum FirstStage: Sendable, Hashable {
    /// A family of MediaPipe, and its files as MediaPipe publishes them.
    case mediaPipe(DetectorFamily, files: String)
    /// Any detector with a class of people; the crop is the box.
    case people

    /// The detectors in messages.
    package var description: String {
      switch self {
      case .mediaPipe(_, let files): "MediaPipe's \(files)"
      case .people: "a detector of people"
      }
    }
  }

  /// The outputs with the points.
  enum Layout: Sendable, Hashable {
    /// A row of numbers for all points, x and y in pixels of the input first.
    case row(columns: Int)
    /// MediaPipe's face mesh with attention: a row for the mesh, and one for each part that it refines.
    case faceParts
    /// The scores of the places along each axis.
    case axes
  }

  /// The score of an object, or that there is none.
  enum Flag: Sendable, Hashable {
    /// A probability.
    case done
    /// The logit of one.
    case logit
    /// No output: the object is always there, and its score is the mean of its points' scores.
    case none
  }

  /// The name in messages.
  package let name: String
  /// The object as a noun: "a hand".
  package let subject: String
  /// The name of the object's class.
  let className: String
  /// The detectors that find the crop.
  package let firstStage: FirstStage
  let layout: Layout
  /// The number of points in the output.
  let rows: Int
  /// The number of points that are reported; the others only help to find the next crop.
  let pointCount: Int
  /// The column with the logit that a point is visible; nil for models without it.
  var visibility: Int?
  /// The column with the logit that a point is in the image; nil for models without it.
  var presence: Int?
  /// The factor of z, which the third column has in pixels of the input.
  var depthScale = 1.0
  /// True if a second output of one number is the probability of a right hand.
  var hasHandedness = false
  /// True if an output has each point in metres.
  var hasWorld = false
  let flag: Flag
  /// The least score of a point that the object's box encloses; nil if the detector's box stays.
  ///
  /// Without scores the box encloses all points.
  package var leastOfBox: Float? = 0.5
  /// The size in which the speed of points is measured when they are smoothed over the frames of a video; nil
  /// for points that MediaPipe does not smooth.
  package var smoothing: LandmarkSmoother.Scale?
  /// The input, unless the model describes another.
  var input = DetectorInput(normalization: .fractions, usesTwoTaps: true)
  /// The names and edges of the points.
  package let keypointSet: KeypointSet
}

extension LandmarkFamily {
  /// All families, in the order in which a model is compared with them.
  package static let all: [LandmarkFamily] = [
    .body, .faceWithIrises, .faceParts, .face, .hand, .rtmPose,
  ]

  /// BlazePose's second stage, lite, full and heavy.
  ///
  /// **Source:** MediaPipe, `tensors_to_pose_landmarks_and_segmentation.pbtxt`: 39 points of x, y, z,
  /// visibility and presence, of which the first 33 are those of the body; the flag is a probability.
  static let body = LandmarkFamily(
    name: "pose-landmarks", subject: "a body", className: "person",
    firstStage: .mediaPipe(.mediaPipePose, files: "pose_detection"), layout: .row(columns: 5), rows: 39,
    pointCount: 33, visibility: 3, presence: 4, hasWorld: true, flag: .done, smoothing: .crop,
    keypointSet: .blazePose)

  /// The face mesh without attention.
  ///
  /// **Source:** MediaPipe, `tensors_to_face_landmarks.pbtxt`: 468 points of x, y, z;
  /// `face_landmark_cpu.pbtxt`: the flag needs a sigmoid.
  static let face = LandmarkFamily(
    name: "face-landmarks", subject: "a face", className: "face", firstStage: faceDetectors,
    layout: .row(columns: 3), rows: 468, pointCount: 468, flag: .logit, smoothing: .points,
    keypointSet: .faceMesh)

  /// The face mesh with attention in one row, as in `face_landmarker.task`.
  ///
  /// **Source:** MediaPipe, `face_landmarks_detector_graph.cc`: 478 points of x, y, z; the flag needs a
  /// sigmoid.
  static let faceWithIrises = LandmarkFamily(
    name: "face-landmarks", subject: "a face", className: "face", firstStage: faceDetectors,
    layout: .row(columns: 3), rows: 478, pointCount: 478, flag: .logit, smoothing: .points,
    keypointSet: .faceMeshWithIrises)

  /// The face mesh with attention, each part as an output.
  ///
  /// **Source:** MediaPipe, `tensors_to_face_landmarks_with_attention.pbtxt`.
  static let faceParts = LandmarkFamily(
    name: "face-landmarks", subject: "a face", className: "face", firstStage: faceDetectors,
    layout: .faceParts, rows: 478, pointCount: 478, flag: .logit, smoothing: .points,
    keypointSet: .faceMeshWithIrises)

  private static let faceDetectors = FirstStage.mediaPipe(
    .mediaPipeFace, files: "face_detection_short_range or face_detection_full_range")

  /// The landmarks of a hand, lite and full.
  ///
  /// **Source:** MediaPipe, `hand_landmark_cpu.pbtxt`: 21 points of x, y, z (`normalize_z` 0.4); the flag is
  /// a probability; of two classes, `hand_landmarks_detector_graph.cc` names the first one "Right".
  static let hand = LandmarkFamily(
    name: "hand-landmarks", subject: "a hand", className: "hand",
    firstStage: .mediaPipe(.mediaPipePalm, files: "palm_detection_lite or palm_detection_full"),
    layout: .row(columns: 3), rows: 21, pointCount: 21, depthScale: 2.5, hasHandedness: true, hasWorld: true,
    flag: .done, keypointSet: .hand)

  /// RTMPose for the 17 points of COCO.
  ///
  /// Boxes stay those of the detector.
  ///
  /// **Source:** MMPose, `rtmpose-m_8xb256-420e_coco-256x192.py`: the mean and deviation of ImageNet, red
  /// first.
  static let rtmPose = LandmarkFamily(
    name: "rtmpose", subject: "a person", className: "person", firstStage: .people, layout: .axes, rows: 17,
    pointCount: 17, flag: .none, leastOfBox: nil,
    input: DetectorInput(normalization: DetectorInput.imageNet.normalization, usesTwoTaps: true),
    keypointSet: .body)
}
