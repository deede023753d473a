// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The form that publishes a file, which is streamed to the disk.
struct PublishForm: Sendable {
  let frame: PageFrame
  let models: ModelService

  func add(to router: Router<HTTPContext>) { frame.upload("console/models/publish", router, publish) }

  @Sendable private func publish(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    try models.checks.admit(call.session.identity.name)
    var form = try FormUpload(contentType: call.request.headers[.contentType] ?? "")
    var fields: [String: String] = [:]
    let upload = try await models.beginUpload()
    let blob: FinishedBlob
    do {
      var hasFile = false
      for try await buffer in call.request.body {
        for event in try form.append(buffer.readableBytesView) {
          switch event {
          case .field(let name, let value): fields[name] = value
          case .file(_, let fileName):
            // The form's text comes first, and nothing is stored for a foreign page.
            try frame.tokens.check(form: fields["form"], of: call.session)
            try PublishForm.check(fileName, isFirst: !hasFile)
            hasFile = true
          case .bytes(let bytes):
            try await upload.append(part: bytes)
          case .endOfFile: break
          }
        }
      }
      try form.finish()
      guard hasFile else { throw PublishForm.noFile }
      guard try frame.isOpen(call.session, call.request) else {
        await upload.discard()
        return frame.redirect("/console/sign-in")
      }
      blob = try await BlockingWork.run { _ throws(HostError) in try upload.finish() }
    } catch {
      await upload.discard()
      throw error
    }
    let (sent, actor) = (fields, call.session.identity.name)
    let keyCheck = frame.tokens.authority.keyCheck(of: call.session.identity)
    let made = try await call.context.whilePeerWaits { [models] in
      try await models.publish(
        blob: blob, name: sent["name"] ?? "", channel: sent["channel"] ?? HostModel.stable,
        notes: sent["notes"] ?? "", actor: actor, keyCheck: keyCheck)
    }
    return frame.redirect(ModelPages.link(made.model), done: .published)
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
