// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has only a constant, and no module outside this package can subclass it.
/// The source of a remote model: `FirebaseModelSource`.
open class RemoteModelSource: NSObject, @unchecked Sendable {
  /// The model's name on the model host.
  package let name: String

  /// Creates a source from a model's name.
  package init(name: String) { self.name = name }
}
