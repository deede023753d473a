// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaHTTP
  internal import FoveaSystem

  /// A model as Firebase's admin API shows it (`firebaseml` v1beta2, `Model`).
  struct ModelView {
    let model: HostModel

    /// Changes with each change of the model.
    static func tag(_ model: HostModel) -> String { "\(model.id)-\(model.revision)" }

    static func name(_ model: HostModel) -> String { "projects/\(model.project)/models/\(model.id)" }

    /// Writes the members into an object that is open.
    func write(to json: inout JSONText) {
      json.key("name")
      json.string(ModelView.name(model))
      json.key("displayName")
      json.string(model.name)
      if !model.tags.isEmpty {
        json.key("tags")
        json.array(model.tags) { json, tag in json.string(tag) }
      }
      json.key("createTime")
      json.string(model.created.text)
      json.key("updateTime")
      json.string(model.updated.text)
      json.key("etag")
      json.string(ModelView.tag(model))
      state(&json)
      file(&json)
      if !model.pendingOperations.isEmpty {
        json.key("activeOperations")
        json.array(model.pendingOperations) { json, id in
          json.object { OperationView.pending(id, model: model, to: &$0) }
        }
      }
    }

    private func state(_ json: inout JSONText) {
      json.key("state")
      json.object { json in
        json.key("published")
        json.boolean(model.isPublished)
        if let problem = model.problem {
          json.key("validationError")
          json.object { json in
            json.key("code")
            json.integer(problem.code)
            json.key("message")
            json.string(problem.message)
          }
        }
      }
    }

    /// Size and hash are absent where the file that was named last is not valid, as Google's tests expect.
    private func file(_ json: inout JSONText) {
      let latest = model.pendingOperations.isEmpty ? model.currentVersion : nil
      if let latest {
        json.key("modelHash")
        json.string(latest.sha256)
      }
      guard let source = model.source else { return }
      json.key("tfliteModel")
      json.object { json in
        json.key("gcsTfliteUri")
        json.string(source)
        if let latest {
          json.key("sizeBytes")
          json.string(String(latest.size))
        }
      }
    }
  }

  /// An operation as Firebase's admin API shows it.
  enum OperationView {
    private static let modelType = "type.googleapis.com/google.firebase.ml.v1beta2.Model"
    private static let metadataType = "type.googleapis.com/google.firebase.ml.v1beta2.ModelOperationMetadata"

    /// One that ended at once: Google gives it no name.
    static func done(_ model: HostModel, to json: inout JSONText) {
      json.key("done")
      json.boolean(true)
      json.key("response")
      json.object { json in
        json.key("@type")
        json.string(modelType)
        ModelView(model: model).write(to: &json)
      }
    }

    static func failed(_ error: HostError, to json: inout JSONText) {
      json.key("done")
      json.boolean(true)
      json.key("error")
      json.object { json in
        json.key("code")
        json.integer(error.rpcCode)
        json.key("message")
        json.string(error.wireText)
        if error.cause is WireText { ErrorShape.writeDetails(error.refusal.sentences, to: &json) }
      }
    }

    static func name(_ id: String, _ model: HostModel) -> String {
      "projects/\(model.project)/operations/\(id)"
    }

    static func pending(_ id: String, model: HostModel, to json: inout JSONText) {
      json.key("name")
      json.string(name(id, model))
      json.key("metadata")
      json.object { json in
        json.key("@type")
        json.string(metadataType)
        json.key("name")
        json.string(ModelView.name(model))
        json.key("basicOperationStatus")
        json.string("BASIC_OPERATION_STATUS_VERIFYING")
      }
    }
  }
#endif
