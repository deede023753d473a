// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension MLError {
  /// The error as an `NSError` with domain, code and user info.
  package var nsError: NSError {
    var info = errorUserInfo
    info[NSUnderlyingErrorKey] = cause
    return NSError(domain: Self.errorDomain, code: errorCode, userInfo: info)
  }
}
