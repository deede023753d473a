// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoveaCore

extension Failure: LocalizedError {
  /// The same text as `description`, which `localizedDescription` returns.
  public var errorDescription: String? { description }
  /// The message.
  public var failureReason: String? { message }
  /// The remedy.
  public var recoverySuggestion: String? { remedy.description }
}
