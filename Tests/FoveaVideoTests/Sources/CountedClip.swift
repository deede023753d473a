// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaTesting
import Testing

/// A clip of the shared data, with its visible objects.
///
/// Counted by eye from contact sheets at two images per second: `ffmpeg -i CLIP -vf
/// fps=2,scale=160:-1,tile=10x9`. An object out of sight for more than a second counts again when it returns,
/// as the tracker has forgotten it.
struct CountedClip: Sendable, CustomTestStringConvertible {
  /// An object, or one of its appearances.
  struct Appearance: Sendable {
    let name: String
    /// The time it is visible, in seconds; during a second at either end it may be partly outside.
    let seconds: ClosedRange<Double>
    /// Its centre, in pixels from the left.
    var columns = 0.0...10_000.0

    /// Whether a box that was seen at a time may be this object.
    func matches(_ box: BoundingBox, at time: Double) -> Bool {
      seconds.contains(time) && columns.contains(box.midX)
    }
  }

  let name: String
  /// The end of the tests, in seconds; `FOVEA_WHOLE_CLIPS=1` continues to the end of the clip.
  var end = Double.infinity
  /// The label of interest; nil for a detector without classes.
  let label: String?
  let appearances: [Appearance]

  private static let areWhole = ProcessInfo.processInfo.environment["FOVEA_WHOLE_CLIPS"] == "1"
  /// Whether the tests continue to the end.
  var isWhole: Bool { end == .infinity || Self.areWhole }
  /// The end of the clip for the tests, in seconds.
  var testedEnd: Double { isWhole ? .infinity : end }
  /// The objects visible until then.
  var testedAppearances: [Appearance] { appearances.filter { $0.seconds.lowerBound < testedEnd } }

  var path: String { SharedData.path("video/\(name)") }
  var testDescription: String { name }

  /// Persons who enter from below, stop at a table and leave to the right, one after the other.
  static let persons = CountedClip(
    name: "intel_one-by-one-person-detection.mp4", end: 46, label: "person",
    appearances: [
      Appearance(name: "woman in grey", seconds: 5.5...19.5),
      Appearance(name: "man in black", seconds: 21.5...44.5),
      Appearance(name: "blonde woman in black", seconds: 49.5...69.5),
      Appearance(name: "man with cap", seconds: 73.5...86.5),
      Appearance(name: "black-haired woman in grey", seconds: 91.5...119.5),
      Appearance(name: "man in grey shirt", seconds: 123...136),
    ])

  /// Three bottles on a shelf from the start; a hand removes some and puts them back, four times after more
  /// than a second.
  static let bottles = CountedClip(
    name: "intel_bottle-detection.mp4", end: 19.5, label: "bottle",
    appearances: [
      Appearance(name: "left, from the start", seconds: 0...7, columns: 0...200),
      Appearance(name: "middle, from the start", seconds: 0...18, columns: 200...430),
      Appearance(name: "right, from the start", seconds: 0...32, columns: 430...640),
      Appearance(name: "left, put back for the first time", seconds: 11...18, columns: 0...200),
      Appearance(name: "middle, put back", seconds: 22...40, columns: 200...430),
      Appearance(name: "left, put back for the second time", seconds: 27...40, columns: 0...200),
      Appearance(name: "right, put back", seconds: 34.5...40, columns: 430...640),
    ])

  /// A kitten that walks towards the camera.
  static let cat = CountedClip(
    name: "firebase_cat_videoplayback.mp4", label: "cat",
    appearances: [Appearance(name: "kitten", seconds: 0...4.3)])

  /// Cars from above: two drive up, two down, two of which pass each other.
  static let cars = CountedClip(
    name: "intel_car-detection.mp4", label: nil,
    appearances: [
      Appearance(name: "white SUV, upwards", seconds: 4...8.5),
      Appearance(name: "light blue, downwards", seconds: 14...18.5),
      Appearance(name: "red, upwards", seconds: 14.8...19),
      Appearance(name: "white sports car, downwards", seconds: 25...28),
    ])
}
