// SPDX-License-Identifier: Apache-2.0
#if Server
import Hummingbird

extension HostService {
  /// Every route as `GET /v1/host/projects/{project}/models`, sorted: for the tests and the page that list them.
  package var routes: [String] {
    router().routes.map { "\($0.method.rawValue) \($0.path)" }.sorted()
  }
}
#endif
