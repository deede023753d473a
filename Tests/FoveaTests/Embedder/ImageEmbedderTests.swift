// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

@Suite struct ImageEmbedderTests {
  @Test func `the embedded classifier gives 1,280 numbers, near for copies and far for others`() async throws
  {
    let embedder = try await ImageEmbedder()
    #expect(embedder.dimension == 1280)
    let photos = PackageRoot.path + "/Examples/photos/"
    let cat = try EncodedImage(path: photos + "cat.jpg")
    let original = try await embedder.embedding(of: .encoded(cat))
    let again = try await embedder.embedding(of: .encoded(cat))
    #expect(original == again && original.count == 1280)
    let copy = try cat.canvas().encoded(as: .jpeg, quality: 60)
    let near = ImageEmbedder.distance(original, try await embedder.embedding(of: .data(copy)))
    let far = ImageEmbedder.distance(original, try await embedder.embedding(of: .file(photos + "car.jpg")))
    #expect(near < 0.1 && far > 2 * near, "\(near), \(far)")
  }

  @Test(arguments: [ImageEmbedder.Options.Layer.pool, .tensor("vector")])
  func `a model that ends in features gives its output`(_ layer: ImageEmbedder.Options.Layer) async throws {
    var options = ImageEmbedder.Options()
    options.layer = layer
    let embedder = try await ImageEmbedder(model: KnownAnswerTests.model("embedding"), options: options)
    #expect(embedder.dimension == 128)
    let values = try await embedder.embedding(of: .file(PackageRoot.path + "/Examples/photos/cat.jpg"))
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    #expect(values.count == 128 && abs(length - 1) < 1e-4, "\(length)")
  }

  @Test(arguments: [false, true])
  func `grey pixels come only with an option, and do not change the embedding`(_ isAsked: Bool) async throws {
    var options = ImageEmbedder.Options()
    options.includesGrey = isAsked
    let embedder = try await ImageEmbedder(model: KnownAnswerTests.model("embedding"), options: options)
    let photo = ImageInput.file(PackageRoot.path + "/Examples/photos/cat.jpg")
    let found = try await embedder.analyze(photo)
    #expect(found.grey.count == (isAsked ? 9 * 8 : 0))
    let usual = try await ImageEmbedder(model: KnownAnswerTests.model("embedding")).embedding(of: photo)
    #expect(found.values == usual)
  }

  @Test(arguments: [("sessions", 0, 9), ("max-pixels", 1, 0)])
  func `options out of range are refused before the model is read`(
    _ name: String, _ sessions: Int, _ pixels: Int
  ) async throws {
    var options = ImageEmbedder.Options()
    options.sessions = sessions
    options.imageLimits.maxPixels = pixels
    do {
      _ = try await ImageEmbedder(model: .file("missing.tflite"), options: options)
      Issue.record("\(name) was accepted")
    } catch {
      #expect(error.code == FoveaCode.optionInvalid, "\(name): \(error)")
    }
  }

  /// It ends in a normalisation.
  @Test func `a model that does not end in a dense layer has no last one`() async throws {
    var options = ImageEmbedder.Options()
    options.layer = .last
    do {
      _ = try await ImageEmbedder(model: KnownAnswerTests.model("embedding"), options: options)
      Issue.record("it was accepted")
    } catch {
      #expect(error.code.rawValue.hasSuffix("no-embedding"))
    }
  }

  @Test(
    arguments: [
      (.embedded(.detector), "a detector of the family 'yolov8'"),
      (KnownAnswerTests.model("map_two"), "a segmentation model"),
    ] as [(ModelSource, String)])
  func `a detector or a segmentation model has no embedding`(_ model: ModelSource, _ kind: String)
    async throws
  {
    do {
      _ = try await ImageEmbedder(model: model)
      Issue.record("it was accepted")
    } catch {
      #expect(error.code.rawValue.hasSuffix("no-embedding"))
      #expect(error.message.hasSuffix("; it is \(kind)"), "\(error.message)")
    }
  }

  static let distances: [(first: [Float], second: [Float], distance: Double)] = [
    ([1, 0], [2, 0], 0), ([1, 0], [0, 3], 1), ([1, 0], [-1, 0], 2), ([0, 0], [1, 0], 1), ([], [], 1),
  ]

  @Test(arguments: distances.indices) func `the distance is that of directions`(index: Int) {
    let row = Self.distances[index]
    #expect(abs(ImageEmbedder.distance(row.first, row.second) - row.distance) < 1e-12)
  }
}
