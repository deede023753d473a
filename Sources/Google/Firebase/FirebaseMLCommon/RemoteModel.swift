// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has only a constant, and no module outside this package can subclass it.
/// A model that is downloaded by its name.
open class RemoteModel: NSObject, @unchecked Sendable {
  /// The model's name on the model host.
  public let name: String

  /// Creates a model from its name.
  package init(name: String) { self.name = name }
}
