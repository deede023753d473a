// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import Synchronization

/// Keeps the session that was compiled to examine a model, for the first caller that runs the model.
final class SessionCache: Sendable {
  // SAFETY: a session arrives by `sending`, so no one else has it, and only one caller takes it.
  private struct Kept: @unchecked Sendable {
    let session: Session
    let options: SessionOptions
  }
  private let kept = Mutex<Kept?>(nil)

  /// Returns the session if it was compiled with the same options; the caller then owns it.
  func take(_ options: SessionOptions) -> sending Session? {
    kept.withLock { kept in
      guard let found = kept, found.options == options else { return nil }
      kept = nil
      return found.session
    }
  }

  /// Keeps a session, replacing the previous one.
  func keep(_ session: sending Session, _ options: SessionOptions) {
    let kept = Kept(session: session, options: options)
    self.kept.withLock { $0 = kept }
  }
}
