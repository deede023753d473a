// swift-tools-version: 6.2
import PackageDescription

/// Products of packages that only the trait Server uses.
func server(_ products: [(name: String, package: String)]) -> [Target.Dependency] {
  products.map { .product(name: $0.name, package: $0.package, condition: .when(traits: ["Server"])) }
}

let package = Package(
  name: "fovea",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "Fovea", targets: ["Fovea"]),
    .library(name: "FoveaRender", targets: ["FoveaRender"]),
    .library(name: "FoveaErrors", targets: ["FoveaErrors"]),
    .library(name: "FoveaModelRules", targets: ["FoveaModelRules"]),
    .library(name: "FoveaSystem", targets: ["FoveaSystem"]),
    .library(name: "FoveaGeometry", targets: ["FoveaGeometry"]),
    .library(name: "FoveaModelFile", targets: ["FoveaModelFile"]),
    .library(name: "FoveaRuntime", targets: ["FoveaRuntime"]),
    .library(name: "FoveaImage", targets: ["FoveaImage"]),
    .library(name: "FoveaMetadata", targets: ["FoveaMetadata"]),
    .library(name: "FoveaDetection", targets: ["FoveaDetection"]),
    .library(name: "FoveaLabeling", targets: ["FoveaLabeling"]),
    .library(name: "FoveaEvaluation", targets: ["FoveaEvaluation"]),
    .library(name: "FoveaFormats", targets: ["FoveaFormats"]),
    .library(name: "FoveaModels", targets: ["FoveaModels"]),
    .library(name: "FoveaRemoteConfig", targets: ["FoveaRemoteConfig"]),
    .library(name: "FoveaServer", targets: ["FoveaServer"]),
    .library(name: "FoveaTraining", targets: ["FoveaTraining"]),
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
        "FirebaseRemoteConfig",
      ]),
    .library(name: "TensorFlowLite", targets: ["TensorFlowLite"]),
    .library(name: "AppleCapture", targets: ["AppleCapture"]),
    .library(name: "AppleShims", targets: ["AppleShims"]),
    // What scripts/build-capi links libfovea.so from.
    .library(name: "FoveaC", type: .static, targets: ["FoveaC"]),
    .executable(name: "fovea", targets: ["FoveaCLI"]),
    .executable(name: "fovea-server", targets: ["FoveaServerCLI"]),
  ],
  traits: [
    .trait(name: "Video", description: "Reads and writes video; building needs FFmpeg's headers."),
    .trait(name: "Server", description: "Builds fovea-server; fetches what an HTTP server is made of."),
    .default(enabledTraits: ["Video"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    // Only for the trait Server; without it none of these is fetched.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  ],
  targets: [
    // Layer 0: C libraries and geometry.
    .target(name: "CLiteRT", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CEmbeddedModels", exclude: ["models"]),
    .target(name: "CModelCatalogue", exclude: ["data"]),
    .target(name: "CLivePage", exclude: ["page"]),
    .target(name: "CConsole", exclude: ["pages"]),
    .target(name: "CFovea"),
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
    .target(name: "FoveaJSON"),
    .target(name: "FoveaErrors"),
    .target(name: "FoveaGeometry"),
    .target(name: "FoveaModelFile", dependencies: ["FoveaErrors"]),
    .target(name: "FoveaTransfer", dependencies: ["CCurl", "FoveaErrors", "FoveaSystem"]),

    // Layer 1: models, pictures, and what a model says of itself.
    .target(name: "FoveaRuntime", dependencies: ["FoveaErrors", "FoveaSystem", "CLiteRT", "FoveaModelFile"]),
    .target(
      name: "FoveaImage",
      dependencies: [
        "FoveaErrors", "FoveaSystem", "FoveaGeometry", "CPictures", "CPixels", "CTurboJPEG", "CPNG", "CWebP",
        "CYUV",
      ]),
    .target(
      name: "FoveaMetadata", dependencies: ["CZlib", "FoveaGeometry", "FoveaModelFile", "FoveaSystem"]),

    // Layer 2: output tensors into answers.
    .target(
      name: "FoveaDetection",
      dependencies: ["FoveaErrors", "FoveaSystem", "FoveaGeometry", "FoveaRuntime", "FoveaMetadata"]),
    .target(name: "FoveaLabeling", dependencies: ["FoveaErrors", "FoveaRuntime", "FoveaMetadata"]),
    .target(
      name: "FoveaEvaluation",
      dependencies: ["FoveaErrors", "FoveaGeometry", "FoveaLearning", "FoveaSystem"]),

    // Layer 2: objects from frame to frame.
    .target(name: "FoveaTracking", dependencies: ["FoveaErrors", "FoveaSystem", "FoveaGeometry"]),
    .target(name: "FoveaFlow", dependencies: ["FoveaErrors", "FoveaGeometry", "FoveaImage"]),

    // Layer 2: where models come from.
    .target(
      name: "FoveaModels",
      dependencies: [
        "CModelCatalogue", "FoveaErrors", "FoveaJSON", "FoveaMetadata", "FoveaSystem", "FoveaTransfer",
      ]),

    // What is on a team's host besides models: its configuration, and its experiments.
    .target(
      name: "FoveaRemoteConfig",
      dependencies: ["FoveaErrors", "FoveaJSON", "FoveaModels", "FoveaSystem", "FoveaTransfer"]),

    // Layer 3: what people import.
    .target(
      name: "Fovea",
      dependencies: [
        "CEmbeddedModels", "FoveaErrors", "FoveaGeometry", "FoveaModelFile", "FoveaRuntime", "FoveaImage",
        "FoveaMetadata", "FoveaDetection", "FoveaLabeling", "FoveaTracking", "FoveaFlow", "FoveaSystem",
      ]),
    .target(
      name: "FoveaRender",
      dependencies: ["CCairo", "FoveaErrors", "FoveaGeometry", "FoveaImage", "FoveaSystem"]),

    // Layer 5: detections and tracks in and out.
    .target(
      name: "FoveaFormats",
      dependencies: [
        "Fovea", "FoveaErrors", "FoveaEvaluation", "FoveaGeometry", "FoveaImage", "FoveaJSON",
        "FoveaLabeling", "FoveaSystem", "FoveaTracking",
      ]),

    // Layer 6: what was found, drawn on its image.
    .target(
      name: "FoveaAnnotation",
      dependencies: [
        "Fovea", "FoveaFormats", "FoveaGeometry", "FoveaImage", "FoveaLabeling", "FoveaRender", "FoveaSystem",
        "FoveaTracking",
      ]),

    // Layer 5: the rules that Google's libraries have for models.
    .target(
      name: "FoveaModelRules",
      dependencies: [
        "Fovea", "FoveaDetection", "FoveaErrors", "FoveaLabeling", "FoveaMetadata", "FoveaModelFile",
        "FoveaRuntime", "FoveaSystem",
      ]),

    // Layer 6: the same for C, and for what is built on C.
    .target(
      name: "FoveaC",
      dependencies: [
        "CFovea", "Fovea", "FoveaDetection", "FoveaErrors", "FoveaGeometry", "FoveaImage", "FoveaLabeling",
        "FoveaMetadata", "FoveaModelRules", "FoveaRuntime", "FoveaSystem", "FoveaTracking",
      ]),

    // Layer 4: moving pictures in and out.
    .target(
      name: "FoveaVideo",
      dependencies: ["CVideo", "FoveaErrors", "FoveaSystem", "FoveaGeometry", "FoveaImage"]),

    // Layer 4: Google's names. AppleShims has the types of Apple's frameworks that they mention, on Linux.
    .target(
      name: "AppleShims", dependencies: ["FoveaErrors", "FoveaSystem", "FoveaGeometry", "FoveaImage"]),
    .target(
      name: "AppleCapture",
      dependencies: ["AppleShims", "FoveaErrors", "FoveaGeometry", "FoveaImage", "FoveaVideo"]),
    .target(
      name: "FoveaCompatibility",
      dependencies: [
        "FoveaErrors", "FoveaSystem",
        "AppleShims", "Fovea", "FoveaGeometry", "FoveaImage", "FoveaLabeling", "FoveaMetadata",
        "FoveaModelRules", "FoveaModels",
      ]),
    .target(name: "MLImage", dependencies: ["AppleShims"]),
    .target(name: "MLKitCommon", dependencies: ["FoveaCompatibility"]),
    .target(
      name: "MLKitVision", dependencies: ["AppleCapture", "AppleShims", "FoveaCompatibility", "MLImage"]),
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
        "AppleCapture", "MLKitCommon", "MLImage", "MLKitVision", "MLKitObjectDetectionCommon",
        "MLKitObjectDetection", "MLKitObjectDetectionCustom", "MLKitImageLabelingCommon",
        "MLKitImageLabeling", "MLKitImageLabelingCustom", "MLKitLinkFirebase",
      ]),
    .target(name: "FirebaseCore"),
    .target(name: "FirebaseMLCommon", dependencies: ["FirebaseCore", "FoveaCompatibility"]),
    .target(
      name: "FirebaseMLVision",
      dependencies: ["AppleCapture", "AppleShims", "FirebaseCore", "FoveaCompatibility"]),
    .target(
      name: "FirebaseMLVisionObjectDetection", dependencies: ["FirebaseMLVision", "FoveaCompatibility"]),
    .target(name: "FirebaseMLModelInterpreter", dependencies: ["FirebaseMLCommon"]),
    .target(name: "FirebaseMLModelDownloader", dependencies: ["FirebaseCore", "FoveaCompatibility"]),
    .target(
      name: "FirebaseRemoteConfig",
      dependencies: ["FirebaseCore", "FoveaCompatibility", "FoveaErrors", "FoveaModels", "FoveaRemoteConfig"]),
    .target(
      name: "Firebase",
      dependencies: [
        "AppleCapture", "FirebaseCore", "FirebaseMLCommon", "FirebaseMLVision",
        "FirebaseMLVisionObjectDetection", "FirebaseMLModelInterpreter",
      ]),
    .target(name: "TensorFlowLite", dependencies: ["FoveaRuntime"]),

    // Layer 5: the command line.
    .executableTarget(
      name: "FoveaCLI",
      dependencies: [
        "Fovea", "FoveaAnnotation", "FoveaDetection", "FoveaErrors", "FoveaEvaluation", "FoveaFormats",
        "FoveaGeometry", "FoveaImage", "FoveaLabeling", "FoveaMetadata", "FoveaModelRules", "FoveaModels",
        "FoveaRender", "FoveaRuntime", "FoveaSystem", "FoveaTracking", "FoveaTraining", "FoveaVideo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // HTTP, the model host, and their program: empty without the trait Server.
    .target(
      name: "FoveaHTTP",
      dependencies: ["CZlib", "FoveaErrors", "FoveaJSON", "FoveaSystem"]
        + server([
          ("Hummingbird", "hummingbird"), ("HummingbirdTLS", "hummingbird"),
          ("HTTPTypes", "swift-http-types"),
          ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOPosix", "swift-nio"),
          ("NIOWebSocket", "swift-nio"),
          ("NIOHTTPTypes", "swift-nio-extras"), ("NIOHTTPTypesHTTP1", "swift-nio-extras"),
          ("NIOSSL", "swift-nio-ssl"), ("Logging", "swift-log"),
          ("HummingbirdCore", "hummingbird"), ("ServiceLifecycle", "swift-service-lifecycle"),
          ("UnixSignals", "swift-service-lifecycle"), ("Crypto", "swift-crypto"),
          ("SwiftASN1", "swift-asn1"), ("Tracing", "swift-distributed-tracing"),
          ("X509", "swift-certificates"),
        ])),
    .target(
      name: "FoveaHost",
      dependencies: [
        "FoveaErrors", "FoveaHTTP", "FoveaJSON", "FoveaMetadata", "FoveaModels", "FoveaStatistics",
        "FoveaSystem", "FoveaTransfer",
      ]
        + server([
          ("Hummingbird", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("Logging", "swift-log"),
          ("Crypto", "swift-crypto"), ("CryptoExtras", "swift-crypto"), ("JWTKit", "jwt-kit"),
          ("GRDB", "GRDB.swift"),
        ])),
    .target(name: "FoveaStatistics", dependencies: ["FoveaErrors", "FoveaSystem"]),
    .target(name: "FoveaLearning", dependencies: ["FoveaSystem"]),
    // Layer 6: classifiers of one's own.
    .target(
      name: "FoveaTraining",
      dependencies: [
        "Fovea", "FoveaErrors", "FoveaEvaluation", "FoveaFormats", "FoveaGeometry", "FoveaImage",
        "FoveaLabeling",
        "FoveaLearning", "FoveaMetadata", "FoveaRender", "FoveaSystem",
      ]),
    .target(
      name: "FoveaConsole",
      dependencies: [
        "CConsole", "FoveaErrors", "FoveaHTTP", "FoveaHost", "FoveaJSON", "FoveaModels", "FoveaStatistics",
        "FoveaSystem",
      ]
        + server([
          ("Hummingbird", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("Mustache", "swift-mustache"),
        ])),
    .target(
      name: "FoveaServer",
      dependencies: [
        "CLivePage", "Fovea", "FoveaAnnotation", "FoveaErrors", "FoveaFormats", "FoveaGeometry",
        "FoveaHTTP", "FoveaImage", "FoveaLabeling", "FoveaModels", "FoveaRender",
        "FoveaRuntime", "FoveaSystem", "FoveaTracking", "FoveaVideo",
      ]
        + server([
          ("Hummingbird", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("Logging", "swift-log"),
          ("ServiceLifecycle", "swift-service-lifecycle"), ("Tracing", "swift-distributed-tracing"),
        ])),
    .executableTarget(
      name: "FoveaServerCLI",
      dependencies: [
        "Fovea", "FoveaConsole", "FoveaErrors", "FoveaHTTP", "FoveaHost", "FoveaJSON", "FoveaServer",
        "FoveaStatistics", "FoveaSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + server([("Logging", "swift-log")])),

    // The programs of Google's guides.
    .executableTarget(name: "CustomClassifier", dependencies: ["MLKit"], path: "Examples/CustomClassifier"),
    .executableTarget(
      name: "LiveTracking", dependencies: ["FoveaVideo", "MLKit"], path: "Examples/LiveTracking"),
    .executableTarget(
      name: "AutoMLInterpreter", dependencies: ["AppleShims", "TensorFlowLite"],
      path: "Examples/AutoMLInterpreter"),
    .executableTarget(
      name: "CoarseCategories", dependencies: ["Firebase"], path: "Examples/CoarseCategories"),
    .executableTarget(
      name: "AutoMLLabeling", dependencies: ["MLKit"], path: "Examples/AutoMLLabeling"),
    .executableTarget(
      name: "ModelOfConfig", dependencies: ["FirebaseRemoteConfig", "MLKit"], path: "Examples/ModelOfConfig"),

    // Tests.
    .target(
      name: "FoveaTesting", dependencies: ["FoveaGeometry", "FoveaImage", "FoveaModelFile", "FoveaSystem"]),
    .testTarget(name: "FoveaTestingTests", dependencies: ["FoveaTesting"]),
    .testTarget(name: "FoveaJSONTests", dependencies: ["FoveaJSON"]),
    .testTarget(name: "FoveaSystemTests", dependencies: ["FoveaSystem", "FoveaTesting"]),
    .testTarget(name: "FoveaGeometryTests", dependencies: ["FoveaGeometry", "FoveaTesting"]),
    .testTarget(name: "FoveaModelFileTests", dependencies: ["FoveaModelFile", "FoveaTesting"]),
    .testTarget(
      name: "FoveaRuntimeTests",
      dependencies: [
        "CEmbeddedModels", "FoveaGeometry", "FoveaImage", "FoveaMetadata", "FoveaModelFile", "FoveaRuntime",
        "FoveaSystem", "FoveaTesting",
      ]),
    .testTarget(
      name: "FoveaImageTests",
      dependencies: [
        "CPictures", "CPixels", "CYUV", "FoveaGeometry", "FoveaImage", "FoveaSystem", "FoveaTesting",
      ],
      exclude: ["Verdicts/pictures.csv"]),
    .testTarget(name: "FoveaMetadataTests", dependencies: ["FoveaSystem", "FoveaMetadata", "FoveaTesting"]),
    .testTarget(
      name: "FoveaDetectionTests",
      dependencies: ["FoveaDetection", "FoveaGeometry", "FoveaMetadata", "FoveaRuntime", "FoveaTesting"]),
    .testTarget(
      name: "FoveaLabelingTests", dependencies: ["FoveaLabeling", "FoveaMetadata", "FoveaRuntime"]),
    .testTarget(
      name: "FoveaEvaluationTests",
      dependencies: ["FoveaEvaluation", "FoveaFormats", "FoveaGeometry", "FoveaLearning", "FoveaTesting"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "FoveaFormatsTests",
      dependencies: [
        "Fovea", "FoveaEvaluation", "FoveaFormats", "FoveaGeometry", "FoveaLabeling", "FoveaSystem",
        "FoveaTesting", "FoveaTracking",
      ]),
    .testTarget(
      name: "FoveaTrackingTests", dependencies: ["CZlib", "FoveaGeometry", "FoveaTesting", "FoveaTracking"]),
    .testTarget(
      name: "FoveaFlowTests", dependencies: ["FoveaFlow", "FoveaGeometry", "FoveaImage", "FoveaTesting"]),
    .testTarget(
      name: "FoveaVideoTests",
      dependencies: [
        "Fovea", "FoveaErrors", "FoveaGeometry", "FoveaImage", "FoveaSystem", "FoveaTesting", "FoveaVideo",
      ]),
    .testTarget(
      name: "AppleShimsTests",
      dependencies: ["AppleShims", "FoveaErrors", "FoveaGeometry", "FoveaImage", "FoveaTesting"]),
    .testTarget(
      name: "AppleCaptureTests",
      dependencies: [
        "AppleCapture", "FoveaErrors", "FoveaGeometry", "FoveaImage", "FoveaTesting", "FoveaVideo",
      ]),
    .testTarget(
      name: "FoveaCompatibilityTests", dependencies: ["Fovea", "FoveaCompatibility", "FoveaTesting"]),
    .testTarget(
      name: "MLKitTests",
      dependencies: [
        "AppleShims", "Fovea", "FoveaCompatibility", "FoveaGeometry", "FoveaImage", "FoveaTesting", "MLKit",
        "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom",
      ]),
    .testTarget(
      name: "FirebaseTests",
      dependencies: [
        "AppleShims", "Firebase", "FirebaseCore", "FirebaseMLModelDownloader", "FoveaCompatibility",
        "FoveaGeometry", "FoveaImage", "FoveaTesting",
      ]),
    .testTarget(
      name: "TensorFlowLiteTests",
      dependencies: ["AppleShims", "FoveaRuntime", "FoveaTesting", "TensorFlowLite"]),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "AutoMLInterpreter", "AutoMLLabeling", "CoarseCategories", "CustomClassifier", "FoveaTesting",
        "LiveTracking",
      ]),
    .testTarget(name: "FoveaTransferTests", dependencies: ["FoveaErrors", "FoveaTesting", "FoveaTransfer"]),
    .testTarget(
      name: "FoveaModelsTests",
      dependencies: ["FoveaMetadata", "FoveaModels", "FoveaSystem", "FoveaTesting", "FoveaTransfer"]),
    .testTarget(
      name: "FoveaRemoteConfigTests",
      dependencies: [
        "FirebaseRemoteConfig", "FoveaErrors", "FoveaModels", "FoveaRemoteConfig", "FoveaSystem",
        "FoveaTesting", "FoveaTransfer",
      ]),
    .testTarget(
      name: "FoveaTests",
      dependencies: ["Fovea", "FoveaGeometry", "FoveaImage", "FoveaMetadata", "FoveaRuntime", "FoveaTesting"]),
    .testTarget(
      name: "FoveaCTests",
      dependencies: ["CFovea", "Fovea", "FoveaC", "FoveaModelRules", "FoveaTesting"]),
    .testTarget(
      name: "FoveaHTTPTests",
      dependencies: ["FoveaErrors", "FoveaHTTP", "FoveaSystem", "FoveaTesting"]
        + server([
          ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"), ("NIOCore", "swift-nio"),
          ("NIOEmbedded", "swift-nio"), ("NIOHTTPTypes", "swift-nio-extras"), ("NIOSSL", "swift-nio-ssl"),
          ("NIOWebSocket", "swift-nio"), ("Logging", "swift-log"),
        ])),
    .testTarget(
      name: "FoveaHostTests",
      dependencies: [
        "AppleShims", "FoveaCompatibility", "FoveaErrors", "FoveaHTTP", "FoveaHost", "FoveaJSON",
        "FoveaMetadata", "FoveaModels", "FoveaRemoteConfig", "FoveaStatistics", "FoveaSystem",
        "FoveaTesting", "FoveaTraining", "MLKit", "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom",
      ]
        + server([
          ("Crypto", "swift-crypto"), ("CryptoExtras", "swift-crypto"), ("GRDB", "GRDB.swift"),
          ("Logging", "swift-log"),
        ])),
    .testTarget(
      name: "FoveaStatisticsTests", dependencies: ["FoveaErrors", "FoveaStatistics", "FoveaTesting"]),
    .testTarget(name: "FoveaLearningTests", dependencies: ["FoveaLearning", "FoveaTesting"]),
    .testTarget(
      name: "FoveaTrainingTests",
      dependencies: [
        "Fovea", "FoveaErrors", "FoveaEvaluation", "FoveaGeometry", "FoveaImage", "FoveaLearning",
        "FoveaTesting", "FoveaTraining",
      ]),
    .testTarget(
      name: "FoveaConsoleTests",
      dependencies: [
        "FoveaConsole", "FoveaErrors", "FoveaHTTP", "FoveaHost", "FoveaStatistics", "FoveaSystem",
        "FoveaTesting",
      ]
        + server([
          ("Hummingbird", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("Logging", "swift-log"),
        ])),
    .testTarget(
      name: "FoveaServerTests",
      dependencies: [
        "CZlib", "Fovea", "FoveaAnnotation", "FoveaErrors", "FoveaFormats", "FoveaGeometry", "FoveaHTTP",
        "FoveaImage", "FoveaServer", "FoveaTesting", "FoveaTracking", "FoveaVideo",
      ]
        + server([
          ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"),
          ("InMemoryTracing", "swift-distributed-tracing"), ("Logging", "swift-log"),
          ("ServiceLifecycle", "swift-service-lifecycle"), ("Tracing", "swift-distributed-tracing"),
        ])),
    .testTarget(
      name: "FoveaServerCLITests",
      dependencies: [
        "FoveaErrors", "FoveaHTTP", "FoveaHost", "FoveaServer", "FoveaServerCLI", "FoveaSystem",
        "FoveaTesting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "FoveaModelRulesTests",
      dependencies: ["Fovea", "FoveaMetadata", "FoveaModelRules", "FoveaTesting"]),
    .testTarget(
      name: "FoveaRenderTests",
      dependencies: ["FoveaGeometry", "FoveaImage", "FoveaRender", "FoveaSystem", "FoveaTesting"]),
    .testTarget(
      name: "FoveaCLITests",
      dependencies: [
        "Fovea", "FoveaCLI", "FoveaDetection", "FoveaFormats", "FoveaGeometry", "FoveaImage", "FoveaLabeling",
        "FoveaRender", "FoveaSystem", "FoveaTesting", "FoveaTracking", "FoveaTraining",
        "FoveaVideo",
      ],
      exclude: ["EndToEnd/end-to-end.sh", "EndToEnd/end-to-end-track.sh"]),
  ]
)

// Where a target lies that is not in Sources itself: C libraries and our own C, and Google's names.
let shelves = [
  "Sources/C": [
    "CCairo", "CConsole", "CCurl", "CEmbeddedModels", "CFovea", "CLiteRT", "CLivePage", "CModelCatalogue",
    "CPNG", "CPictures", "CPixels", "CTurboJPEG", "CVideo", "CWebP", "CYUV", "CZlib",
  ],
  "Sources/Google": ["AppleCapture", "AppleShims", "FoveaCompatibility", "TensorFlowLite"],
  "Sources/Google/Firebase": [
    "Firebase", "FirebaseCore", "FirebaseMLCommon", "FirebaseMLModelDownloader", "FirebaseMLModelInterpreter",
    "FirebaseMLVision", "FirebaseMLVisionObjectDetection", "FirebaseRemoteConfig",
  ],
  "Sources/Google/MLKit": [
    "MLImage", "MLKit", "MLKitCommon", "MLKitImageLabeling", "MLKitImageLabelingCommon",
    "MLKitImageLabelingCustom", "MLKitLinkFirebase", "MLKitObjectDetection", "MLKitObjectDetectionCommon",
    "MLKitObjectDetectionCustom", "MLKitVision",
  ],
]
for (shelf, targets) in shelves {
  for target in package.targets where targets.contains(target.name) {
    target.path = "\(shelf)/\(target.name)"
  }
}

// One set of rules for every target of a language: nothing is compiled under weaker ones. The examples alone are written as an
// app's code would be.
let cTargets: Set<String> = [
  "CConsole", "CFovea", "CLiteRT", "CEmbeddedModels", "CLivePage", "CModelCatalogue", "CCurl", "CPictures",
  "CPixels", "CVideo",
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
    .treatAllWarnings(as: .error),
  ]
  // These call C's functions as C does, with pointers in each line: marking all of them would mark nothing.
  if target.name != "FoveaCTests" { target.swiftSettings?.append(.strictMemorySafety()) }
}
