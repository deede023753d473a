// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Fovea do not build or fetch anything for benchmarks.
let package = Package(
  name: "fovea-benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "fovea", path: "..")],
  targets: [
    .target(name: "CAllocationCounter"),
    .executableTarget(
      name: "FoveaBenchmarks",
      dependencies: [
        "CAllocationCounter",
        .product(name: "Fovea", package: "fovea"),
        .product(name: "FoveaDecoding", package: "fovea"),
        .product(name: "FoveaFlow", package: "fovea"),
        .product(name: "FoveaFormats", package: "fovea"),
        .product(name: "FoveaGeometry", package: "fovea"),
        .product(name: "FoveaImage", package: "fovea"),
        .product(name: "FoveaMetadata", package: "fovea"),
        .product(name: "FoveaRender", package: "fovea"),
        .product(name: "FoveaRuntime", package: "fovea"),
        .product(name: "FoveaTracking", package: "fovea"),
        .product(name: "TensorFlowLite", package: "fovea"),
      ]),
  ]
)

for target in package.targets where target.name != "CAllocationCounter" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
