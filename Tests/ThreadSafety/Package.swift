// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that scripts/test-threads compiles only the libraries with the thread sanitizer.
let package = Package(
  name: "fovea-thread-safety",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "fovea", path: "../..", traits: ["Server"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
  ],
  targets: [
    .target(name: "CMutexAnnotations"),
    .executableTarget(
      name: "ThreadSafety",
      dependencies: [
        "CMutexAnnotations",
        .product(name: "Fovea", package: "fovea"),
        .product(name: "FoveaDecoding", package: "fovea"),
        .product(name: "FoveaGeometry", package: "fovea"),
        .product(name: "FoveaImage", package: "fovea"),
        .product(name: "FoveaInference", package: "fovea"),
        .product(name: "FoveaModels", package: "fovea"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "MLKit", package: "fovea"),
        .product(name: "NIOCore", package: "swift-nio"),
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
