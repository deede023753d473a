// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes

extension ModelRegistry {
  /// Why a balancer should send no requests: a model that was to stay in memory is not there; nil while all are.
  var problem: Refusal? {
    places.first { $0.entry.settings.isPinned && $0.current == nil }.map { place in
      Refusal(
        .serviceUnavailable, "model-loading", "The pinned model '\(place.entry.name)' is not loaded",
        remedy: "GET /v1/models says why"
      ).retrying(after: 5)
    }
  }
}
#endif
