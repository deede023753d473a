// SPDX-License-Identifier: Apache-2.0
#if Server

/// Who uses the console.
struct ConsoleSession: Sendable, Equatable {
  let identity: Identity
  /// Random; forms of this session are sealed with it.
  let number: String
}
#endif
