// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The only owner of a resource that is not `Sendable`, such as a session; it uses the resource on its own
/// thread.
actor Worker<Resource> {
  private let executor: QueueExecutor
  private let make: @Sendable () throws -> Resource
  private var resource: Resource?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(label: String, make: @escaping @Sendable () throws -> Resource) {
    executor = QueueExecutor(label: label)
    self.make = make
  }

  /// Creates the resource at the first call, then calls `body` with it.
  ///
  /// It does not suspend in between.
  func run<R: Sendable>(_ body: @Sendable (Resource) throws -> R) throws -> R {
    if let resource { return try body(resource) }
    let made = try make()
    resource = made
    return try body(made)
  }
}

/// A thread for one long computation, such as compiling a model, so that it does not block the threads shared
/// by all tasks.
package enum LoadingThread {
  /// Calls `body` on its own thread, with the task-local values.
  package static func call<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await Worker(label: "fovea.loading", make: body).run { $0 }
  }
}
