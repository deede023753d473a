// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import Hummingbird

  /// `GET /v1/models` and `/v1/models/{model}`: what is served.
  struct ModelRoutes: Sendable {
    let registry: ModelRegistry

    func add(to router: Router<HTTPContext>) {
      router.get("v1/models") { _, _ in
        Response.json { json in
          json.member("models", registry.models) { json, model in
            json.object { ModelRoutes.append(model, to: &$0) }
          }
        }
      }
      router.get("v1/models/{model}") { _, context in
        let model = try registry.model(context.parameters.get("model"))
        return Response.json { ModelRoutes.append(model, to: &$0) }
      }
    }

    /// Our members, and TF Serving's `model_version_status`.
    private static func append(_ model: ServedModel, to json: inout JSONText) {
      json.member("name", model.name)
      json.member("task", model.task)
      json.member("family", model.family)
      json.member("sha256", model.sha256)
      json.member("bytes", model.byteCount)
      json.member("input", model.inputShape)
      json.member("labels", model.labels)
      json.member("model_version_status", [1]) { json, version in
        json.object { json in
          json.member("version", String(version))
          json.member("state", "AVAILABLE")
          json.member("status") { json in
            json.member("error_code", "OK")
            json.member("error_message", "")
          }
        }
      }
    }
  }
#endif
