// SPDX-License-Identifier: Apache-2.0

import FoveaErrors
import FoveaMetadata
import FoveaRuntime

/// Models that take sound, sensors' readings or other numbers, whose shape no image has.
enum NumberSeries {
  /// The fewest numbers of a row that is called a series.
  private static let leastCount = 16

  /// Parts of a tensor's name that show sound or a sensor.
  private static let parts = [
    "audio", "waveform", "spectrogram", "mfcc", "fingerprint", "speech", "accelerometer", "gyroscope",
  ]
  /// Shorter ones, which have to stand between what is no letter.
  private static let words: Set<Substring> = [
    "wav", "mel", "sound", "accel", "gyro", "imu", "ecg", "eeg", "emg", "ppg",
  ]

  /// Labels of sound: what is neither a command nor a noise.
  private static let labels: Set<String> = [
    "silence", "_silence_", "background noise", "_background_noise_", "background_noise", "noise",
  ]

  /// What a model takes, by its operators, its tensors and how they are described; nil where nothing shows it.
  static func recognized(
    operators: [String], _ signature: ModelSignature, content: TensorContent?
  ) -> UnsupportedModel? {
    guard signature.inputs.count == 1, let input = signature.inputs.first else { return nil }
    let isSound =
      operators.contains { ["AudioSpectrogram", "Mfcc"].contains($0) } || content == .other(4)
      || isNamed(input) && input.shape.last != 3
    // As many channels as [1, 1, 1, 640] has no pixel.
    let isSeries =
      input.shape.count { $0 > 1 } == 1 && input.shape.max() ?? 0 >= leastCount
      && (input.shape.count <= 3 || input.shape.dropLast().allSatisfy { $0 == 1 })
    guard isSound || isSeries else { return nil }
    let isRepeated = signature.outputs.count == 1 && signature.outputs[0].shape == input.shape
    let again = isRepeated ? "; what it answers is that again (an autoencoder)" : ""
    return UnsupportedModel(
      "it takes sound or another series of numbers, \(input), not an image\(again)",
      remedy: UnsupportedModel.otherModel)
  }

  /// Whether one of the labels is a sound's.
  static func isNamed(by labels: LabelMap?) -> Bool {
    labels?.names.contains { Self.labels.contains($0.lowercased()) } ?? false
  }

  /// Whether a tensor's names show sound or a sensor.
  private static func isNamed(_ tensor: TensorDescription) -> Bool {
    let names = (tensor.name + " " + tensor.signatureName).lowercased()
    return parts.contains(where: names.contains)
      || names.split { !$0.isLetter }.contains { words.contains($0) }
  }
}
