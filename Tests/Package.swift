// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Tests",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../Shared"),
        .package(path: "../Client", traits: ["AsyncHTTPClient", "TerminalPrograms"]),
        .package(path: "../Server"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        .executableTarget(
            name: "catalog-bench",
            dependencies: [
                .product(name: "PouchDomain", package: "Server"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "PouchStorage", package: "Server"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Benchmarks/CatalogBench"
        ),
        .executableTarget(
            name: "checkout-bench",
            dependencies: [
                "TestDatabase",
                .product(name: "PouchDomain", package: "Server"),
                .product(name: "PouchHTTP", package: "Server"),
                .product(name: "PouchSandbox", package: "Server"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "PouchStorage", package: "Server"),
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            path: "Benchmarks/CheckoutBench"
        ),
        .executableTarget(
            name: "import-bench",
            dependencies: [
                "TestDatabase",
                .product(name: "PouchDomain", package: "Server"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "PouchStorage", package: "Server"),
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Benchmarks/ImportBench"
        ),
        .target(name: "SeededRandom", path: "SeededRandom"),
        .target(
            name: "TestDatabase",
            dependencies: [
                .product(name: "PouchDomain", package: "Server"),
                .product(name: "PouchPostgres", package: "Server"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "PouchStorage", package: "Server"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "TestDatabase"
        ),
        .executableTarget(
            name: "torture",
            dependencies: [
                "SeededRandom",
                "TestDatabase",
                .product(name: "PouchDomain", package: "Server"),
                .product(name: "PouchSandbox", package: "Server"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "PouchStorage", package: "Server"),
                .product(name: "pouch-server", package: "Server"),
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Torture"
        ),
        .testTarget(
            name: "SharedTests",
            dependencies: [
                "SeededRandom",
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchContract", package: "Shared"),
            ],
            path: "SharedTests",
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "SeededRandom",
                "TestDatabase",
                "torture",
                .product(name: "PouchPostgres", package: "Server"),
                .product(name: "PouchDomain", package: "Server"),
                .product(name: "PouchStorage", package: "Server"),
                .product(name: "PouchHTTP", package: "Server"),
                .product(name: "PouchSandbox", package: "Server"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "pouch-server", package: "Server"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "ServerTests"
        ),
        .testTarget(
            name: "ClientTests",
            dependencies: [
                .product(name: "PouchNetwork", package: "Client"),
                .product(name: "PouchService", package: "Client"),
                .product(name: "PouchData", package: "Client"),
                .product(name: "PouchManagers", package: "Client"),
                .product(name: "PouchAsyncHTTPClient", package: "Client"),
                .product(name: "PouchCoordination", package: "Client"),
                .product(name: "PouchPersistence", package: "Client"),
                .product(name: "PouchScreens", package: "Client"),
                .product(name: "PouchTerminal", package: "Client"),
                .product(name: "PouchClient", package: "Client"),
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchFeed", package: "Shared"),
                .product(name: "PouchContract", package: "Shared"),
            ],
            path: "ClientTests"
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestDatabase",
                .product(name: "PouchClient", package: "Client"),
                .product(name: "PouchData", package: "Client"),
                .product(name: "PouchService", package: "Client"),
                .product(name: "pouch", package: "Client"),
                .product(name: "PouchDomain", package: "Server"),
                .product(name: "PouchHTTP", package: "Server"),
                .product(name: "PouchSandbox", package: "Server"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "PouchStorage", package: "Server"),
                .product(name: "pouch-server", package: "Server"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "EndToEndTests"
        ),
    ]
)

// The same block stands in all four manifests.
for target in package.targets where target.type != .plugin && target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
