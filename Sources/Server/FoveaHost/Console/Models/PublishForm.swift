// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The form that publishes a file, which is streamed to the disk, and the confirmation before it.
struct PublishForm: Sendable {
  let frame: PageFrame
  let models: ModelService
  let experiments: ExperimentService

  static let path = "/console/publish"

  func add(to router: Router<HTTPContext>) {
    frame.get("console/publish", router, askPublish)
    frame.upload("console/publish", router, publish)
  }

  @Sendable private func askPublish(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    // A problem page returns here without the fields.
    guard call.fields["name"] != nil else { return frame.redirect("/console/models") }
    let (name, channel) = (try call.field("name"), try call.field("channel"))
    let notes = call.fields["notes"] ?? ""
    try HostName.checkPublish(of: name, channel: channel, notes: notes)
    let model = models.catalogue.model(project: models.project, named: name)
    var page = Page.confirmation(
      "Publish a version of \(name)?",
      ModelPages.question(
        channel, from: model, to: "the new version", model.flatMap(experiments.running)),
      button: "Publish", action: Self.path,
      fields: ["name": name, "channel": channel, "notes": notes], seen: SeenRevision(model),
      back: "/console/models")
    page.values["choosesFile"] = true
    return try await frame.answer(page, call, .models)
  }

  @Sendable private func publish(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    try models.checks.admit(call.session.identity.name)
    var reader = try FormUpload(contentType: call.request.headers[.contentType] ?? "")
    var fields: [String: String] = [:]
    let upload = try await models.blobs.upload(resuming: nil)
    let blob: FinishedBlob
    do {
      var hasFile = false
      for try await buffer in call.request.body {
        for event in try reader.append(buffer.readableBytesView) {
          switch event {
          case .field(let name, let value): fields[name] = value
          case .file(_, let fileName):
            // The form's text comes first, and nothing is stored for a foreign page.
            try frame.tokens.check(form: fields["form"], of: call.session)
            try PublishForm.check(fileName, isFirst: !hasFile)
            do throws(HostError) { try checkSeen(fields) } catch {
              // Maybe this form has made the change, and is sent again: its file tells.
              guard error.cause is OneChangeSince else { throw error }
            }
            hasFile = true
          case .bytes(let bytes):
            try await upload.append(bytes)
          case .endOfFile: break
          }
        }
      }
      try reader.finish()
      guard hasFile else { throw PublishForm.noFile }
      guard try frame.isOpen(call.session, call.request) else {
        await upload.cancel()
        return frame.redirect("/console/sign-in")
      }
      blob = try await upload.finish()
    } catch {
      await upload.cancel()
      throw error
    }
    var form = call
    form.digest = Self.digest(of: fields, blob)
    return try await publish(blob, fields, form)
  }

  /// Publishes the file of a form.
  private func publish(
    _ blob: FinishedBlob, _ sent: [String: String], _ call: ConsoleCall
  ) async throws -> Response {
    let actor = call.session.identity.name
    let keyCheck = frame.tokens.authority.keyCheck(of: call.session.identity)
    return try await call.context.whilePeerWaits {
      try await frame.once(call) {
        // A form that is sent again does not wait for another check of its file.
        try checkSeen(sent)
        let made = try await models.publish(
          blob: blob, name: sent["name"] ?? "", channel: sent["channel"] ?? HostModel.stable,
          notes: sent["notes"] ?? "", seen: SeenRevision(form: sent["revision"]), actor: actor,
          keyCheck: keyCheck)
        return frame.redirect(ModelPages.link(made.model), done: .published)
      }
    }
  }

  /// Returns the SHA-256 of a form's fields, without the session's token, and of its file.
  private static func digest(of fields: [String: String], _ blob: FinishedBlob) -> String {
    let parts = ["name", "channel", "notes", "revision"].map { fields[$0] ?? "" } + [blob.sha256]
    return AppKey.digest(of: parts.joined(separator: "\0"))
  }

  /// Refuses a form whose model has changed since the confirmation.
  private func checkSeen(_ fields: [String: String]) throws(HostError) {
    let name = fields["name"] ?? ""
    let model = models.catalogue.model(project: models.project, named: name)
    try SeenRevision(form: fields["revision"]).check(SeenRevision(model), "The model '\(name)'")
  }

  private static func check(_ fileName: String, isFirst: Bool) throws(HostError) {
    guard isFirst else {
      throw HostError(.invalid, "The form has more than one file", remedy: "Publish one file at a time")
    }
    guard !fileName.isEmpty else { throw noFile }
  }

  private static var noFile: HostError {
    HostError(.invalid, "The form has no file", remedy: "Choose a .tflite file, and send the form again")
  }
}
#endif
