// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The body of a request that creates or changes a model; `name` and `etag` show that the caller has read the
/// model.
///
/// **Source:** the schema `Model` of `firebaseml` v1beta2, revision 20240705.
struct ModelBody: CheckedBody, Sendable {
  struct State: Decodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case published }
    var published: Bool?
  }

  struct File: Decodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case gcsTfliteUri, automlModel }
    var gcsTfliteUri: String?
    var automlModel: String?
  }

  enum CodingKeys: String, CodingKey, CaseIterable { case displayName, tags, state, tfliteModel, name, etag }

  /// Google's clients send back the whole model, with the members that only the host writes.
  static let members = BodyMembers(
    CodingKeys.self, ignored: ["activeOperations", "createTime", "modelHash", "updateTime"],
    inner: [
      .state: BodyMembers(State.CodingKeys.self, ignored: ["validationError"]),
      .tfliteModel: BodyMembers(File.CodingKeys.self, ignored: ["sizeBytes"]),
    ])

  var displayName: String?
  var tags: [String]?
  var state: State?
  var tfliteModel: File?
  var name: String?
  var etag: String?

  /// Whether the caller has read the model.
  var isRead: Bool { name != nil || etag != nil }

  /// Returns whether the body publishes the model or ends that, without a mask.
  ///
  /// A whole object that is sent back may be older than the last change of the state.
  func changesState(of model: HostModel) -> Bool {
    guard etag == nil || etag == ModelView.tag(model), let published = state?.published else { return false }
    return published != model.isPublished
  }

  /// Returns the address of the file in the bucket; nil if there is none.
  /// - Throws: `invalid` for a model of Google's service.
  func file() throws(HostError) -> String? {
    guard tfliteModel?.automlModel == nil else {
      throw HostError(
        .invalid, "'tfliteModel.automlModel' names a model of Google's service, which the host cannot read",
        remedy: "Export it, upload its file, and send 'tfliteModel.gcsTfliteUri'")
    }
    return tfliteModel?.gcsTfliteUri
  }
}

/// The members that a change of a model is limited to.
struct ModelMask {
  private static let names = [
    "displayName", "state", "state.published", "tags", "tfliteModel", "tfliteModel.gcsTfliteUri",
  ]
  private let paths: Set<String>

  /// Reads `updateMask`, in both spellings of Google's APIs; nil if it is missing or empty.
  /// - Throws: `invalid` for another name than those of members that can be changed.
  init?(_ text: String?) throws(HostError) {
    guard let text, !text.isEmpty else { return nil }
    var paths: Set<String> = []
    for path in text.split(separator: ",", omittingEmptySubsequences: false) {
      // `tflite_model.gcs_tflite_uri` and `tfliteModel.gcsTfliteUri` are the same.
      let plain = path.filter { $0 != "_" }.lowercased()
      guard let name = ModelMask.names.first(where: { $0.lowercased() == plain }) else {
        throw HostError.unknownName("'updateMask' cannot have", String(path), among: ModelMask.names)
      }
      paths.insert(name)
    }
    self.paths = paths
  }

  var hasName: Bool { paths.contains("displayName") }
  var hasTags: Bool { paths.contains("tags") }
  var hasFile: Bool { paths.contains { $0.hasPrefix("tfliteModel") } }
  var hasState: Bool { paths.contains { $0.hasPrefix("state") } }
}
#endif
