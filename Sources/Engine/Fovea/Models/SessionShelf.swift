// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import Synchronization

/// Keeps the session that was compiled to find out what a model is, for the first who runs the model.
final class SessionShelf: Sendable {
  // SAFETY: a session comes by `sending`, so that no one else has it, and is given to one who takes it.
  private struct Kept: @unchecked Sendable {
    let session: Session
    let options: SessionOptions
  }
  private let kept = Mutex<Kept?>(nil)

  /// The session, if it was compiled with the same options, which then belongs to the one who takes it.
  func take(_ options: SessionOptions) -> sending Session? {
    kept.withLock { kept in
      guard let found = kept, found.options == options else { return nil }
      kept = nil
      return found.session
    }
  }

  /// Keeps a session, in place of the one before.
  func keep(_ session: sending Session, _ options: SessionOptions) {
    let kept = Kept(session: session, options: options)
    self.kept.withLock { $0 = kept }
  }
}
