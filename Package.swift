// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "fovea",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "Fovea", targets: ["Fovea"]),
    .library(name: "FoveaRender", targets: ["FoveaRender"]),
    .library(name: "FoveaSystem", targets: ["FoveaSystem"]),
    .library(name: "FoveaGeometry", targets: ["FoveaGeometry"]),
    .library(name: "FoveaModelFile", targets: ["FoveaModelFile"]),
    .library(name: "FoveaRuntime", targets: ["FoveaRuntime"]),
    .library(name: "FoveaImage", targets: ["FoveaImage"]),
    .library(name: "FoveaMetadata", targets: ["FoveaMetadata"]),
    .library(name: "FoveaDetection", targets: ["FoveaDetection"]),
    .library(name: "FoveaLabeling", targets: ["FoveaLabeling"]),
    .library(name: "FoveaEvaluation", targets: ["FoveaEvaluation"]),
    .library(name: "FoveaModels", targets: ["FoveaModels"]),
    .library(name: "FoveaTracking", targets: ["FoveaTracking"]),
    .library(name: "FoveaFlow", targets: ["FoveaFlow"]),
    .library(name: "FoveaVideo", targets: ["FoveaVideo"]),
    .library(
      name: "MLKit",
      targets: [
        "MLKit", "MLKitCommon", "MLImage", "MLKitVision", "MLKitObjectDetectionCommon",
        "MLKitObjectDetection", "MLKitObjectDetectionCustom", "MLKitImageLabelingCommon",
        "MLKitImageLabeling", "MLKitImageLabelingCustom", "MLKitLinkFirebase",
      ]),
    .library(
      name: "Firebase",
      targets: [
        "Firebase", "FirebaseCore", "FirebaseMLCommon", "FirebaseMLVision",
        "FirebaseMLVisionObjectDetection", "FirebaseMLModelInterpreter", "FirebaseMLModelDownloader",
      ]),
    .library(name: "TensorFlowLite", targets: ["TensorFlowLite"]),
    .library(name: "AppleShims", targets: ["AppleShims"]),
    .executable(name: "fovea", targets: ["FoveaCLI"]),
  ],
  traits: [
    .trait(name: "Video", description: "Reads and writes video; building needs FFmpeg's headers."),
    .default(enabledTraits: ["Video"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0")
  ],
  targets: [
    // Layer 0: C libraries and geometry.
    .target(name: "CLiteRT", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CEmbeddedModels", exclude: ["models"]),
    .target(name: "CModelCatalogue", exclude: ["data"]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "CVideo", cSettings: [.define("FOVEA_VIDEO", .when(traits: ["Video"]))],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "CPictures", dependencies: ["CPNG"],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CPixels", dependencies: ["CYUV"]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .systemLibrary(name: "CYUV", providers: [.apt(["libyuv-dev"]), .brew(["libyuv"])]),
    .systemLibrary(
      name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"]), .brew(["cairo"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "FoveaSystem"),
    .target(name: "FoveaGeometry"),
    .target(name: "FoveaModelFile"),

    // Layer 1: models, pictures, and what a model says of itself.
    .target(name: "FoveaRuntime", dependencies: ["FoveaSystem", "CLiteRT", "FoveaModelFile"]),
    .target(
      name: "FoveaImage",
      dependencies: ["FoveaSystem", "FoveaGeometry", "CPictures", "CPixels", "CTurboJPEG", "CPNG", "CWebP", "CYUV"]),
    .target(name: "FoveaMetadata", dependencies: ["FoveaSystem", "CZlib", "FoveaModelFile"]),

    // Layer 2: output tensors into answers.
    .target(
      name: "FoveaDetection", dependencies: ["FoveaSystem", "FoveaGeometry", "FoveaRuntime", "FoveaMetadata"]),
    .target(name: "FoveaLabeling", dependencies: ["FoveaRuntime", "FoveaMetadata"]),
    .target(name: "FoveaEvaluation", dependencies: ["FoveaSystem", "FoveaGeometry"]),

    // Layer 2: objects from frame to frame.
    .target(name: "FoveaTracking", dependencies: ["FoveaSystem", "FoveaGeometry"]),
    .target(name: "FoveaFlow", dependencies: ["FoveaGeometry", "FoveaImage"]),

    // Layer 2: where models come from.
    .target(name: "FoveaModels", dependencies: ["FoveaSystem", "CCurl", "CModelCatalogue", "FoveaMetadata"]),

    // Layer 3: what people import.
    .target(
      name: "Fovea",
      dependencies: [
        "CEmbeddedModels", "FoveaGeometry", "FoveaModelFile", "FoveaRuntime", "FoveaImage", "FoveaMetadata",
        "FoveaDetection", "FoveaLabeling", "FoveaTracking", "FoveaFlow",
      ]),
    .target(
      name: "FoveaRender",
      dependencies: ["FoveaSystem", "CCairo", "FoveaGeometry", "FoveaImage", "FoveaMetadata"]),

    // Layer 4: moving pictures in and out.
    .target(
      name: "FoveaVideo", dependencies: ["FoveaSystem", "CVideo", "Fovea", "FoveaGeometry", "FoveaImage"]),

    // Layer 4: Google's names. AppleShims has the types of Apple's frameworks that they mention, on Linux.
    .target(
      name: "AppleShims", dependencies: ["FoveaSystem", "Fovea", "FoveaGeometry", "FoveaImage", "FoveaVideo"]),
    .target(
      name: "FoveaCompatibility",
      dependencies: [
        "FoveaSystem",
        "AppleShims", "Fovea", "FoveaGeometry", "FoveaImage", "FoveaLabeling", "FoveaMetadata", "FoveaModels",
      ]),
    .target(name: "MLImage", dependencies: ["AppleShims"]),
    .target(name: "MLKitCommon", dependencies: ["FoveaCompatibility"]),
    .target(name: "MLKitVision", dependencies: ["AppleShims", "FoveaCompatibility", "MLImage"]),
    .target(name: "MLKitObjectDetectionCommon", dependencies: ["FoveaCompatibility", "MLKitVision"]),
    .target(
      name: "MLKitObjectDetection", dependencies: ["FoveaCompatibility", "MLKitObjectDetectionCommon"]),
    .target(
      name: "MLKitObjectDetectionCustom",
      dependencies: ["FoveaCompatibility", "MLKitCommon", "MLKitObjectDetectionCommon"]),
    .target(name: "MLKitImageLabelingCommon", dependencies: ["FoveaCompatibility", "MLKitVision"]),
    .target(name: "MLKitImageLabeling", dependencies: ["FoveaCompatibility", "MLKitImageLabelingCommon"]),
    .target(
      name: "MLKitImageLabelingCustom",
      dependencies: ["FoveaCompatibility", "MLKitCommon", "MLKitImageLabelingCommon"]),
    .target(name: "MLKitLinkFirebase", dependencies: ["MLKitCommon"]),
    .target(
      name: "MLKit",
      dependencies: [
        "AppleShims", "MLKitCommon", "MLImage", "MLKitVision", "MLKitObjectDetectionCommon",
        "MLKitObjectDetection", "MLKitObjectDetectionCustom", "MLKitImageLabelingCommon",
        "MLKitImageLabeling", "MLKitImageLabelingCustom", "MLKitLinkFirebase",
      ]),
    .target(name: "FirebaseCore"),
    .target(name: "FirebaseMLCommon", dependencies: ["FirebaseCore", "FoveaCompatibility"]),
    .target(name: "FirebaseMLVision", dependencies: ["AppleShims", "FirebaseCore", "FoveaCompatibility"]),
    .target(
      name: "FirebaseMLVisionObjectDetection", dependencies: ["FirebaseMLVision", "FoveaCompatibility"]),
    .target(name: "FirebaseMLModelInterpreter", dependencies: ["FirebaseMLCommon"]),
    .target(name: "FirebaseMLModelDownloader", dependencies: ["FirebaseCore", "FoveaCompatibility"]),
    .target(
      name: "Firebase",
      dependencies: [
        "AppleShims", "FirebaseCore", "FirebaseMLCommon", "FirebaseMLVision",
        "FirebaseMLVisionObjectDetection", "FirebaseMLModelInterpreter",
      ]),
    .target(name: "TensorFlowLite", dependencies: ["AppleShims", "FoveaRuntime"]),

    // Layer 5: the command line.
    .executableTarget(
      name: "FoveaCLI",
      dependencies: [
        "FoveaSystem",
        "Fovea", "FoveaDetection", "FoveaGeometry", "FoveaImage", "FoveaLabeling", "FoveaMetadata",
        "FoveaEvaluation", "FoveaFlow", "FoveaModels", "FoveaRender", "FoveaRuntime", "FoveaTracking",
        "FoveaVideo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // The programs of Google's guides.
    .executableTarget(name: "CustomClassifier", dependencies: ["MLKit"], path: "Examples/CustomClassifier"),
    .executableTarget(
      name: "LiveTracking", dependencies: ["FoveaVideo", "MLKit"], path: "Examples/LiveTracking"),
    .executableTarget(
      name: "AutoMLInterpreter", dependencies: ["TensorFlowLite"], path: "Examples/AutoMLInterpreter"),
    .executableTarget(
      name: "CoarseCategories", dependencies: ["Firebase"], path: "Examples/CoarseCategories"),
    .executableTarget(
      name: "AutoMLLabeling", dependencies: ["MLKit"], path: "Examples/AutoMLLabeling"),

    // Tests.
    .target(
      name: "FoveaTesting", dependencies: ["FoveaGeometry", "FoveaImage", "FoveaModelFile", "FoveaSystem"]),
    .testTarget(name: "FoveaTestingTests", dependencies: ["FoveaTesting"]),
    .testTarget(name: "FoveaSystemTests", dependencies: ["FoveaSystem", "FoveaTesting"]),
    .testTarget(name: "FoveaGeometryTests", dependencies: ["FoveaGeometry", "FoveaTesting"]),
    .testTarget(name: "FoveaModelFileTests", dependencies: ["FoveaModelFile", "FoveaTesting"]),
    .testTarget(
      name: "FoveaRuntimeTests",
      dependencies: ["CEmbeddedModels", "FoveaImage", "FoveaRuntime", "FoveaTesting"]),
    .testTarget(
      name: "FoveaImageTests", dependencies: ["CPictures", "CPixels", "CYUV", "FoveaImage", "FoveaTesting"],
      exclude: ["Verdicts/pictures.csv"]),
    .testTarget(name: "FoveaMetadataTests", dependencies: ["FoveaMetadata", "FoveaTesting"]),
    .testTarget(name: "FoveaDetectionTests", dependencies: ["FoveaDetection", "FoveaTesting"]),
    .testTarget(name: "FoveaLabelingTests", dependencies: ["FoveaLabeling", "FoveaTesting"]),
    .testTarget(
      name: "FoveaEvaluationTests", dependencies: ["FoveaEvaluation", "FoveaTesting"],
      exclude: ["Fixtures"]),
    .testTarget(name: "FoveaTrackingTests", dependencies: ["FoveaTracking", "FoveaTesting", "CZlib"]),
    .testTarget(name: "FoveaFlowTests", dependencies: ["FoveaFlow", "FoveaTesting"]),
    .testTarget(name: "FoveaVideoTests", dependencies: ["FoveaVideo", "FoveaTesting"]),
    .testTarget(name: "AppleShimsTests", dependencies: ["AppleShims", "FoveaTesting"]),
    .testTarget(name: "FoveaCompatibilityTests", dependencies: ["FoveaCompatibility", "FoveaTesting"]),
    .testTarget(name: "MLKitTests", dependencies: ["FoveaCompatibility", "MLKit", "FoveaTesting"]),
    .testTarget(
      name: "FirebaseTests",
      dependencies: ["Firebase", "FirebaseMLModelDownloader", "FoveaCompatibility", "FoveaTesting"]),
    .testTarget(name: "TensorFlowLiteTests", dependencies: ["TensorFlowLite", "FoveaTesting"]),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "AutoMLInterpreter", "AutoMLLabeling", "CoarseCategories", "CustomClassifier", "FoveaTesting",
        "LiveTracking",
      ]),
    .testTarget(name: "FoveaModelsTests", dependencies: ["FoveaModels", "FoveaTesting"]),
    .testTarget(name: "FoveaTests", dependencies: ["Fovea", "FoveaTesting"]),
    .testTarget(name: "FoveaRenderTests", dependencies: ["FoveaMetadata", "FoveaRender", "FoveaTesting"]),
    .testTarget(
      name: "FoveaCLITests", dependencies: ["FoveaCLI", "FoveaModels", "FoveaTesting"],
      exclude: ["EndToEnd/end-to-end.sh", "EndToEnd/end-to-end-track.sh"]),
  ]
)

// One set of rules for every target of a language: nothing is compiled under weaker ones. The examples alone are written as an
// app's code would be.
let cTargets: Set<String> = [
  "CLiteRT", "CEmbeddedModels", "CModelCatalogue", "CCurl", "CPictures", "CPixels", "CVideo",
]
for target in package.targets where target.type != .system {
  if cTargets.contains(target.name) {
    // A callback has the parameters that its library passes.
    target.cSettings =
      (target.cSettings ?? []) + [
        .enableWarning("all"), .enableWarning("extra"), .disableWarning("unused-parameter"),
        .treatAllWarnings(as: .error),
      ]
    continue
  }
  if target.path?.hasPrefix("Examples/") == true {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
    continue
  }
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
