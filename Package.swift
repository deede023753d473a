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
    .library(name: "FoveaModelRules", targets: ["FoveaModelRules"]),
    .library(name: "FoveaGeometry", targets: ["FoveaGeometry"]),
    .library(name: "FoveaModelFile", targets: ["FoveaModelFile"]),
    .library(name: "FoveaRuntime", targets: ["FoveaRuntime"]),
    .library(name: "FoveaImage", targets: ["FoveaImage"]),
    .library(name: "FoveaMetadata", targets: ["FoveaMetadata"]),
    .library(name: "FoveaDecoding", targets: ["FoveaDecoding"]),
    .library(name: "FoveaEvaluation", targets: ["FoveaEvaluation"]),
    .library(name: "FoveaFormats", targets: ["FoveaFormats"]),
    .library(name: "FoveaModels", targets: ["FoveaModels"]),
    .library(name: "FoveaRemoteConfig", targets: ["FoveaRemoteConfig"]),
    .library(name: "FoveaInference", targets: ["FoveaInference"]),
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
    // C libraries and our own C.
    .systemLibrary(
      name: "CCairo", path: "Sources/C/CCairo", pkgConfig: "cairo",
      providers: [.apt(["libcairo2-dev"]), .brew(["cairo"])]),
    .target(
      name: "CCurl", path: "Sources/C/CCurl",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CEmbeddedModels", path: "Sources/C/CEmbeddedModels", exclude: ["models"]),
    .target(name: "CFovea", path: "Sources/C/CFovea"),
    .target(
      name: "CLiteRT", path: "Sources/C/CLiteRT",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CModelCatalogue", path: "Sources/C/CModelCatalogue", exclude: ["data"]),
    .systemLibrary(
      name: "CPNG", path: "Sources/C/CPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .target(name: "CPages", path: "Sources/C/CPages", exclude: ["console", "live"]),
    .systemLibrary(
      name: "CTurboJPEG", path: "Sources/C/CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
    .target(
      name: "CVideo", path: "Sources/C/CVideo", cSettings: [.define("FOVEA_VIDEO", .when(traits: ["Video"]))],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .systemLibrary(
      name: "CWebP", path: "Sources/C/CWebP", pkgConfig: "libwebpdemux",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .systemLibrary(
      name: "CYUV", path: "Sources/C/CYUV", providers: [.apt(["libyuv-dev"]), .brew(["libyuv"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "CPictures", dependencies: ["CPNG"], path: "Sources/C/CPictures",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CPixels", dependencies: ["CYUV"], path: "Sources/C/CPixels"),

    // Engine: images and models into objects, labels and tracks.
    .target(name: "FoveaCore", path: "Sources/Engine/FoveaCore"),
    .target(name: "FoveaGeometry", path: "Sources/Engine/FoveaGeometry"),
    .target(name: "FoveaJSON", path: "Sources/Engine/FoveaJSON"),
    .target(name: "FoveaModelFile", dependencies: ["FoveaCore"], path: "Sources/Engine/FoveaModelFile"),
    .target(
      name: "FoveaTracking", dependencies: ["FoveaCore", "FoveaGeometry"],
      path: "Sources/Engine/FoveaTracking"),
    .target(
      name: "FoveaImage",
      dependencies: [
        "CPNG", "CPictures", "CPixels", "CTurboJPEG", "CWebP", "CYUV", "FoveaCore", "FoveaGeometry",
      ], path: "Sources/Engine/FoveaImage"),
    .target(
      name: "FoveaMetadata", dependencies: ["CZlib", "FoveaCore", "FoveaGeometry", "FoveaModelFile"],
      path: "Sources/Engine/FoveaMetadata"),
    .target(
      name: "FoveaRuntime", dependencies: ["CLiteRT", "FoveaCore", "FoveaModelFile"],
      path: "Sources/Engine/FoveaRuntime"),
    .target(
      name: "FoveaDecoding", dependencies: ["FoveaCore", "FoveaGeometry", "FoveaMetadata", "FoveaRuntime"],
      path: "Sources/Engine/FoveaDecoding"),
    .target(
      name: "FoveaFlow", dependencies: ["FoveaCore", "FoveaGeometry", "FoveaImage"],
      path: "Sources/Engine/FoveaFlow"),
    .target(
      name: "Fovea",
      dependencies: [
        "CEmbeddedModels", "FoveaCore", "FoveaDecoding", "FoveaFlow", "FoveaGeometry", "FoveaImage",
        "FoveaMetadata", "FoveaModelFile", "FoveaRuntime", "FoveaTracking",
      ], path: "Sources/Engine/Fovea"),

    // Media: video, and what is drawn.
    .target(
      name: "FoveaVideo", dependencies: ["CVideo", "FoveaCore", "FoveaGeometry", "FoveaImage"],
      path: "Sources/Media/FoveaVideo"),
    .target(
      name: "FoveaRender",
      dependencies: [
        "CCairo", "Fovea", "FoveaCore", "FoveaDecoding", "FoveaFormats", "FoveaGeometry", "FoveaImage",
        "FoveaTracking",
      ], path: "Sources/Media/FoveaRender"),

    // Data: files of results, figures, training.
    .target(
      name: "FoveaEvaluation", dependencies: ["FoveaCore", "FoveaGeometry"],
      path: "Sources/Data/FoveaEvaluation"),
    .target(
      name: "FoveaFormats",
      dependencies: [
        "Fovea", "FoveaCore", "FoveaDecoding", "FoveaEvaluation", "FoveaGeometry", "FoveaImage", "FoveaJSON",
        "FoveaTracking",
      ], path: "Sources/Data/FoveaFormats"),
    .target(
      name: "FoveaModelRules",
      dependencies: [
        "Fovea", "FoveaCore", "FoveaDecoding", "FoveaMetadata", "FoveaModelFile", "FoveaRuntime",
      ], path: "Sources/Data/FoveaModelRules"),
    .target(
      name: "FoveaTraining",
      dependencies: [
        "Fovea", "FoveaCore", "FoveaDecoding", "FoveaEvaluation", "FoveaFormats", "FoveaGeometry",
        "FoveaImage", "FoveaMetadata", "FoveaRender",
      ], path: "Sources/Data/FoveaTraining"),

    // Delivery: models and configuration by name.
    .target(
      name: "FoveaModels",
      dependencies: ["CCurl", "CModelCatalogue", "FoveaCore", "FoveaJSON", "FoveaMetadata"],
      path: "Sources/Delivery/FoveaModels"),
    .target(
      name: "FoveaRemoteConfig", dependencies: ["FoveaCore", "FoveaJSON", "FoveaModels"],
      path: "Sources/Delivery/FoveaRemoteConfig"),

    // Bindings: the functions of fovea.h.
    .target(
      name: "FoveaC",
      dependencies: [
        "CFovea", "Fovea", "FoveaCore", "FoveaDecoding", "FoveaGeometry", "FoveaImage", "FoveaMetadata",
        "FoveaModelRules", "FoveaRuntime", "FoveaTracking",
      ], path: "Sources/Bindings/FoveaC"),

    // Google's names. AppleShims has the types of Apple's frameworks that they mention, on Linux.
    .target(name: "FirebaseCore", path: "Sources/Google/Firebase/FirebaseCore"),
    .target(
      name: "AppleShims", dependencies: ["FoveaCore", "FoveaGeometry", "FoveaImage"],
      path: "Sources/Google/AppleShims"),
    .target(name: "TensorFlowLite", dependencies: ["FoveaRuntime"], path: "Sources/Google/TensorFlowLite"),
    .target(
      name: "AppleCapture",
      dependencies: ["AppleShims", "FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaVideo"],
      path: "Sources/Google/AppleCapture"),
    .target(name: "MLImage", dependencies: ["AppleShims"], path: "Sources/Google/MLKit/MLImage"),
    .target(
      name: "FoveaCompatibility",
      dependencies: [
        "AppleShims", "Fovea", "FoveaCore", "FoveaDecoding", "FoveaGeometry", "FoveaImage", "FoveaMetadata",
        "FoveaModelRules", "FoveaModels",
      ], path: "Sources/Google/FoveaCompatibility"),
    .target(
      name: "FirebaseMLCommon", dependencies: ["FirebaseCore", "FoveaCompatibility"],
      path: "Sources/Google/Firebase/FirebaseMLCommon"),
    .target(
      name: "FirebaseMLModelDownloader", dependencies: ["FirebaseCore", "FoveaCompatibility"],
      path: "Sources/Google/Firebase/FirebaseMLModelDownloader"),
    .target(
      name: "FirebaseMLVision",
      dependencies: ["AppleCapture", "AppleShims", "FirebaseCore", "FoveaCompatibility"],
      path: "Sources/Google/Firebase/FirebaseMLVision"),
    .target(
      name: "FirebaseRemoteConfig",
      dependencies: ["FirebaseCore", "FoveaCompatibility", "FoveaCore", "FoveaModels", "FoveaRemoteConfig"],
      path: "Sources/Google/Firebase/FirebaseRemoteConfig"),
    .target(
      name: "MLKitCommon", dependencies: ["FoveaCompatibility"], path: "Sources/Google/MLKit/MLKitCommon"),
    .target(
      name: "MLKitVision", dependencies: ["AppleCapture", "AppleShims", "FoveaCompatibility", "MLImage"],
      path: "Sources/Google/MLKit/MLKitVision"),
    .target(
      name: "FirebaseMLModelInterpreter", dependencies: ["FirebaseMLCommon"],
      path: "Sources/Google/Firebase/FirebaseMLModelInterpreter"),
    .target(
      name: "FirebaseMLVisionObjectDetection", dependencies: ["FirebaseMLVision", "FoveaCompatibility"],
      path: "Sources/Google/Firebase/FirebaseMLVisionObjectDetection"),
    .target(
      name: "MLKitImageLabelingCommon", dependencies: ["FoveaCompatibility", "MLKitVision"],
      path: "Sources/Google/MLKit/MLKitImageLabelingCommon"),
    .target(
      name: "MLKitLinkFirebase", dependencies: ["MLKitCommon"], path: "Sources/Google/MLKit/MLKitLinkFirebase"
    ),
    .target(
      name: "MLKitObjectDetectionCommon", dependencies: ["FoveaCompatibility", "MLKitVision"],
      path: "Sources/Google/MLKit/MLKitObjectDetectionCommon"),
    .target(
      name: "Firebase",
      dependencies: [
        "AppleCapture", "FirebaseCore", "FirebaseMLCommon", "FirebaseMLModelInterpreter", "FirebaseMLVision",
        "FirebaseMLVisionObjectDetection",
      ], path: "Sources/Google/Firebase/Firebase"),
    .target(
      name: "MLKitImageLabeling", dependencies: ["FoveaCompatibility", "MLKitImageLabelingCommon"],
      path: "Sources/Google/MLKit/MLKitImageLabeling"),
    .target(
      name: "MLKitImageLabelingCustom",
      dependencies: ["FoveaCompatibility", "MLKitCommon", "MLKitImageLabelingCommon"],
      path: "Sources/Google/MLKit/MLKitImageLabelingCustom"),
    .target(
      name: "MLKitObjectDetection", dependencies: ["FoveaCompatibility", "MLKitObjectDetectionCommon"],
      path: "Sources/Google/MLKit/MLKitObjectDetection"),
    .target(
      name: "MLKitObjectDetectionCustom",
      dependencies: ["FoveaCompatibility", "MLKitCommon", "MLKitObjectDetectionCommon"],
      path: "Sources/Google/MLKit/MLKitObjectDetectionCustom"),
    .target(
      name: "MLKit",
      dependencies: [
        "AppleCapture", "MLImage", "MLKitCommon", "MLKitImageLabeling", "MLKitImageLabelingCommon",
        "MLKitImageLabelingCustom", "MLKitLinkFirebase", "MLKitObjectDetection", "MLKitObjectDetectionCommon",
        "MLKitObjectDetectionCustom", "MLKitVision",
      ], path: "Sources/Google/MLKit/MLKit"),

    // Server: HTTP, the model host, images over HTTP; empty without the trait Server.
    .target(
      name: "FoveaHTTP",
      dependencies: ["CZlib", "FoveaCore", "FoveaJSON"]
        + server([
          ("Crypto", "swift-crypto"), ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"),
          ("HummingbirdCore", "hummingbird"), ("HummingbirdTLS", "hummingbird"), ("Logging", "swift-log"),
          ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOHTTPTypes", "swift-nio-extras"),
          ("NIOHTTPTypesHTTP1", "swift-nio-extras"), ("NIOPosix", "swift-nio"), ("NIOSSL", "swift-nio-ssl"),
          ("NIOWebSocket", "swift-nio"), ("ServiceLifecycle", "swift-service-lifecycle"),
          ("SwiftASN1", "swift-asn1"), ("Tracing", "swift-distributed-tracing"),
          ("UnixSignals", "swift-service-lifecycle"), ("X509", "swift-certificates"),
        ]), path: "Sources/Server/FoveaHTTP"),
    .target(
      name: "FoveaHost",
      dependencies: ["CPages", "FoveaCore", "FoveaHTTP", "FoveaJSON", "FoveaModels"]
        + server([
          ("Crypto", "swift-crypto"), ("CryptoExtras", "swift-crypto"), ("GRDB", "GRDB.swift"),
          ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"), ("JWTKit", "jwt-kit"),
          ("Logging", "swift-log"), ("Mustache", "swift-mustache"),
        ]), path: "Sources/Server/FoveaHost"),
    .target(
      name: "FoveaInference",
      dependencies: [
        "CPages", "Fovea", "FoveaCore", "FoveaDecoding", "FoveaFormats", "FoveaGeometry", "FoveaHTTP",
        "FoveaImage", "FoveaModels", "FoveaRender", "FoveaRuntime", "FoveaTracking", "FoveaVideo",
      ]
        + server([
          ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"), ("Logging", "swift-log"),
          ("ServiceLifecycle", "swift-service-lifecycle"), ("Tracing", "swift-distributed-tracing"),
        ]), path: "Sources/Server/FoveaInference"),

    // Programs.
    .executableTarget(
      name: "FoveaCLI",
      dependencies: [
        "Fovea", "FoveaCore", "FoveaDecoding", "FoveaEvaluation", "FoveaFormats", "FoveaGeometry",
        "FoveaImage", "FoveaMetadata", "FoveaModelRules", "FoveaModels", "FoveaRender", "FoveaRuntime",
        "FoveaTracking", "FoveaTraining", "FoveaVideo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Sources/Programs/FoveaCLI"),
    .executableTarget(
      name: "FoveaServerCLI",
      dependencies: [
        "Fovea", "FoveaCore", "FoveaHTTP", "FoveaHost", "FoveaInference", "FoveaJSON",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + server([("Logging", "swift-log")]), path: "Sources/Programs/FoveaServerCLI"),

    // The programs of Google's guides.
    .executableTarget(
      name: "AutoMLInterpreter", dependencies: ["AppleShims", "TensorFlowLite"],
      path: "Examples/AutoMLInterpreter"),
    .executableTarget(
      name: "CoarseCategories", dependencies: ["Firebase"], path: "Examples/CoarseCategories"),
    .executableTarget(name: "AutoMLLabeling", dependencies: ["MLKit"], path: "Examples/AutoMLLabeling"),
    .executableTarget(name: "CustomClassifier", dependencies: ["MLKit"], path: "Examples/CustomClassifier"),
    .executableTarget(
      name: "LiveTracking", dependencies: ["FoveaVideo", "MLKit"], path: "Examples/LiveTracking"),
    .executableTarget(
      name: "ModelOfConfig", dependencies: ["FirebaseRemoteConfig", "MLKit"], path: "Examples/ModelOfConfig"),

    // Tests, and what they share.
    .target(
      name: "FoveaTesting", dependencies: ["FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaModelFile"],
      path: "Tests/Support/FoveaTesting"),
    .testTarget(
      name: "AppleCaptureTests",
      dependencies: [
        "AppleCapture", "FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaTesting", "FoveaVideo",
      ], path: "Tests/AppleCaptureTests"),
    .testTarget(
      name: "AppleShimsTests",
      dependencies: ["AppleShims", "FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaTesting"],
      path: "Tests/AppleShimsTests"),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "AutoMLInterpreter", "AutoMLLabeling", "CoarseCategories", "CustomClassifier", "FoveaTesting",
        "LiveTracking",
      ], path: "Tests/ExamplesTests"),
    .testTarget(
      name: "FirebaseTests",
      dependencies: [
        "AppleShims", "Firebase", "FirebaseCore", "FirebaseMLModelDownloader", "FoveaCompatibility",
        "FoveaGeometry", "FoveaImage", "FoveaTesting",
      ], path: "Tests/FirebaseTests"),
    .testTarget(
      name: "FoveaCLITests",
      dependencies: [
        "Fovea", "FoveaCLI", "FoveaCore", "FoveaDecoding", "FoveaFormats", "FoveaGeometry", "FoveaImage",
        "FoveaRender", "FoveaTesting", "FoveaTracking", "FoveaTraining", "FoveaVideo",
      ], path: "Tests/FoveaCLITests", exclude: ["EndToEnd/end-to-end.sh", "EndToEnd/end-to-end-track.sh"]),
    .testTarget(
      name: "FoveaCTests", dependencies: ["CFovea", "Fovea", "FoveaC", "FoveaModelRules", "FoveaTesting"],
      path: "Tests/FoveaCTests"),
    .testTarget(
      name: "FoveaCompatibilityTests", dependencies: ["Fovea", "FoveaCompatibility", "FoveaTesting"],
      path: "Tests/FoveaCompatibilityTests"),
    .testTarget(
      name: "FoveaCoreTests", dependencies: ["FoveaCore", "FoveaJSON", "FoveaTesting"],
      path: "Tests/FoveaCoreTests"),
    .testTarget(
      name: "FoveaDecodingTests",
      dependencies: ["FoveaDecoding", "FoveaGeometry", "FoveaMetadata", "FoveaRuntime", "FoveaTesting"],
      path: "Tests/FoveaDecodingTests"),
    .testTarget(
      name: "FoveaEvaluationTests",
      dependencies: ["FoveaEvaluation", "FoveaFormats", "FoveaGeometry", "FoveaTesting"],
      path: "Tests/FoveaEvaluationTests", exclude: ["Fixtures"]),
    .testTarget(
      name: "FoveaFlowTests", dependencies: ["FoveaFlow", "FoveaGeometry", "FoveaImage", "FoveaTesting"],
      path: "Tests/FoveaFlowTests"),
    .testTarget(
      name: "FoveaFormatsTests",
      dependencies: [
        "Fovea", "FoveaCore", "FoveaDecoding", "FoveaEvaluation", "FoveaFormats", "FoveaGeometry",
        "FoveaTesting", "FoveaTracking",
      ], path: "Tests/FoveaFormatsTests"),
    .testTarget(
      name: "FoveaGeometryTests", dependencies: ["FoveaGeometry", "FoveaTesting"],
      path: "Tests/FoveaGeometryTests"),
    .testTarget(
      name: "FoveaHTTPTests",
      dependencies: ["FoveaCore", "FoveaHTTP", "FoveaTesting"]
        + server([
          ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"), ("Logging", "swift-log"),
          ("NIOCore", "swift-nio"), ("NIOEmbedded", "swift-nio"), ("NIOHTTPTypes", "swift-nio-extras"),
          ("NIOSSL", "swift-nio-ssl"), ("NIOWebSocket", "swift-nio"),
        ]), path: "Tests/FoveaHTTPTests"),
    .testTarget(
      name: "FoveaHostTests",
      dependencies: [
        "AppleShims", "FoveaCompatibility", "FoveaCore", "FoveaHTTP", "FoveaHost", "FoveaJSON", "FoveaModels",
        "FoveaRemoteConfig", "FoveaTesting", "FoveaTraining", "MLKit", "MLKitImageLabelingCustom",
        "MLKitObjectDetectionCustom",
      ]
        + server([
          ("Crypto", "swift-crypto"), ("CryptoExtras", "swift-crypto"), ("GRDB", "GRDB.swift"),
          ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"), ("Logging", "swift-log"),
        ]), path: "Tests/FoveaHostTests"),
    .testTarget(
      name: "FoveaImageTests",
      dependencies: [
        "CPictures", "CPixels", "CYUV", "FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaTesting",
      ], path: "Tests/FoveaImageTests", exclude: ["Verdicts/pictures.csv"]),
    .testTarget(
      name: "FoveaInferenceTests",
      dependencies: [
        "CZlib", "Fovea", "FoveaCore", "FoveaFormats", "FoveaGeometry", "FoveaHTTP", "FoveaImage",
        "FoveaInference", "FoveaRender", "FoveaTesting", "FoveaTracking", "FoveaVideo",
      ]
        + server([
          ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"),
          ("InMemoryTracing", "swift-distributed-tracing"), ("Logging", "swift-log"),
          ("ServiceLifecycle", "swift-service-lifecycle"), ("Tracing", "swift-distributed-tracing"),
        ]), path: "Tests/FoveaInferenceTests"),
    .testTarget(
      name: "FoveaMetadataTests", dependencies: ["FoveaCore", "FoveaMetadata", "FoveaTesting"],
      path: "Tests/FoveaMetadataTests"),
    .testTarget(
      name: "FoveaModelFileTests", dependencies: ["FoveaModelFile", "FoveaTesting"],
      path: "Tests/FoveaModelFileTests"),
    .testTarget(
      name: "FoveaModelRulesTests",
      dependencies: ["Fovea", "FoveaMetadata", "FoveaModelRules", "FoveaTesting"],
      path: "Tests/FoveaModelRulesTests"),
    .testTarget(
      name: "FoveaModelsTests", dependencies: ["FoveaCore", "FoveaMetadata", "FoveaModels", "FoveaTesting"],
      path: "Tests/FoveaModelsTests"),
    .testTarget(
      name: "FoveaRemoteConfigTests",
      dependencies: [
        "FirebaseRemoteConfig", "FoveaCore", "FoveaModels", "FoveaRemoteConfig", "FoveaTesting",
      ], path: "Tests/FoveaRemoteConfigTests"),
    .testTarget(
      name: "FoveaRenderTests",
      dependencies: ["FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaRender", "FoveaTesting"],
      path: "Tests/FoveaRenderTests"),
    .testTarget(
      name: "FoveaRuntimeTests",
      dependencies: [
        "CEmbeddedModels", "FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaMetadata", "FoveaModelFile",
        "FoveaRuntime", "FoveaTesting",
      ], path: "Tests/FoveaRuntimeTests"),
    .testTarget(
      name: "FoveaServerCLITests",
      dependencies: [
        "FoveaCore", "FoveaHTTP", "FoveaHost", "FoveaInference", "FoveaServerCLI", "FoveaTesting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tests/FoveaServerCLITests"),
    .testTarget(name: "FoveaTestingTests", dependencies: ["FoveaTesting"], path: "Tests/FoveaTestingTests"),
    .testTarget(
      name: "FoveaTests",
      dependencies: [
        "Fovea", "FoveaGeometry", "FoveaImage", "FoveaMetadata", "FoveaRuntime", "FoveaTesting",
      ], path: "Tests/FoveaTests"),
    .testTarget(
      name: "FoveaTrackingTests", dependencies: ["CZlib", "FoveaGeometry", "FoveaTesting", "FoveaTracking"],
      path: "Tests/FoveaTrackingTests"),
    .testTarget(
      name: "FoveaTrainingTests",
      dependencies: [
        "Fovea", "FoveaCore", "FoveaEvaluation", "FoveaGeometry", "FoveaImage", "FoveaTesting",
        "FoveaTraining",
      ], path: "Tests/FoveaTrainingTests"),
    .testTarget(
      name: "FoveaVideoTests",
      dependencies: ["Fovea", "FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaTesting", "FoveaVideo"],
      path: "Tests/FoveaVideoTests"),
    .testTarget(
      name: "MLKitTests",
      dependencies: [
        "AppleShims", "Fovea", "FoveaCompatibility", "FoveaGeometry", "FoveaImage", "FoveaTesting", "MLKit",
        "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom",
      ], path: "Tests/MLKitTests"),
    .testTarget(
      name: "TensorFlowLiteTests",
      dependencies: ["AppleShims", "FoveaRuntime", "FoveaTesting", "TensorFlowLite"],
      path: "Tests/TensorFlowLiteTests"),
  ]
)

// One set of rules for every target of a language: nothing is compiled under weaker ones. The examples alone are written as an
// app's code would be.
let cTargets: Set<String> = [
  "CFovea", "CLiteRT", "CEmbeddedModels", "CPages", "CModelCatalogue", "CCurl", "CPictures",
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
