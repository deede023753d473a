// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// Models that process sound, sensor readings or other numbers, in a shape that no image has.
enum NumberSeries {
  /// The smallest number of consecutive numbers that is considered a series.
  private static let leastCount = 16

  /// Parts of a tensor's name that indicate sound or a sensor.
  private static let parts = [
    "audio", "waveform", "spectrogram", "melspec", "logmel", "mfcc", "filterbank", "fbank", "fingerprint",
    "speech",
    "keyword spotting", "microphone", "accelerometer", "gyroscope",
  ]
  /// Shorter names, which must be whole words.
  private static let words: Set<Substring> = [
    "wav", "mel", "mfe", "stft", "sound", "sounds", "accel", "gyro", "imu", "ecg", "eeg", "emg", "ppg",
  ]

  /// Labels that only sounds have: those for silence, noise and unknown words, and classes that no image
  /// shows.
  ///
  /// **Source:** Speech Commands, UrbanSound8K, GTZAN.
  private static let labels: Set<String> = [
    "_silence_", "_unknown_", "background noise", "_background_noise_", "background_noise", "street_music",
    "gun_shot", "engine_idling",
  ]
  /// Labels that sounds have, and now and then a person, a defect or a blurred image.
  private static let doubtful: Set<String> = ["silence", "noise", "sheila", "marvin", "hiphop"]
  /// The words of Speech Commands besides numbers and things.
  private static let commands: Set<String> = [
    "yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go", "forward", "backward",
  ]
  /// The labels for all other words.
  private static let others: Set<String> = ["unknown", "other", "background"]

  /// Recognises a model of sound or another series by its operators, tensors and metadata; nil for others.
  ///
  /// Metadata that declare an image outweigh a name, but not operators or a shape.
  static func recognized(
    operators: [String], _ signature: ModelSignature, content: TensorContent?
  ) -> UnsupportedModel? {
    guard signature.inputs.count == 1, let input = signature.inputs.first else { return nil }
    let isSound = operators.contains { ["AudioSpectrogram", "Mfcc"].contains($0) } || content == .other(4)
    // No pixel has as many channels as [1, 1, 1, 640].
    let isSeries =
      input.shape.count { $0 > 1 } == 1 && input.shape.max() ?? 0 >= leastCount
      && (input.shape.count <= 3 || input.shape.dropLast().allSatisfy { $0 == 1 })
    let isDeclared = if case .image? = content { true } else { false }
    guard isSound || isSeries || !isDeclared && isNamed(input) else { return nil }
    let isRepeated = signature.outputs.count == 1 && signature.outputs[0].shape == input.shape
    let again = isRepeated ? "; its output has the same shape (an autoencoder)" : ""
    let mayBeImage = !isSound && !isSeries && ImageShape(input.shape) != nil
    return UnsupportedModel(
      "it takes sound or another series of numbers, \(input), not an image\(again)",
      remedy: mayBeImage ? ImageEvidence.declaration : UnsupportedModel.otherModel)
  }

  /// Returns whether one label is a sound's, or a doubtful one with another or with the one for all other
  /// words, or all are commands: at least three, because gestures share some of the words.
  static func isNamed(by labels: LabelMap?) -> Bool {
    let names = Set(labels?.names.map { $0.lowercased() } ?? [])
    guard names.isDisjoint(with: Self.labels) else { return true }
    let words = names.subtracting(others)
    let signs = names.intersection(doubtful).count
    guard signs == 0 || signs + names.count - words.count < 2 else { return true }
    return words.count >= 3 && words.isSubset(of: commands) && words.isSuperset(of: ["yes", "no"])
  }

  /// Returns whether the metadata of a model or its input describe sound or a sensor, and not images.
  static func isDescribed(by metadata: ModelMetadata?) -> Bool {
    let input = metadata?.inputs.first
    let texts = [metadata?.name, metadata?.description, input?.name, input?.description]
    let text = texts.compactMap { $0?.lowercased() }.joined(separator: " ")
    // TensorFlow's keyword spotters name only tensors "fingerprint"; in metadata the word means a finger's
    // image.
    let isFinger = text.contains(part: "fingerprint")
    return !text.contains(part: "image") && !isFinger && isNamed(text)
  }

  /// Returns whether a tensor's names indicate sound or a sensor; `spectrogram_image` is an image, and so is
  /// a fingerprint in colours.
  private static func isNamed(_ tensor: TensorDescription) -> Bool {
    guard !ImageEvidence.isNamedImage(tensor) else { return false }
    let text = (tensor.name + " " + tensor.signatureName).lowercased()
    let isColored = ImageShape(tensor.shape)?.isGrey == false
    return isNamed(isColored ? text.replacing(part: "fingerprint", with: "") : text)
  }

  private static func isNamed(_ text: String) -> Bool {
    parts.contains(where: text.contains(part:)) || text.split { !$0.isLetter }.contains { words.contains($0) }
  }
}
