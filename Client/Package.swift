// swift-tools-version: 6.2
import PackageDescription

/// A way of putting the onboarding of Koober together.
func example(_ name: String, _ folder: String) -> Target {
    .target(
        name: name, dependencies: ["KooberOnboarding", "KooberClient", "KooberKit", "PouchClient"],
        path: "Examples/Dependencies/" + folder)
}

/// Koober in one of the architectures, which know nothing of each other.
func architecture(_ name: String) -> Target {
    .target(
        name: name, dependencies: ["KooberKit", "KooberScreens", .product(name: "PouchEntities", package: "Shared")])
}

let package = Package(
    name: "Client",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // Static, since only a product with a type can be built by its name; who links it sees no difference.
        .library(name: "PouchClient", type: .static, targets: ["PouchClient"]),
        .library(name: "PouchManagers", targets: ["PouchManagers"]),
        .library(name: "PouchData", targets: ["PouchData"]),
        .library(name: "PouchService", targets: ["PouchService"]),
        .library(name: "PouchNetwork", targets: ["PouchNetwork"]),
        .library(name: "PouchCoordination", targets: ["PouchCoordination"]),
        .library(name: "PouchScreens", targets: ["PouchScreens"]),
        .library(name: "KooberKit", targets: ["KooberKit"]),
        .library(name: "KooberScreens", targets: ["KooberScreens"]),
        .library(name: "KooberClient", targets: ["KooberClient"]),
        .library(
            name: "KooberDependencies",
            targets: [
                "KooberOnboarding", "KooberOnDemand", "KooberFactories", "KooberSingleContainer", "KooberHierarchy",
            ]),
        .library(name: "KooberMVVM", targets: ["KooberMVVM"]),
        .library(name: "KooberRedux", targets: ["KooberRedux"]),
        .library(name: "KooberElements", targets: ["KooberElements"]),
        .library(name: "PouchAsyncHTTPClient", targets: ["PouchAsyncHTTPClient"]),
        .library(name: "PouchPersistence", targets: ["PouchPersistence"]),
        .library(name: "PouchTerminal", targets: ["PouchTerminal"]),
        .library(name: "PouchTerminalScreens", targets: ["PouchTerminalScreens"]),
        .library(name: "KooberTerminal", targets: ["KooberTerminal"]),
        .executable(name: "koober", targets: ["koober"]),
        .executable(name: "pouch", targets: ["pouch"]),
    ],
    traits: [
        // Off by default, so that a package which links PouchClient fetches nothing from third parties.
        .trait(name: "AsyncHTTPClient", description: "Builds PouchAsyncHTTPClient, a transport on SwiftNIO."),
        .trait(name: "Persistence", description: "Builds PouchPersistence, a local store on SQLite."),
        .trait(
            name: "TerminalPrograms", description: "Builds the terminal programs pouch and koober.",
            enabledTraits: ["Persistence"]),
    ],
    dependencies: [
        .package(path: "../Shared"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(name: "PouchNetwork"),
        .target(name: "PouchService", dependencies: ["PouchNetwork", .product(name: "PouchWire", package: "Shared")]),
        .target(
            name: "PouchData",
            dependencies: [
                "PouchService",
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchFeed", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
            ]
        ),
        .target(
            name: "PouchManagers",
            dependencies: ["PouchData", .product(name: "PouchEntities", package: "Shared")]
        ),
        .target(name: "PouchCoordination"),
        .target(
            name: "PouchScreens",
            dependencies: ["PouchCoordination", .product(name: "PouchEntities", package: "Shared")]
        ),
        .target(
            name: "PouchClient",
            dependencies: [
                "PouchNetwork", "PouchService", "PouchData", "PouchManagers", "PouchCoordination", "PouchScreens",
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
            ]
        ),
        .target(
            name: "KooberKit",
            dependencies: ["PouchManagers", .product(name: "PouchEntities", package: "Shared")]
        ),
        .target(
            name: "KooberClient",
            dependencies: [
                "KooberKit", "PouchClient", "PouchManagers", .product(name: "PouchEntities", package: "Shared"),
            ]
        ),
        .target(name: "KooberScreens", dependencies: [.product(name: "PouchEntities", package: "Shared")]),
        .target(
            name: "KooberOnboarding",
            dependencies: ["KooberKit", .product(name: "PouchEntities", package: "Shared")],
            path: "Examples/Dependencies/Onboarding"
        ),
        example("KooberOnDemand", "OnDemand"),
        example("KooberFactories", "Factories"),
        example("KooberSingleContainer", "SingleContainer"),
        example("KooberHierarchy", "Hierarchy"),
        architecture("KooberMVVM"),
        architecture("KooberRedux"),
        architecture("KooberElements"),
        .target(
            name: "PouchAsyncHTTPClient",
            dependencies: [
                "PouchNetwork",
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client",
                    condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(
                    name: "NIOHTTPCompression", package: "swift-nio-extras",
                    condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["AsyncHTTPClient"])),
            ]
        ),
        .target(
            name: "PouchPersistence",
            dependencies: [
                "PouchData", "PouchNetwork",
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Persistence"])),
            ]
        ),
        .target(name: "PouchTerminal"),
        .target(
            name: "PouchTerminalScreens",
            dependencies: [
                "PouchCoordination", "PouchScreens", "PouchTerminal",
                .product(name: "PouchEntities", package: "Shared"),
            ]
        ),
        .target(
            name: "KooberTerminal",
            dependencies: ["KooberScreens", "PouchTerminal", .product(name: "PouchEntities", package: "Shared")]
        ),
        .target(
            name: "PouchCommandLine",
            dependencies: [
                .product(name: "PouchEntities", package: "Shared"),
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["TerminalPrograms"])
                ),
            ]
        ),
        .executableTarget(
            name: "koober",
            dependencies: [
                "KooberClient", "KooberElements", "KooberKit", "KooberMVVM", "KooberRedux", "KooberScreens",
                "KooberTerminal", "PouchClient", "PouchCommandLine", "PouchPersistence", "PouchTerminal",
                .product(name: "PouchEntities", package: "Shared"),
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["TerminalPrograms"])
                ),
            ]
        ),
        .executableTarget(
            name: "pouch",
            dependencies: [
                "PouchClient", "PouchCommandLine", "PouchCoordination", "PouchPersistence", "PouchScreens",
                "PouchTerminal",
                "PouchTerminalScreens",
                .product(name: "PouchEntities", package: "Shared"),
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["TerminalPrograms"])
                ),
            ]
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
