// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// A group of landmark models: they find the points of one object in a crop that a detector has found.
///
/// Each family is a value; all are listed in `all`.
package struct LandmarkFamily: Sendable, Hashable {
  /// The score of an object, or that there is none.
  enum Flag: Sendable, Hashable {
    /// A probability.
    case done
    /// The logit of one.
    case logit
  }

  /// The name in messages.
  package let name: String
  /// The object as a noun: "a hand".
  package let subject: String
  /// The family of detectors that find the crop.
  package let detectors: DetectorFamily
  /// The files of these detectors, as MediaPipe publishes them.
  package let detectorFiles: String
  /// The number of points in the output.
  let rows: Int
  /// The numbers of each point: x and y in pixels of the input first.
  let columns: Int
  /// The number of points that are reported; the others only help to find the next crop.
  let pointCount: Int
  /// The column with the logit that a point is visible; nil for models without it.
  let visibility: Int?
  let flag: Flag
  /// The names and edges of the points; nil for a face, whose points only have numbers.
  package let keypointSet: KeypointSet?
}

extension LandmarkFamily {
  package static let all: [LandmarkFamily] = [.body, .face, .hand]

  /// BlazePose's second stage, lite, full and heavy.
  ///
  /// **Source:** MediaPipe, `tensors_to_pose_landmarks_and_segmentation.pbtxt`: 39 points of x, y, z,
  /// visibility and presence, of which the first 33 are those of the body; the flag is a probability.
  static let body = LandmarkFamily(
    name: "blazepose", subject: "a body", detectors: .mediaPipePose, detectorFiles: "pose_detection",
    rows: 39, columns: 5, pointCount: 33, visibility: 3, flag: .done, keypointSet: .blazePose)

  /// The face mesh without attention.
  ///
  /// **Source:** MediaPipe, `tensors_to_face_landmarks.pbtxt`: 468 points of x, y, z;
  /// `face_landmark_cpu.pbtxt`: the flag needs a sigmoid.
  static let face = LandmarkFamily(
    name: "face-mesh", subject: "a face", detectors: .mediaPipeFace,
    detectorFiles: "face_detection_short_range or face_detection_full_range",
    rows: 468, columns: 3, pointCount: 468, visibility: nil, flag: .logit, keypointSet: nil)

  /// The landmarks of a hand, lite and full.
  ///
  /// **Source:** MediaPipe, `hand_landmark_cpu.pbtxt`: 21 points of x, y, z; the flag is a probability.
  static let hand = LandmarkFamily(
    name: "hand-landmarks", subject: "a hand", detectors: .mediaPipePalm,
    detectorFiles: "palm_detection_lite or palm_detection_full",
    rows: 21, columns: 3, pointCount: 21, visibility: nil, flag: .done, keypointSet: .hand)
}
