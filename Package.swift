// swift-tools-version: 6.2
import PackageDescription

// From the bottom to the top: a target uses only what stands above it, and declares just what it imports (scripts/check-layers).

// MARK: How a target is built

/// One set of rules for every target of a language: nothing is compiled under weaker ones.
let swiftRules: [SwiftSetting] =
  ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
  .map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error), .strictMemorySafety()]
/// A callback has the parameters that its library passes.
let cRules: [CSetting] = [
  .enableWarning("all"), .enableWarning("extra"), .disableWarning("unused-parameter"),
  .treatAllWarnings(as: .error),
]

/// The package of each product that targets use; all but the first are there with the trait Server alone.
let origins = [
  "ArgumentParser": "swift-argument-parser",
  "Crypto": "swift-crypto", "CryptoExtras": "swift-crypto", "GRDB": "GRDB.swift",
  "HTTPTypes": "swift-http-types", "Hummingbird": "hummingbird", "HummingbirdCore": "hummingbird",
  "HummingbirdTLS": "hummingbird", "InMemoryTracing": "swift-distributed-tracing", "JWTKit": "jwt-kit",
  "Logging": "swift-log", "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio",
  "NIOHTTP1": "swift-nio", "NIOHTTPTypes": "swift-nio-extras", "NIOHTTPTypesHTTP1": "swift-nio-extras",
  "NIOPosix": "swift-nio", "NIOSSL": "swift-nio-ssl", "NIOWebSocket": "swift-nio",
  "ServiceLifecycle": "swift-service-lifecycle", "SwiftASN1": "swift-asn1",
  "Tracing": "swift-distributed-tracing", "UnixSignals": "swift-service-lifecycle",
  "X509": "swift-certificates",
]

func dependencies(_ uses: [String], _ packages: [String] = []) -> [Target.Dependency] {
  uses.map { .byName(name: $0) }
    + packages.map { name in
      let condition: TargetDependencyCondition? = name == "ArgumentParser" ? nil : .when(traits: ["Server"])
      return .product(name: name, package: origins[name] ?? name, condition: condition)
    }
}

/// A module of a C library, which a Debian or Homebrew package provides, or C code of our own.
func c(
  _ name: String, uses: [String] = [], apt: String? = nil, brew: String = "", library: String? = nil,
  embeds: [String] = [], opensLibraries: Bool = false, settings: [CSetting] = []
) -> Target {
  let path = "Sources/C/\(name)"
  if let apt {
    return .systemLibrary(
      name: name, path: path, pkgConfig: library, providers: [.apt([apt]), .brew([brew])])
  }
  return .target(
    name: name, dependencies: dependencies(uses), path: path, exclude: embeds, cSettings: settings + cRules,
    linkerSettings: opensLibraries ? [.linkedLibrary("dl", .when(platforms: [.linux]))] : nil)
}

/// A module of the engine.
func engine(_ name: String, uses: [String] = []) -> Target { module(name, in: "Engine", uses: uses) }

/// A module in another folder of Sources.
func module(_ name: String, in folder: String, uses: [String] = [], packages: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies(uses, packages), path: "Sources/\(folder)/\(name)",
    swiftSettings: swiftRules)
}

/// A program.
func program(
  _ name: String, in folder: String = "Sources/Programs", uses: [String], packages: [String] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies(uses, packages), path: "\(folder)/\(name)",
    swiftSettings: folder == "Examples" ? [.treatAllWarnings(as: .error)] : swiftRules)
}

/// The tests of a module, which use it, FoveaTesting and what is listed; those of the examples run programs.
func tests(
  _ subject: String, uses: [String] = [], packages: [String] = [], exclude: [String] = []
) -> Target {
  let implied = (["Examples", "FoveaTesting"].contains(subject) ? [] : [subject]) + ["FoveaTesting"]
  // FoveaCTests call C's functions as C does, with pointers in each line: marking all of them would mark nothing.
  let rules = subject == "FoveaC" ? Array(swiftRules.dropLast()) : swiftRules
  return .testTarget(
    name: subject + "Tests",
    dependencies: dependencies(uses + implied.filter { !uses.contains($0) }, packages),
    path: "Tests/\(subject)Tests", exclude: exclude, swiftSettings: rules)
}

// MARK: What is built

/// Modules that an app may depend on separately.
let libraries = [
  "FoveaGeometry", "FoveaModelFile", "FoveaTracking", "FoveaImage", "FoveaMetadata", "FoveaRuntime",
  "FoveaDecoding", "FoveaFlow", "Fovea", "FoveaVideo", "FoveaEvaluation", "FoveaFormats", "FoveaRender",
  "FoveaModelRules", "FoveaTraining", "FoveaModels", "FoveaRemoteConfig", "AppleShims", "TensorFlowLite",
  "AppleCapture", "FoveaInference",
]
// What several targets use together.
let images = ["FoveaCore", "FoveaGeometry", "FoveaImage"]
let results = images + ["Fovea", "FoveaDecoding", "FoveaTracking"]
let models = ["FoveaMetadata", "FoveaModelFile", "FoveaRuntime"]
let http = ["HTTPTypes", "Hummingbird", "Logging"]
let mlKit = [
  "MLImage", "MLKitCommon", "MLKitImageLabeling", "MLKitImageLabelingCommon", "MLKitImageLabelingCustom",
  "MLKitLinkFirebase", "MLKitObjectDetection", "MLKitObjectDetectionCommon", "MLKitObjectDetectionCustom",
  "MLKitVision",
]
let firebase = [
  "FirebaseCore", "FirebaseMLCommon", "FirebaseMLModelInterpreter", "FirebaseMLVision",
  "FirebaseMLVisionObjectDetection",
]

let package = Package(
  name: "fovea",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: libraries.map { .library(name: $0, targets: [$0]) } + [
    .library(name: "MLKit", targets: mlKit + ["MLKit"]),
    .library(
      name: "Firebase", targets: firebase + ["Firebase", "FirebaseMLModelDownloader", "FirebaseRemoteConfig"]),
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
  ],
  targets: [
    // C libraries, and our own C.
    c("CCairo", apt: "libcairo2-dev", brew: "cairo", library: "cairo"),
    c("CEmbeddedModels", embeds: ["models"]),
    c("CFovea"),
    c("CLiteRT", opensLibraries: true),
    c("CModelCatalogue", embeds: ["data"]),
    c("CPNG", apt: "libpng-dev", brew: "libpng", library: "libpng"),
    c("CPages", embeds: ["console", "live", "report"]),
    c("CTurboJPEG", apt: "libturbojpeg0-dev", brew: "jpeg-turbo", library: "libturbojpeg"),
    c("CWebP", apt: "libwebp-dev", brew: "webp", library: "libwebpdemux"),
    c("CYUV", apt: "libyuv-dev", brew: "libyuv"),
    c("CZlib", apt: "zlib1g-dev", brew: "zlib", library: "zlib"),
    c("CCurl", uses: ["CLiteRT"]),
    c("CImages", uses: ["CLiteRT", "CPNG"]),
    c("CPixels", uses: ["CYUV"]),
    c("CPostgres", uses: ["CLiteRT"]),
    c("CVideo", uses: ["CLiteRT"], settings: [.define("FOVEA_VIDEO", .when(traits: ["Video"]))]),

    // Images and models into objects, labels and tracks.
    engine("FoveaCore"),
    engine("FoveaGeometry", uses: ["FoveaCore"]),
    engine("FoveaModelFile", uses: ["FoveaCore"]),
    engine("FoveaTracking", uses: ["FoveaCore", "FoveaGeometry"]),
    engine(
      "FoveaImage",
      uses: ["CPNG", "CImages", "CPixels", "CTurboJPEG", "CWebP", "CYUV", "FoveaCore", "FoveaGeometry"]),
    engine("FoveaMetadata", uses: ["CZlib", "FoveaCore", "FoveaGeometry", "FoveaModelFile"]),
    engine("FoveaRuntime", uses: ["CLiteRT", "FoveaCore", "FoveaModelFile"]),
    engine("FoveaDecoding", uses: ["FoveaCore", "FoveaGeometry", "FoveaMetadata", "FoveaRuntime"]),
    engine("FoveaFlow", uses: images),
    engine(
      "Fovea", uses: images + models + ["CEmbeddedModels", "FoveaDecoding", "FoveaFlow", "FoveaTracking"]),

    // Video, drawing, files of results, figures, training.
    module("FoveaVideo", in: "Media", uses: images + ["CVideo"]),
    module("FoveaEvaluation", in: "Data", uses: ["FoveaCore", "FoveaGeometry"]),
    module("FoveaFormats", in: "Data", uses: results + ["CPages", "FoveaEvaluation"]),
    module("FoveaRender", in: "Media", uses: results + ["CCairo", "FoveaFormats"]),
    module("FoveaModelRules", in: "Data", uses: models + ["Fovea", "FoveaCore", "FoveaDecoding"]),
    module(
      "FoveaTraining", in: "Data",
      uses: images + models + ["Fovea", "FoveaDecoding", "FoveaEvaluation", "FoveaFormats"]),

    // Models and configuration by name.
    module(
      "FoveaModels", in: "Delivery", uses: ["CCurl", "CModelCatalogue", "FoveaCore", "FoveaMetadata"]),
    module("FoveaRemoteConfig", in: "Delivery", uses: ["FoveaCore", "FoveaModels"]),

    // The functions of fovea.h.
    module(
      "FoveaC", in: "Bindings",
      uses: results + ["CFovea", "FoveaModelRules", "FoveaRuntime", "FoveaTraining"]),

    // Google's names. AppleShims has the types of Apple's frameworks that they mention, on Linux.
    module("AppleShims", in: "Google", uses: images),
    module("TensorFlowLite", in: "Google", uses: ["FoveaRuntime"]),
    module("AppleCapture", in: "Google", uses: images + ["AppleShims", "FoveaVideo"]),
    module(
      "FoveaCompatibility", in: "Google",
      uses: images + [
        "AppleShims", "Fovea", "FoveaDecoding", "FoveaMetadata", "FoveaModelRules", "FoveaModels",
      ]),
    module("FirebaseCore", in: "Google/Firebase"),
    module("FirebaseMLCommon", in: "Google/Firebase", uses: ["FirebaseCore", "FoveaCompatibility"]),
    module("FirebaseMLModelDownloader", in: "Google/Firebase", uses: ["FirebaseCore", "FoveaCompatibility"]),
    module(
      "FirebaseMLVision", in: "Google/Firebase",
      uses: ["AppleCapture", "AppleShims", "FirebaseCore", "FoveaCompatibility"]),
    module(
      "FirebaseRemoteConfig", in: "Google/Firebase",
      uses: ["FirebaseCore", "FoveaCompatibility", "FoveaCore", "FoveaModels", "FoveaRemoteConfig"]),
    module("FirebaseMLModelInterpreter", in: "Google/Firebase", uses: ["FirebaseMLCommon"]),
    module(
      "FirebaseMLVisionObjectDetection", in: "Google/Firebase",
      uses: ["FirebaseMLVision", "FoveaCompatibility"]),
    module("Firebase", in: "Google/Firebase", uses: firebase + ["AppleCapture"]),
    module("MLImage", in: "Google/MLKit", uses: ["AppleShims"]),
    module("MLKitCommon", in: "Google/MLKit", uses: ["FoveaCompatibility"]),
    module(
      "MLKitVision", in: "Google/MLKit",
      uses: ["AppleCapture", "AppleShims", "FoveaCompatibility", "MLImage"]),
    module("MLKitImageLabelingCommon", in: "Google/MLKit", uses: ["FoveaCompatibility", "MLKitVision"]),
    module("MLKitLinkFirebase", in: "Google/MLKit", uses: ["MLKitCommon"]),
    module("MLKitObjectDetectionCommon", in: "Google/MLKit", uses: ["FoveaCompatibility", "MLKitVision"]),
    module(
      "MLKitImageLabeling", in: "Google/MLKit", uses: ["FoveaCompatibility", "MLKitImageLabelingCommon"]),
    module(
      "MLKitImageLabelingCustom", in: "Google/MLKit",
      uses: ["FoveaCompatibility", "MLKitCommon", "MLKitImageLabelingCommon"]),
    module(
      "MLKitObjectDetection", in: "Google/MLKit", uses: ["FoveaCompatibility", "MLKitObjectDetectionCommon"]),
    module(
      "MLKitObjectDetectionCustom", in: "Google/MLKit",
      uses: ["FoveaCompatibility", "MLKitCommon", "MLKitObjectDetectionCommon"]),
    module("MLKit", in: "Google/MLKit", uses: mlKit + ["AppleCapture"]),

    // HTTP, the model host, images over HTTP: all but empty without the trait Server.
    module(
      "FoveaHTTP", in: "Server", uses: ["CZlib", "FoveaCore"],
      packages: http + [
        "Crypto", "HummingbirdCore", "HummingbirdTLS", "NIOCore", "NIOHTTP1", "NIOHTTPTypes",
        "NIOHTTPTypesHTTP1", "NIOPosix", "NIOSSL", "NIOWebSocket", "ServiceLifecycle", "SwiftASN1", "Tracing",
        "UnixSignals", "X509",
      ]),
    module(
      "FoveaHost", in: "Server", uses: ["CPages", "CPostgres", "FoveaCore", "FoveaHTTP", "FoveaModels"],
      packages: http + ["Crypto", "CryptoExtras", "GRDB", "JWTKit"]),
    module(
      "FoveaInference", in: "Server",
      uses: results + [
        "CPages", "FoveaFormats", "FoveaHTTP", "FoveaModels", "FoveaRender", "FoveaRuntime", "FoveaVideo",
      ], packages: http + ["Crypto", "NIOCore", "NIOPosix", "NIOSSL", "ServiceLifecycle", "Tracing"]),

    // Programs, and those of Google's guides, which are written as an app's code would be.
    program(
      "FoveaCLI",
      uses: results + [
        "FoveaEvaluation", "FoveaFormats", "FoveaMetadata", "FoveaModelRules", "FoveaModels", "FoveaRender",
        "FoveaRuntime", "FoveaTraining", "FoveaVideo",
      ], packages: ["ArgumentParser"]),
    program(
      "FoveaServerCLI",
      uses: ["Fovea", "FoveaCore", "FoveaHTTP", "FoveaHost", "FoveaInference"],
      packages: ["ArgumentParser", "Logging"]),
    program("AutoMLInterpreter", in: "Examples", uses: ["AppleShims", "TensorFlowLite"]),
    program("CoarseCategories", in: "Examples", uses: ["Firebase"]),
    program("AutoMLLabeling", in: "Examples", uses: ["MLKit"]),
    program("CustomClassifier", in: "Examples", uses: ["MLKit"]),
    program("LiveTracking", in: "Examples", uses: ["FoveaVideo", "MLKit"]),
    program("ModelOfConfig", in: "Examples", uses: ["FirebaseRemoteConfig", "MLKit"]),

    // What tests share, and tests.
    .target(
      name: "FoveaTesting", dependencies: ["FoveaCore", "FoveaGeometry", "FoveaImage", "FoveaModelFile"],
      path: "Tests/Support/FoveaTesting", swiftSettings: swiftRules),
    tests("AppleCapture", uses: images + ["FoveaVideo"]),
    tests("AppleShims", uses: images),
    tests(
      "Examples",
      uses: [
        "AutoMLInterpreter", "AutoMLLabeling", "CoarseCategories", "CustomClassifier", "LiveTracking",
        "ModelOfConfig",
      ]),
    tests(
      "Firebase",
      uses: [
        "AppleShims", "FirebaseCore", "FirebaseMLModelDownloader", "FoveaCompatibility", "FoveaGeometry",
        "FoveaImage",
      ]),
    tests("Fovea", uses: ["FoveaDecoding", "FoveaGeometry", "FoveaImage", "FoveaMetadata", "FoveaRuntime"]),
    tests("FoveaC", uses: ["CFovea", "Fovea", "FoveaModelRules"]),
    tests(
      "FoveaCLI",
      uses: results + ["FoveaFormats", "FoveaRender", "FoveaTraining", "FoveaVideo"],
      packages: ["ArgumentParser"], exclude: ["EndToEnd/end-to-end.sh", "EndToEnd/end-to-end-track.sh"]),
    tests("FoveaCompatibility", uses: ["Fovea"]),
    tests("FoveaCore"),
    tests("FoveaDecoding", uses: ["FoveaGeometry", "FoveaMetadata", "FoveaRuntime"]),
    tests("FoveaEvaluation", uses: ["FoveaFormats", "FoveaGeometry"], exclude: ["Fixtures"]),
    tests("FoveaFlow", uses: ["FoveaGeometry", "FoveaImage"]),
    tests(
      "FoveaFormats", uses: images + ["Fovea", "FoveaDecoding", "FoveaEvaluation", "FoveaTracking"]),
    tests("FoveaGeometry", exclude: ["Fixtures"]),
    tests(
      "FoveaHTTP", uses: ["FoveaCore"],
      packages: http + ["NIOCore", "NIOEmbedded", "NIOHTTPTypes", "NIOPosix", "NIOSSL", "NIOWebSocket"]),
    tests(
      "FoveaHost",
      uses: [
        "AppleShims", "FoveaCompatibility", "FoveaCore", "FoveaHTTP", "FoveaModels",
        "FoveaRemoteConfig", "FoveaTraining", "MLKit", "MLKitImageLabelingCustom",
        "MLKitObjectDetectionCustom",
      ], packages: http + ["Crypto", "CryptoExtras", "GRDB"]),
    tests(
      "FoveaImage", uses: ["CImages", "CPixels", "CYUV", "FoveaCore", "FoveaGeometry"],
      exclude: ["Verdicts/images.csv"]),
    tests(
      "FoveaInference",
      uses: images + ["CZlib", "Fovea", "FoveaFormats", "FoveaHTTP", "FoveaMetadata"]
        + ["FoveaModels", "FoveaRender", "FoveaTracking", "FoveaVideo"],
      packages: http + ["InMemoryTracing", "ServiceLifecycle", "Tracing"]),
    tests("FoveaMetadata", uses: ["FoveaCore"]),
    tests("FoveaModelFile"),
    tests("FoveaModelRules", uses: ["Fovea", "FoveaMetadata"]),
    tests("FoveaModels", uses: ["FoveaCore", "FoveaMetadata"]),
    tests("FoveaRemoteConfig", uses: ["FirebaseRemoteConfig", "FoveaCore", "FoveaModels"]),
    tests("FoveaRender", uses: results + ["FoveaFormats"]),
    tests("FoveaRuntime", uses: images + ["CEmbeddedModels", "CLiteRT", "FoveaMetadata", "FoveaModelFile"]),
    tests(
      "FoveaServerCLI", uses: ["FoveaCore", "FoveaHTTP", "FoveaHost", "FoveaInference"],
      packages: ["ArgumentParser"]),
    tests("FoveaTesting"),
    tests("FoveaTracking", uses: ["CZlib", "FoveaGeometry"]),
    tests(
      "FoveaTraining", uses: images + models + ["Fovea", "FoveaDecoding", "FoveaEvaluation", "FoveaFormats"]),
    tests("FoveaVideo", uses: images + ["Fovea", "FoveaFlow"]),
    tests(
      "MLKit",
      uses: [
        "AppleShims", "Fovea", "FoveaCompatibility", "FoveaGeometry", "FoveaImage",
        "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom",
      ]),
    tests("TensorFlowLite", uses: ["AppleShims", "FoveaRuntime"]),
  ]
)
