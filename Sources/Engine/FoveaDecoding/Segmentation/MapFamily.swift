// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime

/// A group of segmentation models whose maps are read in the same way.
///
/// Each family is a value; all are listed in `all`.
public struct MapFamily: Sendable {
  /// The meaning of the numbers of a map.
  enum Numbers: Sendable, Hashable {
    /// One number for each cell, its class.
    case classes
    /// One number for each cell, the probability of the foreground.
    case foreground
    /// A number for each class and cell; the largest decides.
    case scores
  }

  /// All families, in the order in which a model is compared with them.
  public static let all: [MapFamily] = [.classMap, .mask, .twoClassMap, .yoloSemantic, .map]

  /// The name in options and reports.
  public let name: String
  /// Other names of models that are read as this family.
  var aliases: [String] = []
  /// A description of the tensors that a model of the family must have.
  public let rule: String
  /// The input that models of the family expect.
  public let input: DetectorInput
  let numbers: Numbers
  /// The numbers of channels of a map.
  let channels: ClosedRange<Int>
  /// The exporter's task that only models of the family have; nil for families known by their shapes.
  var task: String?
}

extension MapFamily {
  /// The largest number of classes: a class is a byte, and 255 means none.
  static let maximumClasses = 255

  /// Models that end in an argmax: a class number for each cell.
  ///
  /// **Source:** google-coral/test_data, `deeplabv3_mnv2_dm05_pascal_quant.tflite` (int64 [1, 513, 513]).
  public static let classMap = MapFamily(
    name: "class-map", aliases: ["argmax"],
    rule: "one output [1, H, W] or [1, H, W, 1] of int64, int32 or uint8: the number of a class",
    input: DetectorInput(), numbers: .classes, channels: 1...1)

  /// Models with the probability of one foreground: people in front of a camera, for instance.
  ///
  /// **Source:** MediaPipe, `modules/selfie_segmentation/selfie_segmentation_cpu.pbtxt` (stretched, RGB,
  /// 0…1).
  public static let mask = MapFamily(
    name: "mask", aliases: ["selfie"],
    rule: "one output [1, H, W, 1] or [1, 1, H, W] that ends in a sigmoid, or whose quantisation is 0…1: the"
      + " probability of the foreground",
    input: DetectorInput(normalization: .fractions, usesTwoTaps: true), numbers: .foreground,
    channels: 1...1)

  /// Models with scores of a background and a foreground: hair and Google Meet's models, for instance.
  ///
  /// **Source:** MediaPipe, `graphs/hair_segmentation/hair_segmentation_mobile_gpu.pbtxt` (channel 1 is the
  /// foreground; stretched, RGB, 0…1).
  public static let twoClassMap = MapFamily(
    name: "two-class-map", aliases: ["meet"],
    rule: "one output [1, H, W, 2] or [1, 2, H, W]: scores of the background and the foreground",
    input: DetectorInput(normalization: .fractions, usesTwoTaps: true), numbers: .scores, channels: 2...2)

  /// Ultralytics' models for the task `semantic`.
  ///
  /// **Source:** docs.ultralytics.com, tasks/semantic; an exported YOLO26n-sem (letterbox, RGB, 0…1).
  public static let yoloSemantic = MapFamily(
    name: "yolo-sem", aliases: ["yolo26-sem"],
    rule: "one output [1, C, H, W] or [1, H, W, C]: scores of C classes, exported for the task 'semantic'",
    input: .ultralytics, numbers: .scores, channels: 2...maximumClasses, task: "semantic")

  /// Models with a score for each class: DeepLab and most others.
  ///
  /// **Source:** Chen et al., "Encoder-Decoder with Atrous Separable Convolution for Semantic Image
  /// Segmentation"; tensorflow/tflite-support, `cc/task/vision/image_segmenter.cc` (stretched, argmax).
  public static let map = MapFamily(
    name: "map", aliases: ["deeplab"],
    rule: "one output [1, H, W, C] or [1, C, H, W] with C of 3 or more: scores of C classes",
    input: DetectorInput(), numbers: .scores, channels: 3...maximumClasses)
}

extension MapFamily: Hashable, CustomStringConvertible {
  /// Finds the family with this name or alias ("deeplab" is an alias of `map`); nil if there is none.
  public init?(name: String) {
    guard let family = Self.all.first(where: { $0.name == name || $0.aliases.contains(name) }) else {
      return nil
    }
    self = family
  }

  /// Families are equal if they have the same name.
  public static func == (left: MapFamily, right: MapFamily) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  public var description: String { name }
}
