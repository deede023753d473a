// SPDX-License-Identifier: Apache-2.0

import FoveaDetection
import FoveaFlow
import FoveaImage
import FoveaLabeling
import FoveaMetadata
import FoveaRuntime
import FoveaTracking

extension FoveaError.Code {
  /// The call was cancelled before it ended.
  public static let cancelled = FoveaError.Code(rawValue: "cancelled")
  /// An option is out of its range, or contradicts the model.
  public static let optionInvalid = FoveaError.Code(rawValue: "option-invalid")
  /// A failure that no layer foresaw.
  public static let unexpected = FoveaError.Code(rawValue: "unexpected")
}

extension FoveaError {
  /// An error of any layer below as one of this one: its texts stay, its code becomes text.
  package init(_ error: any Error) {
    switch error {
    case let error as FoveaError: self = error
    case let error as ImageError:
      self.init(
        code: Code(rawValue: "image-\(error.code)"), message: error.message, remedy: error.remedy,
        subject: error.imageName, cause: error)
    case let error as RuntimeError where error.cause is MetadataError:
      // What the check of a model's file finds reads the same whichever layer found it.
      self.init(error.cause ?? error)
    case let error as RuntimeError:
      self.init(
        code: Code(rawValue: error.code.description), message: error.message, remedy: error.remedy,
        cause: error)
    case let error as MetadataError:
      self.init(
        code: Code(rawValue: "metadata-\(error.code)"), message: error.message, remedy: error.remedy,
        cause: error)
    case let error as DetectionError:
      self.init(
        code: Code(rawValue: error.code.description), message: error.message, remedy: error.remedy,
        cause: error)
    case let error as LabelingError:
      self.init(
        code: Code(rawValue: error.code.description), message: error.message, remedy: error.remedy,
        cause: error)
    case let error as TrackingError:
      self.init(
        code: Code(rawValue: error.code.rawValue), message: error.message, remedy: error.remedy, cause: error)
    case let error as FlowError:
      self.init(
        code: Code(rawValue: "flow-\(error.code)"), message: error.message, remedy: error.remedy,
        cause: error)
    case let error as CountingError:
      self.init(
        code: Code(rawValue: error.code.description), message: error.message, remedy: error.remedy,
        cause: error)
    case is CancellationError:
      self.init(code: .cancelled, message: "The call was cancelled", remedy: "Call again", cause: error)
    default:
      self.init(
        code: .unexpected, message: "An unforeseen failure: \(error)", remedy: "Report it with this text",
        cause: error)
    }
  }

  static func optionInvalid(_ message: String, remedy: String) -> FoveaError {
    FoveaError(code: .optionInvalid, message: message, remedy: remedy)
  }
}
