// swift-tools-version: 6.2
import PackageDescription

/// Every product that the targets use, by its package.
let products = [
    "Shared": ["PouchContract", "PouchEntities", "PouchFeed", "PouchJSON", "PouchOpenAPI", "PouchWire"],
    "Client": [
        "PouchApp", "PouchAsyncHTTPClient", "PouchClient", "PouchCoordination", "PouchCurl", "PouchData",
        "PouchManagers", "PouchModels", "PouchNetwork", "PouchPersistence", "PouchScreens", "PouchService",
        "PouchTerminal", "PouchTerminalScreens", "PouchTesting", "pouch",
    ],
    "Koober": [
        "KooberClient", "KooberDependencies", "KooberElements", "KooberKit", "KooberMVVM", "KooberMixing",
        "KooberRedux", "KooberScreens", "KooberTerminal", "KooberTexts", "KooberWeb", "koober",
    ],
    "Server": [
        "PouchDomain", "PouchHTTP", "PouchImport", "PouchMail", "PouchPostgres", "PouchRides", "PouchSandbox",
        "PouchServer", "PouchTelemetry", "PouchTemplates", "PouchStorage", "PouchWeb", "pouch-server",
    ],
    "GRDB.swift": ["GRDB", "GRDBSQLite"],
    "async-http-client": ["AsyncHTTPClient"],
    "hummingbird": ["Hummingbird", "HummingbirdTesting"],
    "swift-http-types": ["HTTPTypes"],
    "swift-log": ["Logging"],
    "swift-metrics": ["CoreMetrics"],
    "swift-nio": ["NIOCore", "NIOEmbedded", "NIOFoundationCompat", "NIOHTTP1", "NIOPosix"],
    "swift-nio-ssl": ["NIOSSL"],
    "swift-service-lifecycle": ["ServiceLifecycle"],
    "swift-subprocess": ["Subprocess"],
    "swift-system": ["SystemPackage"],
]

/// The modules of a whole shop, with its database and its HTTP server.
let shop = ["PouchDomain", "PouchImport", "PouchRides", "PouchServer", "PouchStorage"]
/// The modules of the contract between client and server.
let wire = ["PouchContract", "PouchEntities", "PouchJSON", "PouchOpenAPI", "PouchWire"]
/// The modules that run other programs.
let processes = ["Subprocess", "SystemPackage"]

/// Dependencies by name; a name that is not in `products` is a target of this package.
func uses(_ names: [String]) -> [Target.Dependency] {
    names.map { name in
        guard let package = products.first(where: { $0.value.contains(name) })?.key else { return .target(name: name) }
        return .product(name: name, package: package)
    }
}

let package = Package(
    name: "Tests",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../Shared"),
        .package(path: "../Client", traits: ["AsyncHTTPClient", "TerminalPrograms"]),
        .package(path: "../Client/Koober", traits: ["Program"]),
        .package(path: "../Server"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // Benchmarks
        .target(
            name: "Benchmarking", dependencies: uses(processes + ["ToolArguments", "Logging"]),
            path: "Benchmarks/Benchmarking"),
        .target(
            name: "ShopBenching",
            dependencies: uses(
                shop + wire + [
                    "Benchmarking", "ServerTesting", "PouchHTTP", "AsyncHTTPClient", "HTTPTypes", "Hummingbird",
                    "NIOCore", "NIOHTTP1",
                ]),
            path: "Benchmarks/ShopBenching"),
        .executableTarget(
            name: "catalog-bench",
            dependencies: uses(
                processes + ["Benchmarking", "Loopback", "ShopBenching", "Hummingbird", "NIOCore", "NIOHTTP1"]),
            path: "Benchmarks/CatalogBench"),
        .executableTarget(
            name: "checkout-bench",
            dependencies: uses(
                [
                    "ShopBenching", "PouchSandbox", "GRDBSQLite", "HTTPTypes", "Hummingbird", "HummingbirdTesting",
                    "NIOCore",
                ]),
            path: "Benchmarks/CheckoutBench"),
        .executableTarget(
            name: "import-bench", dependencies: uses(["ShopBenching", "Hummingbird", "NIOHTTP1"]),
            path: "Benchmarks/ImportBench"),
        .executableTarget(
            name: "json-bench", dependencies: uses(wire + ["Benchmarking", "FoundationJSON"]),
            path: "Benchmarks/JSONBench"),
        .executableTarget(
            name: "ride-bench",
            dependencies: uses(
                ["SeededRandom", "ShopBenching", "PouchRides", "AsyncHTTPClient", "NIOCore", "NIOHTTP1"]),
            path: "Benchmarks/RideBench"),
        .executableTarget(
            name: "sdk-bench",
            dependencies: uses(
                [
                    "Benchmarking", "PouchAsyncHTTPClient", "PouchClient", "PouchData", "PouchManagers",
                    "PouchNetwork", "PouchPersistence", "PouchService", "PouchEntities", "PouchJSON", "pouch-server",
                    "AsyncHTTPClient", "Hummingbird", "NIOCore", "NIOFoundationCompat",
                ]),
            path: "Benchmarks/SDKBench"),
        .executableTarget(
            name: "web-bench",
            dependencies: uses(
                ["ShopBenching", "PouchWeb", "HTTPTypes", "Hummingbird", "HummingbirdTesting", "NIOCore"]),
            path: "Benchmarks/WebBench"),
        .executableTarget(
            name: "webhook-bench", dependencies: uses(["ShopBenching", "HTTPTypes", "Hummingbird", "NIOCore"]),
            path: "Benchmarks/WebhookBench"),

        // Attacks on running servers
        .executableTarget(
            name: "chaos",
            dependencies: uses(
                shop + [
                    "Loopback", "SeededRandom", "ServerTesting", "ToolArguments", "PouchAsyncHTTPClient", "PouchClient",
                    "PouchPersistence", "PouchEntities", "PouchHTTP", "AsyncHTTPClient", "Logging", "NIOCore",
                    "NIOHTTP1", "NIOPosix", "ServiceLifecycle",
                ]),
            path: "Chaos"),
        .executableTarget(
            name: "simulate",
            dependencies: uses(
                shop + wire + [
                    "SeededRandom", "ServerTesting", "ToolArguments", "PouchFeed", "PouchHTTP", "PouchMail", "GRDB",
                    "GRDBSQLite", "Logging",
                ]),
            path: "Simulation"),
        .executableTarget(
            name: "torture",
            dependencies: uses(
                shop + wire + processes + [
                    "SeededRandom", "ServerTesting", "ToolArguments", "PouchSandbox", "pouch-server", "AsyncHTTPClient",
                    "HTTPTypes",
                    "Hummingbird", "Logging", "NIOCore", "NIOHTTP1",
                ]),
            path: "Torture"),

        // Support
        .target(name: "FoundationJSON", path: "FoundationJSON"),
        .target(
            name: "ClientTesting",
            dependencies: uses(wire + ["PouchNetwork", "PouchService", "PouchTesting"]),
            path: "ClientTesting"),
        .target(
            name: "KooberScenarios",
            dependencies: uses(
                [
                    "ClientTesting", "KooberElements", "KooberKit", "KooberMVVM", "KooberRedux", "KooberScreens",
                    "KooberTerminal", "KooberTexts", "PouchEntities", "PouchTerminal",
                ]),
            path: "Koober/Scenarios"),
        .target(name: "Loopback", dependencies: uses(["NIOCore", "NIOPosix", "NIOSSL"]), path: "Loopback"),
        .target(name: "PseudoTerminal", path: "PseudoTerminal"),
        .target(name: "SeededRandom", path: "SeededRandom"),
        .target(name: "ToolArguments", path: "Tools"),
        .target(
            name: "ServerTesting",
            dependencies: uses(
                shop + wire + processes + [
                    "PouchHTTP", "PouchPostgres", "PouchSandbox", "Hummingbird", "Logging", "NIOCore",
                    "ServiceLifecycle",
                ]),
            path: "ServerTesting"),
        .target(
            name: "ThreadSanitizer", path: "ThreadSanitizer", exclude: ["suppressions.txt"], publicHeadersPath: "."),
        .executableTarget(
            name: "architecture", dependencies: uses(["ToolArguments"]), path: "Koober/Architecture",
            exclude: ["Changes"]),
        .executableTarget(name: "distribution", dependencies: uses(["ToolArguments"]), path: "Distribution"),
        .executableTarget(name: "pictures", dependencies: uses(["PseudoTerminal", "ToolArguments"]), path: "Pictures"),
        .executableTarget(
            name: "terminal-probe", dependencies: uses(["PouchTerminal", "ToolArguments"]), path: "TerminalProbe"),

        // Tests
        .testTarget(
            name: "SharedTests",
            dependencies: uses(wire + ["FoundationJSON", "SeededRandom"]),
            path: "SharedTests",
            exclude: ["Fixtures"]),
        .testTarget(
            name: "ServerTests",
            dependencies: uses(
                shop + wire + processes + [
                    "Loopback", "SeededRandom", "ServerTesting", "simulate", "torture", "PouchHTTP", "PouchMail",
                    "PouchPostgres", "PouchSandbox", "PouchTelemetry", "PouchTemplates", "pouch-server", "CoreMetrics",
                    "HTTPTypes", "Hummingbird", "HummingbirdTesting", "Logging", "NIOCore", "NIOPosix", "NIOSSL",
                    "ServiceLifecycle",
                ]),
            path: "ServerTests"),
        .testTarget(
            name: "ClientTests",
            dependencies: uses(
                wire + processes + [
                    "ClientTesting", "Loopback", "PseudoTerminal", "SeededRandom", "ThreadSanitizer", "ToolArguments",
                    "distribution", "terminal-probe", "PouchApp", "PouchAsyncHTTPClient", "PouchClient",
                    "PouchCoordination", "PouchCurl", "PouchData", "PouchFeed", "PouchManagers", "PouchModels",
                    "PouchNetwork", "PouchPersistence", "PouchScreens", "PouchService", "PouchTerminal",
                    "PouchTerminalScreens", "PouchTesting", "GRDB", "NIOCore", "NIOPosix", "NIOSSL",
                ]),
            path: "ClientTests"),
        .testTarget(
            name: "KooberTests",
            dependencies: uses(
                wire + processes + [
                    "ClientTesting", "KooberScenarios", "Loopback", "PseudoTerminal", "SeededRandom", "ToolArguments",
                    "architecture", "KooberClient", "KooberDependencies", "KooberElements", "KooberKit", "KooberMVVM",
                    "KooberMixing", "KooberRedux", "KooberScreens", "KooberTerminal", "KooberTexts", "KooberWeb",
                    "PouchClient", "PouchData", "PouchManagers", "PouchNetwork", "PouchService", "PouchTerminal",
                    "PouchTesting", "NIOCore", "NIOPosix",
                ]),
            path: "Koober/Tests"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: uses(
                shop + processes + [
                    "ClientTesting", "KooberScenarios", "Loopback", "PseudoTerminal", "SeededRandom", "ServerTesting",
                    "chaos",
                    "KooberClient", "KooberKit", "KooberScreens", "KooberTexts", "PouchClient", "PouchContract",
                    "PouchData", "PouchService",
                    "PouchTesting",
                    "PouchJSON", "PouchWire", "koober", "pouch", "PouchHTTP", "PouchSandbox", "pouch-server",
                    "PouchEntities",
                    "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "NIOEmbedded", "NIOPosix", "ServiceLifecycle",
                ]),
            path: "EndToEndTests"),
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
