// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird
import Synchronization

/// The forms that users have sent lately, so that one that is sent twice is answered as it was the first
/// time.
///
/// A browser without scripts sends a form again at a double click, and shows only the second response. A
/// change is made once, since its form is for one ``SeenRevision``, or for the version of a template, or for
/// the id of a new experiment; a form that creates a key has a number of its own.
final class SentForms: Sendable {
  /// A form as a user sent it.
  struct Form: Hashable, Sendable {
    let session: String
    let path: String
    /// The SHA-256 of its fields.
    let digest: String

    init(_ session: ConsoleSession, path: String, digest: String) {
      self.session = session.number
      self.path = path
      self.digest = digest
    }
  }

  /// The number of forms that are remembered.
  static let most = 1_000

  private let running = SharedTasks<Form, CheckedContinuation<Result<Response, any Error>, Never>>()
  /// The pages after the changes of forms, the oldest first.
  private let done = Mutex<[(form: Form, page: String)]>([])

  /// Answers a form; one that is being answered gets the same response.
  /// - Parameters:
  ///   - form: The form.
  ///   - make: Makes the change, and returns the redirect to the page after it.
  /// - Returns: That redirect, also for a form whose change was made before and is the last one.
  /// - Throws: Any error of `make`; `cancelled` if the task is cancelled.
  func answer(_ form: Form, _ make: @escaping @Sendable () async throws -> Response) async throws -> Response
  {
    let cancelled: any Error = HostError.cancelled
    return try await running.value(form, cancelled: cancelled) { () async throws(any Error) -> Response in
      do {
        let response = try await make()
        if let page = response.headers[.location] { self.add(form, page) }
        return response
      } catch let error as HostError where Self.conflicts.contains(error.code) {
        guard let page = self.page(after: form) else { throw error }
        guard error.cause is OneChangeSince else { throw SentForms.isDone }
        return Self.redirect(page)
      }
    }
  }

  /// Answers a form that creates something, and that no other form equals; one that is being answered gets
  /// the same response.
  /// - Parameters:
  ///   - form: The form.
  ///   - make: Creates it, and returns the response and the path of the page for a form that is sent again.
  /// - Returns: The response; a redirect to that page for a form that was answered before.
  /// - Throws: Any error of `make`; `cancelled` if the task is cancelled.
  func answer(
    unique form: Form, _ make: @escaping @Sendable () async throws -> (response: Response, again: String)
  ) async throws -> Response {
    let cancelled: any Error = HostError.cancelled
    return try await running.value(form, cancelled: cancelled) { () async throws(any Error) -> Response in
      if let page = self.page(after: form) { return Self.redirect(page) }
      let made = try await make()
      self.add(form, made.again)
      return made.response
    }
  }

  /// The errors of a change that was made before.
  private static let conflicts: [HostCode] = [.conflict, .etagMismatch, .alreadyExists]

  private static func redirect(_ page: String) -> Response {
    Response(status: .seeOther, headers: [.cacheControl: "no-store", .location: page])
  }

  private func add(_ form: Form, _ page: String) {
    done.withLock { done in
      done.append((form, page))
      if done.count > Self.most { done.removeFirst() }
    }
  }

  private func page(after form: Form) -> String? {
    done.withLock { done in done.last { $0.form == form }?.page }
  }

  /// The error of a form whose change was made, and is not the last one.
  private static let isDone = HostError(
    .conflict,
    "The change was made when the form was sent for the first time, and there was another one since",
    remedy: "Open the page again, and read what devices get now")
}
#endif
