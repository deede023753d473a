// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// An operation that outlives its first answer, as other nodes see it.
package struct SharedOperation: Sendable, Codable, Equatable {
  /// The id of the model that a file is checked for; of a publish, the name of the model.
  package var model: String
  /// The sender of a publish; nil for an operation of Google's routes.
  package var sender: String?
  /// Nil while it is running.
  package var outcome: Outcome?

  package enum Outcome: Sendable, Codable, Equatable {
    case checked
    case published(version: Int, channel: String, isRepeated: Bool, before: Int?, endedRollout: Int? = nil)
    case failed(Failed)

    init(_ error: HostError) {
      self = .failed(
        Failed(code: error.code.rawValue, message: error.message, remedy: error.remedy.description))
    }
  }

  /// Whether it has ended with a new or known version of the model.
  var hasVersion: Bool {
    switch outcome {
    case .checked, .published: true
    case .failed, nil: false
    }
  }

  /// An error, without its cause.
  package struct Failed: Sendable, Codable, Equatable {
    var code: String
    var message: String
    var remedy: String

    var error: HostError { HostError(HostCode(rawValue: code), message, remedy: Advice(remedy)) }
  }

  /// The error of an operation whose node has stopped.
  static let left = HostError(
    .cancelled, "The host that was checking the file has stopped",
    remedy: "Publish the file again; the same bytes get one version")
}

extension SharedOperation.Outcome {
  /// Returns the result of a publish.
  /// - Parameter model: Returns the present model.
  /// - Returns: The result, whose version must still be there.
  func result(_ model: () throws(HostError) -> HostModel) -> Result<PublishedVersion, HostError> {
    switch self {
    // Only Google's routes know the operation.
    case .checked: return .failure(.entityNotFound)
    case .failed(let failed): return .failure(failed.error)
    case .published(let number, let channel, let isRepeated, let before, let endedRollout):
      return Result { () throws(HostError) in
        let model = try model()
        return PublishedVersion(
          model: model, version: try model.version(number), channel: channel, isRepeated: isRepeated,
          before: before, endedRollout: endedRollout)
      }
    }
  }
}
#endif
