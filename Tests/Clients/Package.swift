// swift-tools-version: 6.2
import PackageDescription

// Apps that use one product each and import one module: it re-exports what the product's API mentions.
let products = [
  "AppleCapture",
  "AppleShims",
  "Firebase",
  "Fovea",
  "FoveaDecoding",
  "FoveaEvaluation",
  "FoveaFlow",
  "FoveaFormats",
  "FoveaGeometry",
  "FoveaImage",
  "FoveaMetadata",
  "FoveaModelFile",
  "FoveaModelRules",
  "FoveaModels",
  "FoveaRender",
  "FoveaRuntime",
  "FoveaTracking",
  "FoveaTraining",
  "FoveaVideo",
  "MLKit",
  "TensorFlowLite",
]

let package = Package(
  name: "fovea-clients",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "fovea", path: "../..")],
  targets: products.map { product in
    .target(name: product + "Client", dependencies: [.product(name: product, package: "fovea")])
  }
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
