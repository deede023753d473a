// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// A selection of one call gives the same as a detector created with those options.
@Suite struct SelectionTests {
  static let photos = ["coffee", "astronaut", "dog", "cake"].map {
    PackageRoot.path + "/Examples/photos/\($0).jpg"
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let model: EmbeddedModel
    let options: @Sendable (inout ObjectDetector.Options) -> Void
    let selection: @Sendable (inout ObjectDetector.Selection) -> Void
    var testDescription: String { "\(name), \(model)" }
  }

  static let cases: [Case] =
    ([0, 0.05, 0.3, 0.5, 0.9, 1] as [Float]).flatMap { threshold in
      [EmbeddedModel.detector, .localizer].map { model in
        Case(
          name: "threshold \(threshold)", model: model, options: { $0.threshold = threshold },
          selection: { $0.threshold = threshold })
      }
    } + [
      Case(
        name: "one object", model: .detector, options: { $0.maxObjects = 1 }, selection: { $0.maxObjects = 1 }
      ),
      Case(
        name: "the most prominent", model: .detector, options: { $0.singleObject = true },
        selection: { $0.singleObject = true }),
      Case(
        name: "tiles", model: .detector, options: { $0.slicing = Slicing() },
        selection: { $0.slicing = Slicing() }),
      Case(
        name: "people and dogs", model: .detector, options: { $0.allowedLabels = ["person", "dog"] },
        selection: { $0.allowedLabels = ["person", "dog"] }),
      Case(
        name: "no people", model: .detector, options: { $0.deniedLabels = ["person"] },
        selection: { $0.deniedLabels = ["person"] }),
      Case(
        name: "one sure label", model: .localizer,
        options: { options in
          options.labelThreshold = 0.5
          options.maxLabels = 1
        },
        selection: { selection in
          selection.labelThreshold = 0.5
          selection.maxLabels = 1
        }),
      Case(
        name: "no food", model: .localizer, options: { $0.deniedLabels = ["Food"] },
        selection: { $0.deniedLabels = ["Food"] }),
    ]

  @Test(arguments: cases)
  func `a call's selection gives the same as options`(_ row: Case) async throws {
    var options = ObjectDetector.Options()
    row.options(&options)
    var selection = ObjectDetector.Selection()
    row.selection(&selection)
    let made = try await ObjectDetector(model: .embedded(row.model), options: options)
    let shared = try await ObjectDetector(model: .embedded(row.model))
    for photo in Self.photos {
      let expected = try await made.detect(in: .file(photo))
      #expect(try await shared.analyze(.file(photo), selecting: selection).objects == expected)
    }
  }

  @Test func `the next call uses the detector's own options again`() async throws {
    let detector = try await ObjectDetector()
    let before = try await detector.detect(in: .file(Self.photos[1]))
    var selection = ObjectDetector.Selection()
    selection.threshold = 0.01
    selection.maxObjects = 1
    #expect(try await detector.analyze(.file(Self.photos[1]), selecting: selection).objects.count == 1)
    #expect(try await detector.detect(in: .file(Self.photos[1])) == before)
    #expect(
      try await detector.analyze(.file(Self.photos[1]), selecting: ObjectDetector.Selection()).objects
        == before)
  }

  @Test func `lists of a call replace those of the detector`() async throws {
    var options = ObjectDetector.Options()
    options.deniedLabels = ["person"]
    let detector = try await ObjectDetector(options: options)
    var selection = ObjectDetector.Selection()
    selection.allowedLabels = ["person"]
    let names = try await detector.analyze(.file(Self.photos[1]), selecting: selection).objects.map {
      $0.labels.first?.text
    }
    #expect(!names.isEmpty && names.allSatisfy { $0 == "person" })
  }

  static let wrong: [@Sendable (inout ObjectDetector.Selection) -> Void] = [
    { $0.threshold = -0.1 }, { $0.threshold = 1.1 }, { $0.threshold = .nan }, { $0.maxObjects = 0 },
    { $0.labelThreshold = 2 }, { $0.maxLabels = 0 }, { $0.allowedLabels = ["no such label"] },
    { selection in
      selection.allowedLabels = ["person"]
      selection.deniedLabels = ["dog"]
    },
    // The embedded detector has no classifier.
    { $0.labelThreshold = 0.5 },
  ]

  @Test(arguments: wrong.indices)
  func `a selection out of range is an error`(_ index: Int) async throws {
    var selection = ObjectDetector.Selection()
    Self.wrong[index](&selection)
    let detector = try await ObjectDetector()
    let error = await #expect(throws: FoveaError.self) {
      try await detector.analyze(.file(Self.photos[0]), selecting: selection)
    }
    #expect(error?.code == .optionInvalid)
  }

  @Test func `a labeler's selection gives the same as options`() async throws {
    var options = ImageLabeler.Options()
    options.threshold = 0.2
    options.maxResults = 2
    options.deniedLabels = ["Food"]
    var selection = ImageLabeler.Selection()
    selection.threshold = 0.2
    selection.maxResults = 2
    selection.deniedLabels = ["Food"]
    let made = try await ImageLabeler(options: options)
    let shared = try await ImageLabeler()
    for photo in Self.photos {
      let expected = try await made.labels(in: .file(photo))
      #expect(try await shared.analyze(.file(photo), selecting: selection).labels == expected)
    }
    selection.threshold = .nan
    await #expect(throws: FoveaError.self) {
      try await shared.analyze(.file(Self.photos[0]), selecting: selection)
    }
  }
}
