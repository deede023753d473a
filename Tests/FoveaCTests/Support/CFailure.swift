// SPDX-License-Identifier: Apache-2.0

import CFovea

/// A `fovea_error` as a value.
struct CFailure: Error, Equatable, CustomStringConvertible {
  var code: String
  var message: String
  var remedy: String
  var subject: String?

  var description: String { "\(code): \(subject.map { "\($0): " } ?? "")\(message). \(remedy)." }

  /// Reads an error without taking ownership; nil for NULL.
  init?(reading error: OpaquePointer?) {
    guard error != nil else { return nil }
    code = String(cString: fovea_error_code(error))
    message = String(cString: fovea_error_message(error))
    remedy = String(cString: fovea_error_remedy(error))
    subject = fovea_error_subject(error).map { String(cString: $0) }
  }

  /// Throws and frees the error that a function returned.
  static func check(_ error: OpaquePointer?) throws(CFailure) {
    defer { fovea_error_free(error) }
    if let failure = CFailure(reading: error) { throw failure }
  }

  /// The error that a function returned; nil for success.
  static func of(_ error: OpaquePointer?) -> CFailure? {
    defer { fovea_error_free(error) }
    return CFailure(reading: error)
  }
}
