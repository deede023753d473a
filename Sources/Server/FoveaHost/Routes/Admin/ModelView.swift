// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// A model in Firebase's admin API (`firebaseml` v1beta2, `Model`).
struct ModelView {
  let model: HostModel

  /// Changes with each change of the model.
  static func tag(_ model: HostModel) -> String { "\(model.id)-\(model.revision)" }

  static func name(_ model: HostModel) -> String { "projects/\(model.project)/models/\(model.id)" }

  /// Writes the members into an open object.
  func write(to json: inout JSONText) {
    json.member("name", ModelView.name(model))
    json.member("displayName", model.name)
    if !model.tags.isEmpty {
      json.member("tags", model.tags) { json, tag in json.string(tag) }
    }
    json.member("createTime", model.created.text)
    json.member("updateTime", model.updated.text)
    json.member("etag", ModelView.tag(model))
    state(&json)
    file(&json)
    if !model.pendingOperations.isEmpty {
      json.member("activeOperations", model.pendingOperations) { json, id in
        json.object { OperationView.pending(id, model: model, to: &$0) }
      }
    }
  }

  private func state(_ json: inout JSONText) {
    json.member("state") { json in
      json.member("published", model.isPublished)
      if let problem = model.problem {
        json.member("validationError") { json in
          json.member("code", problem.code)
          json.member("message", problem.message)
        }
      }
    }
  }

  /// Size and hash are absent if the latest file is not valid, as Google's tests expect.
  private func file(_ json: inout JSONText) {
    let latest = model.pendingOperations.isEmpty ? model.currentVersion : nil
    if let latest { json.member("modelHash", latest.sha256) }
    guard let source = model.source else { return }
    json.member("tfliteModel") { json in
      json.member("gcsTfliteUri", source)
      if let latest { json.member("sizeBytes", String(latest.size)) }
    }
  }
}

/// An operation in Firebase's admin API.
enum OperationView {
  private static let modelType = "type.googleapis.com/google.firebase.ml.v1beta2.Model"
  private static let metadataType = "type.googleapis.com/google.firebase.ml.v1beta2.ModelOperationMetadata"

  /// Writes an operation that ended at once: Google gives it no name.
  static func done(_ model: HostModel, to json: inout JSONText) {
    json.member("done", true)
    json.member("response") { json in
      json.member("@type", modelType)
      ModelView(model: model).write(to: &json)
    }
  }

  static func failed(_ error: HostError, to json: inout JSONText) {
    json.member("done", true)
    json.member("error") { json in
      json.member("code", error.rpcCode)
      json.member("message", error.wireText)
      if error.cause is WireText { ErrorShape.writeDetails(error.refusal.sentences, to: &json) }
    }
  }

  static func name(_ id: String, _ model: HostModel) -> String {
    "projects/\(model.project)/operations/\(id)"
  }

  static func pending(_ id: String, model: HostModel, to json: inout JSONText) {
    json.member("name", name(id, model))
    json.member("metadata") { json in
      json.member("@type", metadataType)
      json.member("name", ModelView.name(model))
      json.member("basicOperationStatus", "BASIC_OPERATION_STATUS_VERIFYING")
    }
  }
}
#endif
