// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where a remote model comes from: `FirebaseModelSource`.
open class RemoteModelSource: NSObject {
  /// The name under which the model host knows the model.
  package let name: String

  /// Names a source.
  package init(name: String) { self.name = name }
}
