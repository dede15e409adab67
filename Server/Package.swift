// swift-tools-version: 6.2
import PackageDescription

let entities = Target.Dependency.product(name: "PouchEntities", package: "Shared")
let json = Target.Dependency.product(name: "PouchJSON", package: "Shared")

let package = Package(
    name: "Server",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "PouchDomain", targets: ["PouchDomain"]),
        .library(name: "PouchImport", targets: ["PouchImport"]),
        .library(name: "PouchRides", targets: ["PouchRides"]),
        .library(name: "PouchStorage", targets: ["PouchStorage"]),
        .library(name: "PouchPostgres", targets: ["PouchPostgres"]),
        .library(name: "PouchHTTP", targets: ["PouchHTTP"]),
        .library(name: "PouchTelemetry", targets: ["PouchTelemetry"]),
        .library(name: "PouchTemplates", targets: ["PouchTemplates"]),
        .library(name: "PouchMail", targets: ["PouchMail"]),
        .library(name: "PouchWeb", targets: ["PouchWeb"]),
        .library(name: "PouchSandbox", targets: ["PouchSandbox"]),
        .library(name: "PouchServer", targets: ["PouchServer"]),
        .executable(name: "pouch-server", targets: ["pouch-server"]),
    ],
    traits: [
        .trait(name: "Rides", description: "Rides by kangaroo, and the delivery of orders by them."),
        .default(enabledTraits: ["Rides"]),
    ],
    dependencies: [
        .package(path: "../Shared"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "PouchDomain",
            dependencies: [entities, json]
        ),
        .target(
            name: "PouchImport",
            dependencies: [
                "PouchDomain",
                entities, json, .product(name: "PouchFeed", package: "Shared"),
            ]
        ),
        .target(
            name: "PouchStorage",
            dependencies: [
                "PouchDomain", "PouchImport",
                entities, json,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        // Whether the clock is synchronised, which neither Glibc nor Darwin exports to Swift.
        .systemLibrary(name: "CTimex"),
        .target(name: "CLibpq"),
        .target(name: "PouchPostgres", dependencies: ["PouchDomain", "PouchStorage", "CLibpq"]),
        .target(
            name: "PouchTelemetry",
            dependencies: [
                json,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .target(
            name: "PouchHTTP",
            dependencies: [
                "PouchDomain", "PouchImport", "PouchTelemetry",
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "PouchOpenAPI", package: "Shared"),
                entities, json,
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .executableTarget(name: "embed-text"),
        .plugin(name: "EmbedText", capability: .buildTool(), dependencies: ["embed-text"]),
        .target(name: "PouchTemplates", dependencies: [.product(name: "Mustache", package: "swift-mustache")]),
        .target(
            name: "PouchMail",
            dependencies: [
                "PouchDomain", "PouchTemplates",
                entities, json,
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            // The templates become texts of the program.
            plugins: ["EmbedText"]
        ),
        .target(
            name: "PouchWeb",
            dependencies: [
                "PouchDomain", "PouchHTTP", "PouchImport", "PouchMail", "PouchTemplates",
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "PouchOpenAPI", package: "Shared"),
                entities, json,
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            ],
            // Templates, texts, the stylesheet and scripts become texts of the program.
            plugins: ["EmbedText"]
        ),
        .target(
            name: "PouchSandbox",
            dependencies: [
                "PouchDomain", "PouchStorage",
                .product(name: "PouchContract", package: "Shared"),
                entities, json,
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "PouchServer",
            dependencies: [
                "PouchDomain", "PouchImport", "PouchStorage", "PouchPostgres", "PouchHTTP",
                "PouchMail", "PouchSandbox", "PouchTelemetry", "PouchWeb", "COpenSSL", "CTimex",
                entities, json,
                .product(name: "PouchVersion", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .target(
            name: "PouchRides",
            dependencies: [
                "PouchDomain", "PouchHTTP", "PouchServer", "PouchStorage",
                .product(name: "PouchContract", package: "Shared"),
                entities, json,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .executableTarget(
            name: "pouch-server",
            dependencies: [
                .target(name: "PouchRides", condition: .when(traits: ["Rides"])),
                "PouchServer", "PouchDomain", "PouchImport", "PouchStorage", "PouchPostgres",
                "PouchHTTP", "PouchMail", "PouchSandbox", "PouchTelemetry", "PouchTemplates", "PouchWeb",
                entities, json,
                .product(name: "PouchVersion", package: "Shared"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
    ]
)

// The same block stands in all five manifests.
for target in package.targets where target.type != .plugin && target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
