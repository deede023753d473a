// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that scripts/test-threads compiles the libraries with the thread sanitizer and nothing else.
let package = Package(
  name: "fovea-thread-safety",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "fovea", path: "../..")],
  targets: [
    .target(name: "CMutexAnnotations"),
    .executableTarget(
      name: "ThreadSafety",
      dependencies: [
        "CMutexAnnotations",
        .product(name: "Fovea", package: "fovea"),
        .product(name: "FoveaGeometry", package: "fovea"),
        .product(name: "FoveaImage", package: "fovea"),
        .product(name: "FoveaLabeling", package: "fovea"),
        .product(name: "FoveaModels", package: "fovea"),
        .product(name: "MLKit", package: "fovea"),
      ]),
  ]
)

for target in package.targets where target.name != "CMutexAnnotations" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
