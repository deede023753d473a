// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has nothing but a constant, and no module but this package's can add to it.
/// A model that is downloaded by its name.
open class RemoteModel: NSObject, @unchecked Sendable {
  /// The name under which the model host knows the model.
  public let name: String

  /// Names a model.
  package init(name: String) { self.name = name }
}
