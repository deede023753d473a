// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

/// A model that is downloaded by its name.
open class RemoteModel: NSObject {
  /// The name under which the model host knows the model.
  public let name: String

  /// Names a model.
  package init(name: String) { self.name = name }

  /// The model as pipelines take it.
  package var reference: ModelReference { .remote(name: name) }
}
