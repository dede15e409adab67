// swift-tools-version: 6.2
import PackageDescription

/// The products of other packages that the targets use, by their package.
let products = [
    "Shared": [
        "PouchContract", "PouchEntities", "PouchFeed", "PouchJSON", "PouchOpenAPI", "PouchVersion", "PouchWire",
    ],
    "GRDB.swift": ["GRDB", "GRDBSQLite"],
    "Yams": ["Yams"],
    "async-http-client": ["AsyncHTTPClient"],
    "hummingbird": ["Hummingbird", "HummingbirdCore", "HummingbirdTLS"],
    "swift-argument-parser": ["ArgumentParser"],
    "swift-configuration": ["Configuration"],
    "swift-http-types": ["HTTPTypes"],
    "swift-log": ["Logging"],
    "swift-metrics": ["CoreMetrics", "Metrics"],
    "swift-mustache": ["Mustache"],
    "swift-nio": ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix"],
    "swift-nio-extras": ["NIOHTTPCompression", "NIOHTTPTypes"],
    "swift-nio-ssl": ["NIOSSL"],
    "swift-service-lifecycle": ["ServiceLifecycle", "UnixSignals"],
    "swift-system": ["SystemPackage"],
]

/// Dependencies by name; a name that is not in `products` is a target of this package.
func uses(_ names: [String]) -> [Target.Dependency] {
    names.map { name in
        guard let package = products.first(where: { $0.value.contains(name) })?.key else { return .byName(name: name) }
        return .product(name: name, package: package)
    }
}

/// The modules that are libraries.
let libraries = [
    "PouchDomain", "PouchImport", "PouchRides", "PouchStorage", "PouchPostgres", "PouchHTTP", "PouchTelemetry",
    "PouchTemplates", "PouchMail", "PouchWeb", "PouchSandbox", "PouchServer",
]

let package = Package(
    name: "Server",
    platforms: [.macOS(.v15)],
    products: libraries.map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "pouch-server", targets: ["pouch-server"])
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
        .target(name: "PouchDomain", dependencies: uses(["PouchEntities", "PouchJSON"])),
        .target(name: "PouchImport", dependencies: uses(["PouchDomain", "PouchEntities", "PouchJSON", "PouchFeed"])),
        .target(
            name: "PouchStorage",
            dependencies: uses(["PouchDomain", "PouchImport", "PouchEntities", "PouchJSON", "GRDB", "GRDBSQLite"])),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        // Whether the clock is synchronised, which neither Glibc nor Darwin exports to Swift.
        .systemLibrary(name: "CTimex"),
        .target(name: "CLibpq"),
        .target(name: "PouchPostgres", dependencies: uses(["PouchDomain", "PouchStorage", "CLibpq"])),
        .target(
            name: "PouchTelemetry",
            dependencies: uses(
                [
                    "PouchJSON", "AsyncHTTPClient", "CoreMetrics", "Logging", "NIOCore", "NIOHTTP1", "ServiceLifecycle",
                ])),
        .target(
            name: "PouchHTTP",
            dependencies: uses(
                [
                    "PouchDomain", "PouchImport", "PouchTelemetry", "PouchContract", "PouchOpenAPI", "PouchEntities",
                    "PouchJSON", "PouchWire", "CoreMetrics", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging",
                    "Metrics", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "ServiceLifecycle",
                ])),
        .executableTarget(name: "embed-text"),
        .plugin(name: "EmbedText", capability: .buildTool(), dependencies: ["embed-text"]),
        .target(name: "PouchTemplates", dependencies: uses(["Mustache"])),
        .target(
            name: "PouchMail",
            dependencies: uses(
                [
                    "PouchDomain", "PouchTemplates", "PouchEntities", "PouchJSON", "Logging", "Mustache", "NIOCore",
                    "NIOPosix", "NIOSSL",
                ]),
            // The templates become texts of the program.
            plugins: ["EmbedText"]),
        .target(
            name: "PouchWeb",
            dependencies: uses(
                [
                    "PouchDomain", "PouchHTTP", "PouchImport", "PouchMail", "PouchTemplates", "PouchContract",
                    "PouchOpenAPI", "PouchEntities", "PouchJSON", "PouchWire", "HTTPTypes", "Hummingbird", "Logging",
                    "Mustache", "NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOHTTPCompression",
                ]),
            // Templates, texts, the stylesheet and scripts become texts of the program.
            plugins: ["EmbedText"]),
        .target(
            name: "PouchSandbox",
            dependencies: uses(
                [
                    "PouchDomain", "PouchStorage", "PouchContract", "PouchEntities", "PouchJSON", "PouchWire",
                    "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "ServiceLifecycle",
                ])),
        .target(
            name: "PouchServer",
            dependencies: uses(
                [
                    "PouchDomain", "PouchImport", "PouchStorage", "PouchPostgres", "PouchHTTP", "PouchMail",
                    "PouchSandbox", "PouchTelemetry", "PouchWeb", "COpenSSL", "CTimex", "PouchEntities", "PouchJSON",
                    "PouchVersion", "PouchWire", "AsyncHTTPClient", "CoreMetrics", "Hummingbird", "HummingbirdCore",
                    "HummingbirdTLS", "Logging", "Metrics", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
                    "ServiceLifecycle", "Yams",
                ])),
        .target(
            name: "PouchRides",
            dependencies: uses(
                [
                    "PouchDomain", "PouchHTTP", "PouchServer", "PouchStorage", "PouchContract", "PouchEntities",
                    "PouchJSON", "Hummingbird", "Logging",
                ])),
        .executableTarget(
            name: "pouch-server",
            dependencies: [.target(name: "PouchRides", condition: .when(traits: ["Rides"]))]
                + uses(
                    [
                        "PouchServer", "PouchDomain", "PouchImport", "PouchStorage", "PouchPostgres", "PouchHTTP",
                        "PouchMail", "PouchSandbox", "PouchTelemetry", "PouchTemplates", "PouchWeb", "PouchEntities",
                        "PouchJSON", "PouchVersion", "ArgumentParser", "Configuration", "Hummingbird", "Logging",
                        "NIOCore", "ServiceLifecycle", "SystemPackage", "UnixSignals",
                    ])),
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
