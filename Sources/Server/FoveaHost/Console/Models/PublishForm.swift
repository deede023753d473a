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
    // The address without the fields of the form.
    guard call.fields["name"] != nil else { return frame.redirect("/console/models") }
    let (name, channel) = (try call.field("name"), try call.field("channel"))
    let notes = call.fields["notes"] ?? ""
    try HostName.checkPublish(of: name, channel: channel, notes: notes)
    let state = present(name)
    var page = Page.confirmation(
      "Publish a version of \(name)?",
      DeliveryText.change(channel, from: state, to: try Self.after(state.model, name, channel))
        + (state.model == nil ? "" : " If a version has the same file, it takes the place of the new one."),
      button: "Publish", action: Self.path,
      fields: ["name": name, "channel": channel, "notes": notes], seen: SeenRevision(state),
      back: "/console/models")
    page.values["choosesFile"] = true
    return try await frame.answer(page, call, .models)
  }

  private func present(_ name: String) -> DeliveryState {
    models.catalogue.model(project: models.project, named: name).map {
      experiments.deliveryState(of: $0)
    } ?? DeliveryState(nil)
  }

  /// Returns a model, or the first one of a name, with another version on a channel.
  static func after(
    _ model: HostModel?, _ name: String, _ channel: String
  ) throws(HostError) -> HostModel {
    let time = model?.updated ?? Timestamp(milliseconds: 0)
    var after = model ?? HostModel(project: "", id: "", name: name, created: time, seed: "")
    // No file has this digest.
    let version = after.add(NewVersion(sha256: "", size: 0, created: time, author: ""))
    try after.point(channel, at: version.number)
    return after
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
        let name = sent["name"] ?? ""
        let made = try await models.publish(
          blob: blob, name: name, channel: sent["channel"] ?? HostModel.stable, notes: sent["notes"] ?? "",
          seen: experiments.check(SeenRevision(form: sent["revision"]), of: name), actor: actor,
          keyCheck: keyCheck)
        return frame.redirect(ModelPages.link(made.model), done: Self.notice(made))
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
    try SeenRevision(form: fields["revision"]).check(present(name), of: name)
  }

  /// Returns the message after a publish: a file that the model already has adds no version.
  static func notice(_ made: PublishedVersion) -> Notice {
    guard !made.isRepaired else { return .publishedRepaired }
    guard made.isRepeated else { return .published }
    return made.before == made.version.number ? .publishedAgain : .publishedBefore
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
