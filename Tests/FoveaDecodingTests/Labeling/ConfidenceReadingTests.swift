// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaMetadata
import FoveaRuntime
import Testing

@Suite struct ConfidenceReadingTests {
  struct Known: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var count = 3
    var type = ElementType.float32
    var quantization = Quantization.none
    var asked: ScoreActivation?
    var end: OutputActivation?
    var labels: Int?
    var isCalibrated = false
    var activation = ScoreActivation.none
    var source = ConfidenceReading.Source.model
    var isBinary = false
  }

  static func head(_ known: Known) throws -> ClassifierHead {
    let output = TensorDescription(
      name: "scores", elementType: known.type, shape: [1, known.count], quantization: known.quantization)
    return try ClassifierHead(
      modelName: "m", signature: ModelSignature(key: nil, inputs: [], outputs: [output]))
  }

  static func reading(_ known: Known) throws -> ConfidenceReading {
    try ConfidenceReading(
      try head(known), modelName: "m", asked: known.asked, end: known.end, labelCount: known.labels,
      isCalibrated: known.isCalibrated)
  }

  static let known = [
    Known(testDescription: "a softmax", end: .softmax),
    Known(testDescription: "a sigmoid", end: .sigmoid),
    Known(testDescription: "logits", end: .linear, activation: .softmax, source: .assumed),
    Known(testDescription: "another end", end: .other, activation: .softmax, source: .values),
    Known(testDescription: "a mean", end: .pooled, activation: .softmax, source: .values),
    Known(testDescription: "nothing known", activation: .softmax, source: .values),
    Known(
      testDescription: "uint8 of 1/256 a step", type: .uint8,
      quantization: .perTensor(scale: 1 / 256, zeroPoint: 0), end: .linear),
    Known(
      testDescription: "int8 of 1/256 a step", type: .int8,
      quantization: .perTensor(scale: 1 / 256, zeroPoint: -128)),
    Known(
      testDescription: "uint8 of 1/255 a step", type: .uint8,
      quantization: .perTensor(scale: 1 / 255, zeroPoint: 0)),
    Known(
      testDescription: "uint8 logits", type: .uint8, quantization: .perTensor(scale: 0.0989, zeroPoint: 58),
      end: .linear, activation: .softmax, source: .assumed),
    Known(testDescription: "calibrated logits", end: .linear, isCalibrated: true),
    Known(testDescription: "asked for none", asked: ScoreActivation.none, end: .linear, source: .option),
    Known(
      testDescription: "asked for a sigmoid", asked: .sigmoid, end: .softmax, activation: .sigmoid,
      source: .option),
    Known(testDescription: "one score", count: 1, end: .sigmoid),
    Known(testDescription: "one score, one label", count: 1, end: .sigmoid, labels: 1),
    Known(testDescription: "one score, two labels", count: 1, end: .sigmoid, labels: 2, isBinary: true),
    Known(
      testDescription: "one logit, two labels", count: 1, end: .linear, labels: 2, activation: .sigmoid,
      source: .assumed, isBinary: true),
    Known(
      testDescription: "one logit, asked", count: 1, asked: .sigmoid, end: .linear, activation: .sigmoid,
      source: .option),
    Known(testDescription: "two scores, two labels", count: 2, end: .softmax, labels: 2),
    Known(
      testDescription: "one score of an unknown end, asked", count: 1, asked: ScoreActivation.none,
      end: .other, source: .option),
    Known(
      testDescription: "one score of an unknown end, two labels", count: 1, end: .other, labels: 2,
      source: .values, isBinary: true),
  ]

  @Test(arguments: known) func `known facts about the scores decide`(_ known: Known) throws {
    let reading = try Self.reading(known)
    #expect(reading.activation == known.activation)
    #expect(reading.source == known.source)
    #expect(reading.isBinary == known.isBinary)
    #expect(reading.classCount == (known.isBinary ? 2 : known.count))
    let isSaid = [.assumed, .values].contains(known.source) && (known.count > 1 || known.source == .assumed)
    #expect((reading.assumption(modelName: "m") != nil) == isSaid)
  }

  @Test func `an assumption names the option that replaces it`() throws {
    let logits = try Self.reading(Known(testDescription: "", end: .linear))
    #expect(
      logits.assumption(modelName: "m")?.description
        == "'m' ends in raw scores (logits); a softmax is assumed. Set the activation of its scores (Options.scoreActivation: none, sigmoid or softmax)"
    )
    let unlabelled = try Self.reading(Known(testDescription: "", end: .other))
    #expect(
      unlabelled.assumption(modelName: "m")?.description
        == "'m' does not declare what its numbers are; they are used unchanged as long as all are 0 to 1."
        + " Set the activation of its scores (Options.scoreActivation: none, sigmoid or softmax)")
    let unknown = try Self.reading(Known(testDescription: "", end: .other, labels: 3))
    #expect(
      unknown.assumption(modelName: "m")?.description
        == "'m' does not declare what its scores are; if all are 0 to 1, they are used unchanged, otherwise a softmax is applied."
        + " Set the activation of its scores (Options.scoreActivation: none, sigmoid or softmax)")
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    var known: Known
    var message: String
    var remedy: String
    var testDescription: String { known.testDescription }
  }

  static let refused = [
    Refused(
      known: Known(testDescription: "a regression", count: 1, end: .linear),
      message:
        "'m' is not an image classifier: it outputs one number without a sigmoid, as a regression does",
      remedy:
        "If the number is a logit, give Options.scoreActivation = .sigmoid, or the labels of its two classes (Options.labelFile)"
    ),
    Refused(
      known: Known(testDescription: "one number of an unknown end", count: 1, end: .other),
      message:
        "'m' is not an image classifier: it outputs one number without a sigmoid, as a regression does",
      remedy:
        "If the number is a logit, give Options.scoreActivation = .sigmoid, or the labels of its two classes (Options.labelFile)"
    ),
    Refused(
      known: Known(testDescription: "a softmax of one number", count: 1, asked: .softmax),
      message: "'m' outputs one number, and a softmax turns any single number into 1",
      remedy:
        "Give Options.scoreActivation = .sigmoid if the number is a logit, or none if it is a probability"
    ),
    Refused(
      known: Known(testDescription: "an embedding", count: 10, end: .unitLength),
      message:
        "'m' is not an image classifier: it outputs a vector of unit length (an embedding), not scores",
      remedy:
        "Use a model that ends in a softmax or a sigmoid, or set the activation (Options.scoreActivation) if these are scores"
    ),
  ]

  @Test(arguments: refused) func `outputs that cannot be a classifier's are rejected`(_ row: Refused) {
    let error = #expect(throws: LabelingError.self) { try Self.reading(row.known) }
    #expect(error?.code == .notAClassifier)
    #expect(error?.message == row.message)
    #expect(error?.remedy.description == row.remedy)
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    var known: Known
    var scores: [Float]
    var expected: [Float]
    var testDescription: String { "\(known.testDescription) \(scores)" }
  }

  static let answers = [
    Answer(
      known: Known(testDescription: "probabilities", end: .softmax), scores: [0.2, 0.3, 0.5],
      expected: [0.2, 0.3, 0.5]),
    Answer(
      known: Known(testDescription: "rounded", end: .softmax), scores: [-0.004, 1.004, 0],
      expected: [0, 1, 0]),
    Answer(
      known: Known(testDescription: "negative logits", end: .linear), scores: [-3, -3, -3],
      expected: [1 / 3, 1 / 3, 1 / 3]),
    Answer(
      known: Known(testDescription: "an unknown end, labels", end: .other, labels: 3), scores: [0.25, 0, 1],
      expected: [0.25, 0, 1]),
    Answer(
      known: Known(testDescription: "an unknown end, labels", end: .other, labels: 3), scores: [0, 0, 20],
      expected: [0, 0, 1]),
    Answer(
      known: Known(testDescription: "an unknown end", end: .other), scores: [0.25, 0, 1],
      expected: [0.25, 0, 1]),
    Answer(
      known: Known(testDescription: "an unknown end, asked", asked: .softmax, end: .other),
      scores: [0, 0, 20],
      expected: [0, 0, 1]),
    Answer(
      known: Known(testDescription: "one score, two labels", count: 1, end: .sigmoid, labels: 2),
      scores: [0.7],
      expected: [0.3, 0.7]),
    Answer(
      known: Known(testDescription: "one logit, two labels", count: 1, end: .linear, labels: 2), scores: [0],
      expected: [0.5, 0.5]),
  ]

  @Test(arguments: answers) func `numbers become confidences`(_ row: Answer) throws {
    var scores = row.scores
    try Self.reading(row.known).apply(to: &scores, modelName: "m")
    #expect(scores.count == row.expected.count)
    for (score, expected) in zip(scores, row.expected) { #expect(abs(score - expected) < 1e-6, "\(scores)") }
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    var known: Known
    var scores: [Float]
    var message: String
    var remedy: String
    var testDescription: String { "\(known.testDescription) \(scores)" }
  }

  static let unknownRemedy =
    "If these are classes, give their 3 labels (Options.labelFile) or set the activation (Options.scoreActivation: softmax for logits, sigmoid if several classes may be true at once); a model that measures something is not a classifier"

  static let broken = [
    Broken(
      known: Known(testDescription: "logits taken as they are", asked: ScoreActivation.none),
      scores: [0, 7.5, -1],
      message: "'m' returned 7.5 as the confidence of class 1, expected 0 to 1",
      remedy: "Give Options.scoreActivation = .softmax, or sigmoid if several classes may be true at once"),
    Broken(
      known: Known(
        testDescription: "one measured number", count: 1, asked: ScoreActivation.none, end: .other),
      scores: [37],
      message: "'m' returned 37.0 as the confidence of class 0, expected 0 to 1",
      remedy:
        "Give Options.scoreActivation = .sigmoid if it is a classifier of two classes; a model that measures something is not a classifier"
    ),
    Broken(
      known: Known(testDescription: "measured numbers", end: .other), scores: [0, 0, 20],
      message: "'m' returned 20.0 as the confidence of class 2, expected 0 to 1", remedy: unknownRemedy),
    Broken(
      known: Known(testDescription: "a face's features", end: .pooled), scores: [0.25, -0.5, 1],
      message: "'m' returned -0.5 as the confidence of class 1, expected 0 to 1", remedy: unknownRemedy),
    Broken(
      known: Known(testDescription: "labels of another number", end: .other, labels: 2), scores: [0, 0, 7],
      message: "'m' returned 7.0 as the confidence of class 2, expected 0 to 1", remedy: unknownRemedy),
    Broken(
      known: Known(testDescription: "infinite", end: .linear), scores: [0, .infinity, 0],
      message: "'m' returned inf as the confidence of class 1, expected 0 to 1",
      remedy:
        "Check the model with the tool that exported it: a classifier outputs confidences or finite logits"),
    Broken(
      known: Known(testDescription: "infinite, with a sigmoid", asked: .sigmoid), scores: [0, 1, .infinity],
      message: "'m' returned inf as the confidence of class 2, expected 0 to 1",
      remedy:
        "Check the model with the tool that exported it: a classifier outputs confidences or finite logits"),
    Broken(
      known: Known(testDescription: "minus infinity as a probability", end: .softmax),
      scores: [0, 1, -.infinity],
      message: "'m' returned -inf as the confidence of class 2, expected 0 to 1",
      remedy:
        "Check the model with the tool that exported it: a classifier outputs confidences or finite logits"),
    Broken(
      known: Known(testDescription: "one that is not a number", end: .softmax), scores: [0.9, .nan, 0.1],
      message: "'m' returned nan as the confidence of class 1, expected 0 to 1",
      remedy:
        "Give the normalisation it was trained with (Options.normalization), or check the model with the tool that exported it"
    ),
    Broken(
      known: Known(testDescription: "one that is not a number, of an unknown end", end: .other, labels: 3),
      scores: [.nan, 0.9, 0.1],
      message: "'m' returned nan as the confidence of class 0, expected 0 to 1",
      remedy:
        "Give the normalisation it was trained with (Options.normalization), or check the model with the tool that exported it"
    ),
    Broken(
      known: Known(testDescription: "no number", end: .softmax), scores: [.nan, .nan, .nan],
      message: "'m' returned no number at all (NaN)",
      remedy:
        "Give the normalisation it was trained with (Options.normalization), or check the model with the tool that exported it"
    ),
  ]

  @Test(arguments: broken) func `an impossible confidence is an error`(_ row: Broken) throws {
    let reading = try Self.reading(row.known)
    var scores = row.scores
    let error = #expect(throws: LabelingError.self) { try reading.apply(to: &scores, modelName: "m") }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message == row.message)
    #expect(error?.remedy.description == row.remedy)
  }

  @Test(arguments: broken.filter { $0.remedy == unknownRemedy })
  func `the remedy for numbers of any size works`(_ row: Broken) throws {
    for activation in [ScoreActivation.softmax, .sigmoid] {
      #expect(row.remedy.contains(activation.rawValue))
      var known = row.known
      known.asked = activation
      var scores = row.scores
      try Self.reading(known).apply(to: &scores, modelName: "m")
    }
  }

  @Test func `a calibration may map logits to anything between 0 and 1`() throws {
    let curve = ScoreCalibration.Sigmoid(scale: 1, slope: 1, offset: 0)
    let calibration = ScoreCalibration(sigmoids: [curve, nil], options: .init(defaultScore: 0.1))
    let reading = try Self.reading(Known(testDescription: "", count: 2, end: .linear, isCalibrated: true))
    var scores: [Float] = [0, 9]
    try reading.apply(to: &scores, modelName: "m", calibration: calibration)
    #expect(scores == [0.5, 0.1])
    // The second class has no curve.
    for value in [Float.nan, .infinity] {
      scores = [0, value]
      let error = #expect(throws: LabelingError.self) {
        try reading.apply(to: &scores, modelName: "m", calibration: calibration)
      }
      #expect(error?.message == "'m' returned \(value) as the confidence of class 1, expected 0 to 1")
    }
  }

  @Test func `a logit of minus infinity has the probability 0`() throws {
    for activation in [ScoreActivation.softmax, .sigmoid] {
      var scores: [Float] = [9, -.infinity, -200]
      try Self.reading(Known(testDescription: "", asked: activation)).apply(to: &scores, modelName: "m")
      #expect(abs(scores[0] - 1) < 1e-3 && scores[1] == 0 && scores[2] < 1e-30)
    }
  }
}
