// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The common parts of all pages: the signed-in user, the frame around a page, and the display of errors.
struct PageFrame: Sendable {
  let project: String
  let tokens: SessionTokens
  let templates: PageTemplates
  /// Reads forms and renders pages.
  let bodies: BodyWork
  /// The forms that were sent lately.
  private let sent = SentForms()

  typealias Handler = @Sendable (ConsoleCall) async throws -> Response

  // MARK: Routes

  /// Adds a page for signed-in users; others are redirected to the sign-in.
  func get(_ path: RouterPath, _ router: Router<HTTPContext>, _ handler: @escaping Handler) {
    router.get(path) { request, context in
      guard let session = tokens.session(of: request) else { return redirect("/console/sign-in") }
      return try await answered(session, back: PageFrame.back(from: request.uri.path)) {
        let call = ConsoleCall(
          session: session, request: request, context: context, fields: try RequestQuery(of: request))
        return try await handler(call)
      }
    }
  }

  /// Adds the target of a form, whose text must be sealed for the session.
  func post(_ path: RouterPath, _ router: Router<HTTPContext>, _ handler: @escaping Handler) {
    router.post(path) { request, context in
      guard let session = tokens.session(of: request) else { return redirect("/console/sign-in") }
      return try await answered(session, back: PageFrame.back(from: request.uri.path, isForm: true)) {
        let text = String(decoding: try await request.bytes(upTo: HostService.longestForm), as: UTF8.self)
        guard try isOpen(session, request) else { return redirect("/console/sign-in") }
        let (fields, digest) = try await read(text, session)
        let call = ConsoleCall(
          session: session, request: request, context: context, fields: fields, digest: digest)
        try tokens.check(form: call.fields["form"], of: session)
        guard call.fields["revision"] != nil else { return try await handler(call) }
        return try await once(call) { try await handler(call) }
      }
    }
  }

  /// Reads a form, which may hold a long template, in turn for its user.
  private func read(
    _ text: String, _ session: ConsoleSession
  ) async throws -> (fields: RequestQuery, digest: String) {
    try await bodies.run(on: text.utf8.count, of: session.identity.name) {
      () throws(HostError) -> Result<(fields: RequestQuery, digest: String), any Error> in
      Result { (try RequestQuery(text), AppKey.digest(of: text)) }
    }.get()
  }

  /// Makes the change of a form; the form that is sent again is answered as it was the first time.
  /// - Parameters:
  ///   - call: The form.
  ///   - make: Makes the change, and returns the redirect to the page after it. It throws `conflict`,
  ///     `etag-mismatch` or `already-exists` if the change was made before, with the cause
  ///     ``OneChangeSince`` if no other one was made since.
  /// - Returns: The redirect.
  /// - Throws: Any error of `make`; `cancelled` if the task is cancelled.
  func once(
    _ call: ConsoleCall, _ make: @escaping @Sendable () async throws -> Response
  ) async throws -> Response {
    try await sent.answer(call.form, make)
  }

  /// Creates what a form with a number of its own asks for; the form that is sent again gets the page
  /// `again`.
  func once(
    unique call: ConsoleCall,
    _ make: @escaping @Sendable () async throws -> (response: Response, again: String)
  ) async throws -> Response {
    try await sent.answer(unique: call.form, make)
  }

  /// Adds the target of a form with a file; the handler reads the body and checks its text.
  func upload(_ path: RouterPath, _ router: Router<HTTPContext>, _ handler: @escaping Handler) {
    router.post(path) { request, context in
      guard let session = tokens.session(of: request) else { return redirect("/console/sign-in") }
      return try await answered(session, back: PageFrame.back(from: request.uri.path, isForm: true)) {
        try await handler(
          ConsoleCall(
            session: session, request: request, context: context, fields: try RequestQuery(of: request)))
      }
    }
  }

  /// Returns whether the session of a form is still open once the form has arrived: the user may have signed
  /// out meanwhile.
  /// - Throws: `unauthenticated` if its key was revoked, or has expired.
  func isOpen(_ session: ConsoleSession, _ request: Request) throws(HostError) -> Bool {
    try tokens.authority.keyCheck(of: session.identity)()
    return tokens.session(of: request) == session
  }

  /// Returns a response, or the page that explains the error.
  private func answered(
    _ session: ConsoleSession, back: String, _ body: () async throws -> Response
  ) async throws -> Response {
    let refusal: Refusal
    var back = back
    do { return try await body() } catch let error as HostError {
      refusal = error.refusal
      // An unknown model or experiment has no page.
      if error.cause as? WireText == .entityNotFound { back = PageFrame.back(from: back, isForm: true) }
    } catch let error as Refusal { refusal = error }
    return try answer(refusal, session: session, back: back)
  }

  /// Returns the page that explains a refusal.
  /// - Parameters:
  ///   - refusal: The refusal.
  ///   - session: The session of the user.
  ///   - back: The path of the page to return to.
  /// - Returns: The response with the page and the status and headers of the refusal.
  /// - Throws: `internal` without the template of the page.
  func answer(
    _ refusal: Refusal, session: ConsoleSession, back: String
  ) throws(HostError) -> Response {
    var page = Page(template: "problem", title: PageFrame.title(of: refusal), status: refusal.status)
    page.values.merge(Page.sentences(refusal.message, refusal.remedy)) { _, new in new }
    page.values["back"] = back
    var response = try answer(page, session: session, section: nil)
    for field in refusal.headers { response.headers[field.name] = field.value }
    return response
  }

  private static func title(of refusal: Refusal) -> String {
    switch refusal.status.code {
    case 403: "Not allowed"
    case 404: "Not found"
    case 400..<500: "This cannot be done"
    default: "The host failed"
    }
  }

  /// Returns the page to return to from a change that was refused: that of the model or the experiment, or
  /// the list of its section.
  /// - Parameters:
  ///   - path: The path of the request.
  ///   - isForm: True if it is a form: the page of a section itself leads to the models.
  /// - Returns: The path of that page.
  static func back(from path: String, isForm: Bool = false) -> String {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 1 else { return PageSection.models.link }
    let section = PageSection.allCases.first { [parts[1], parts[1] + "s"].contains($0.rawValue) }
    guard let section, isForm || parts.count > 2 else { return PageSection.models.link }
    let hasPages = section == .models || section == .experiments
    return hasPages && parts[1] == section.rawValue && parts.count > 3
      ? "\(section.link)/\(parts[2])" : section.link
  }

  // MARK: Answers

  /// Renders a short page as HTML.
  func answer(_ page: Page, session: ConsoleSession?, section: PageSection?) throws(HostError) -> Response {
    PageFrame.response(try html(page, session, section), page.status)
  }

  /// Makes a page for a call and renders it, in turn for its user.
  ///
  /// A page of a long list or template takes up to a second, which no other response waits for.
  /// - Parameters:
  ///   - call: The call; its URL may name the change that the page shows a notice of.
  ///   - section: The section of the page.
  ///   - make: Makes the page; called on another thread.
  /// - Returns: The response with the page.
  /// - Throws: `rate-limited` if too many pages of this user wait; `cancelled` if the task is cancelled; any
  ///   error of `make`.
  func answer(
    _ call: ConsoleCall, _ section: PageSection, _ make: @escaping @Sendable () throws(HostError) -> Page
  ) async throws(HostError) -> Response {
    let (text, status) = try await work(for: call) {
      () throws(HostError) -> (String, HTTPResponse.Status) in
      var page = try make()
      if let done = call.fields["done"].flatMap({ Notice(rawValue: $0) }) {
        page.values["notice"] = done.text
      }
      return (try html(page, call.session, section), page.status)
    }
    return PageFrame.response(text, status)
  }

  /// Renders a page for a call, in turn for its user.
  func answer(
    _ page: Page, _ call: ConsoleCall, _ section: PageSection
  ) async throws(HostError) -> Response {
    try await answer(call, section) { () throws(HostError) in page }
  }

  /// Runs work on a text that may be as long as a form, in turn for a call's user.
  func work<Value: Sendable>(
    for call: ConsoleCall, _ work: @escaping @Sendable () throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    try await bodies.run(on: HostService.longestForm, of: call.session.identity.name, work)
  }

  private func html(
    _ page: Page, _ session: ConsoleSession?, _ section: PageSection?
  ) throws(HostError) -> String {
    var values = page.values
    values["project"] = project
    if values["title"] == nil { values["title"] = page.title }
    if let session {
      values["form"] = tokens.form(session)
      values["user"] = ["name": session.identity.name, "role": session.identity.role.rawValue]
      values["sections"] = PageSection.allCases.filter { $0.isOpen(to: session.identity) }.map {
        ["name": $0.name, "link": $0.link, "current": $0 == section] as [String: any Sendable]
      }
    }
    return try templates.render(page.template, values)
  }

  private static func response(_ text: String, _ status: HTTPResponse.Status) -> Response {
    var headers = PageFrame.headers
    headers[.contentType] = "text/html; charset=utf-8"
    headers[.cacheControl] = "no-store"
    let body = ByteBuffer(string: text)
    headers[.contentLength] = String(body.readableBytes)
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }

  /// Redirects to another page, by GET.
  func redirect(_ path: String, done: Notice? = nil, cookie: String? = nil) -> Response {
    var headers: HTTPFields = [.cacheControl: "no-store"]
    let mark = path.contains("?") ? "&" : "?"
    headers[.location] = done.map { "\(path)\(mark)done=\($0.rawValue)" } ?? path
    headers[.setCookie] = cookie
    return Response(status: .seeOther, headers: headers)
  }

  /// Pages use the host's own style, script and icon, and send forms to it.
  static let headers = PageHeaders.make(
    policy: [
      "script-src 'self'", "style-src 'self'", "img-src 'self'", "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ], referrer: "same-origin")
}

extension PageSection {
  /// Returns whether a user may open it.
  func isOpen(to identity: Identity) -> Bool {
    switch self {
    case .models, .experiments, .audit: identity.scopes.contains(.readModels)
    case .config: identity.scopes.contains(.readConfig)
    case .keys: identity.scopes.contains(.manageKeys)
    }
  }
}
#endif
