// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging

extension Failure {
  /// The metadata of a record about the error: what happened, and what the operator can do.
  func logged(_ others: Logger.Metadata = [:]) -> Logger.Metadata {
    var metadata = others
    let text = (subject.map { "\($0): " } ?? "") + message
    metadata["error"] = "\(text)"
    metadata["remedy"] = "\(remedy.served)"
    return metadata
  }
}
#endif
