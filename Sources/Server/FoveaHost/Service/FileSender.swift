// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The sender of a file that is checked after its request was answered.
package struct FileSender: Sendable {
  /// The name of its key, which is the author of the version, and takes turns with others in the queue.
  package let name: String
  /// The id of its key, stored with the model: the host may stop before the file is checked.
  package let key: String
  /// Checks the key again before the file is published.
  package let check: KeyCheck
}

extension Authority {
  /// Returns the sender of a file, whose key is checked again at each call of its `check`.
  package func sender(_ identity: Identity) -> FileSender {
    FileSender(name: identity.name, key: identity.key, check: keyCheck(of: identity))
  }
}
#endif
