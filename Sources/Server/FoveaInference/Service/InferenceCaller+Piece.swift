// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats

extension InferenceCaller {
  /// The results of a model for one image.
  enum Results: Sendable {
    /// Objects, labels or a map.
    case findings(DetectionRecord.Findings)
    /// The features of an embedder.
    case features(ImageEmbedding)

    var timings: StageTimings {
      switch self {
      case .findings(let findings): findings.timings
      case .features(let embedding): embedding.timings
      }
    }
  }

  /// The answer for one image.
  struct Piece: Sendable {
    /// The image's name in the answer.
    let image: String
    /// The results, or the error of the image.
    var result: Result<Results, FoveaError>
    /// The image with the findings drawn on it, or the image of class numbers, if requested.
    var annotated: AnswerAnnotator.File?
    /// The time it waited for a slot.
    var waited = Duration.zero
    /// The JSON of a map, without the end of the line; nil for other results, which are written fast.
    private var line: String?

    init(image: String, result: Result<Results, FoveaError>, annotated: AnswerAnnotator.File? = nil) {
      self.image = image
      self.result = result
      self.annotated = annotated
    }
  }
}

extension InferenceCaller.Piece {
  /// The findings; nil if the image failed, or for features.
  var findings: DetectionRecord.Findings? {
    if case .success(.findings(let findings)) = result { findings } else { nil }
  }

  /// The times of the stages; nil if the image failed.
  var timings: StageTimings? { try? result.get().timings }

  /// The answer in the types that write it.
  private enum Content {
    case record(DetectionRecord)
    case features(PhotoFeatures)
  }

  private var content: Content {
    switch result {
    case .success(.findings(let findings)): .record(DetectionRecord(image: image, result: .success(findings)))
    case .success(.features(let embedding)):
      .features(PhotoFeatures(name: ImageName(image), values: embedding.values))
    case .failure(let error): .record(DetectionRecord(image: image, result: .failure(error.asked)))
    }
  }

  /// The findings or the error as a record; nil for features.
  var record: DetectionRecord? { if case .record(let record) = content { record } else { nil } }

  /// The features; nil if the image failed, or for other results.
  var features: PhotoFeatures? { if case .features(let features) = content { features } else { nil } }

  /// Returns the piece with the JSON of a map, which is written on another thread: each class has run lengths
  /// of the whole image.
  func written(masks: MaskForm) async -> Self {
    guard case .map = findings?.content else { return self }
    var piece = self
    piece.line = await BlockingWork.run { [self] _ throws(Never) -> String in
      json(masks: masks, endsLine: false)
    }
    return piece
  }

  /// Returns the object that the command line prints, on one line; an annotated image adds a member.
  func json(masks: MaskForm, endsLine: Bool = true) -> String {
    let end = endsLine ? "\n" : ""
    if let line { return line + end }
    switch content {
    case .features(let features): return features.json + end
    case .record(let record):
      return record.json(endsLine: endsLine, masks: masks) { json in
        guard let annotated else { return }
        json.member("annotated") { json in
          json.member("type", annotated.type)
          json.member("base64", Base64.encode(annotated.bytes))
        }
      }
    }
  }
}
#endif
