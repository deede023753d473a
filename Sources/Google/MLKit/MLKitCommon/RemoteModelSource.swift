// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has nothing but a constant, and no module but this package's can add to it.
/// Where a remote model comes from: `FirebaseModelSource`.
open class RemoteModelSource: NSObject, @unchecked Sendable {
  /// The name under which the model host knows the model.
  package let name: String

  /// Names a source.
  package init(name: String) { self.name = name }
}
