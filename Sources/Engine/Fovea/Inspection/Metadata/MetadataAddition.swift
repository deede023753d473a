// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// The metadata to write into a model, so that Fovea, ML Kit and MediaPipe need only the one file to use it.
///
///     var addition = MetadataAddition()
///     addition.labelFile = "labels.txt"
///     addition.normalization = Normalization(mean: [127.5], standardDeviation: [127.5])
///     let bytes = try addition.described(.file("mobilenet.tflite"))
public struct MetadataAddition: Sendable, Hashable {
  /// A label file (lines, pbtxt, CSV, JSON or YAML); nil keeps the model's labels, or uses those next to an
  /// AutoML model.
  ///
  /// New labels replace the old ones in every locale.
  public var labelFile: String?
  /// Label files with display names, by locale, for example "en" or "pt-BR"; each has as many lines as there
  /// are labels.
  public var localeLabelFiles: [String: String] = [:]
  /// The normalisation of pixels 0…255, (pixel − mean) ÷ deviation; nil keeps the model's; if the metadata
  /// has none, the normalisation implied by graph or family is added.
  public var normalization: Normalization?
  /// The score below which results are dropped, 0…1; nil keeps the model's.
  public var threshold: Float?

  /// Creates an addition that changes nothing.
  public init() {}

  /// Returns the model with its own metadata and the additions.
  ///
  /// All facts that the model's metadata already contain are kept, and so are its associated files. Tensors
  /// get the names and contents that MediaPipe's tasks expect: for a post-processed SSD "location",
  /// "category", "score" and "number of detections". A normalisation that the graph or the family implies is
  /// written, an assumed one never is.
  /// - Parameter source: A classifier or a detector; a file, or an AutoML folder.
  /// - Returns: The bytes of the new model file; equal input gives equal bytes.
  /// - Throws: The errors of `ModelInspection(of:labelFile:)`, and `model-unsupported`; `unknown-family` for
  ///   a model that is neither classifier nor detector, `metadata-count-mismatch` and `labels-do-not-fit` if
  ///   the number of labels differs from the number of classes, `metadata-bad-labels`, `option-invalid` for a
  ///   float32 model without a normalisation, for one that contradicts the graph or the family, and for
  ///   numbers out of range, `metadata-cannot-write` for unknown kinds of metadata.
  public func described(_ source: ModelSource) throws(FoveaError) -> [UInt8] {
    do {
      try check()
      let profile = try ModelProfile(stored: source, labelFile: labelFile, normalization: normalization)
      let draft = try MetadataDraft(profile, self)
      return try MetadataWriter.write(draft.metadata, files: draft.files, to: profile.loaded.stored.copied())
    } catch {
      throw FoveaError(error)
    }
  }

  private func check() throws(FoveaError) {
    if let threshold, !(0...1).contains(threshold) {
      throw .optionInvalid(
        "The threshold is \(threshold); it must be between 0 and 1", remedy: "Give a threshold in that range")
    }
    for locale in localeLabelFiles.keys.sorted() where !Self.isLocale(locale) {
      throw .optionInvalid(
        "The locale is '\(locale)'; it must be at most 35 letters, digits and hyphens",
        remedy: "Give a language tag, for example en or pt-BR")
    }
  }

  /// **Source:** BCP 47, RFC 5646 section 2.1: parts of letters and digits separated by hyphens, up to 35
  /// characters.
  private static func isLocale(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return text.utf8.count <= 35
      && parts.allSatisfy { part in
        (1...8).contains(part.count)
          && part.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"):
              true
            default: false
            }
          }
      }
  }
}
