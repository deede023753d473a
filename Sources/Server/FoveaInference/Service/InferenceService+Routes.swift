// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import FoveaHTTP
import FoveaImage
import HTTPTypes
package import Hummingbird

extension InferenceService {
  /// Returns a router with every route.
  package func router() -> Router<HTTPContext> {
    router(hasHealth: options.server.admin == nil, isMounted: false)
  }

  /// Returns the routes for another server, which has its own connections and pages.
  package func mountedRouter(hasHealth: Bool) -> Router<HTTPContext> {
    router(hasHealth: hasHealth, isMounted: true)
  }

  private func router(hasHealth: Bool, isMounted: Bool) -> Router<HTTPContext> {
    let router = Router(context: HTTPContext.self, options: .autoGenerateHeadEndpoints)
    if !options.server.rules.origins.isEmpty {
      router.add(middleware: CrossOriginAnswers(options.server.rules.origins))
    }
    router.add(middleware: log(routes))
    if isMounted { router.add(middleware: HeadCheck(serverOptions.rules)) }
    router.add(middleware: CallerPatience())
    if let access { router.add(middleware: CallerName(access: access)) }
    router.add(middleware: ReadQuery())
    AnalysisRoutes(caller: caller, reader: reader).add(to: router)
    ModelRoutes(registry: registry, reader: reader).add(to: router)
    if !isMounted {
      live.add(to: router)
      streams.add(to: router)
      events.add(to: router)
      page.add(to: router)
      SessionRoutes(access: access, isSecure: options.server.certificate != nil).add(to: router)
    }
    for served in ClientProtocol.all where options.protocols.contains(served) { served.add(self, router) }
    if hasHealth { health.add(to: router, readiness: InferenceService.readiness) }
    OpenAPIRoutes(
      APIRoute.served(options.protocols, hasHealth: hasHealth, isMounted: isMounted)
    ).add(to: router)
    routes.take(router)
    return router
  }

  /// Runs the images of requests.
  var caller: InferenceCaller {
    InferenceCaller(
      registry: registry, scheduler: scheduler, deadline: options.deadline,
      annotator: AnswerAnnotator(
        limits: loading.limits, maximumPixels: options.maximumDrawnPixels,
        keypointThreshold: options.keypointThreshold),
      pixels: pixels, metrics: metrics)
  }

  /// Reads the images of requests.
  var reader: ImageReader {
    ImageReader(
      bodyLimit: options.maximumBody, memory: bodies, maximumImages: options.maximumImages,
      needsKeys: access != nil, work: bodyWork)
  }

  /// Returns the operator's routes, for their own listener.
  package func adminRouter() -> Router<HTTPContext> {
    let router = Router(context: HTTPContext.self, options: .autoGenerateHeadEndpoints)
    let routes = RouteTable()
    router.add(middleware: log(routes))
    health.add(to: router, readiness: InferenceService.readiness)
    routes.take(router)
    return router
  }

  private static let readiness = ["readyz", "health"]

  private static let stuck = Refusal(
    .serviceUnavailable, "stuck", "The images in every slot do not finish",
    remedy: "Use another server, or restart this one"
  ).retrying(after: 5)

  private var health: HealthRoutes {
    HealthRoutes(metrics: metrics, drain: drain) { [registry, isAlive] in
      if let problem = registry.problem { return problem }
      return isAlive() ? nil : InferenceService.stuck
    }
  }

  private func log(_ routes: RouteTable) -> RequestLog {
    RequestLog(
      metrics: metrics, shape: { ClientProtocol.errors(of: $0) }, accessLog: options.accessLog,
      proxies: options.proxies, routes: routes, protocolName: InferenceService.protocolName
    ) { InferenceService.refusal($0) }
  }

  private static func refusal(_ error: any Error) -> Refusal? {
    switch error {
    case let error as FoveaError: error.refusal
    case is CancellationError: .clientGone
    default: nil
    }
  }
}

extension ModelRegistry {
  /// The reason a load balancer should send no requests: a pinned model is not loaded; nil if all are.
  var problem: Refusal? {
    places.first { $0.entry.settings.isPinned && $0.current == nil }.map { place in
      Refusal(
        .serviceUnavailable, "model-loading", "The pinned model '\(place.entry.name)' is not loaded",
        remedy: "See the reason in GET /v1/models"
      ).retrying(after: 5)
    }
  }
}
#endif
