// swift-tools-version: 6.2
import PackageDescription

/// Modules of `Shared`.
func shared(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "Shared") } }

/// A product that `PouchAsyncHTTPClient` uses, if the trait of the same name is on.
func transport(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["AsyncHTTPClient"]))
}

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["TerminalPrograms"]))

/// The modules that are libraries, apart from `PouchClient`.
let libraries = [
    "PouchApp", "PouchModels", "PouchTesting", "PouchScreens", "PouchCoordination", "PouchUI", "PouchPersistence",
    "PouchAsyncHTTPClient",

    // The layers below PouchClient, one by one. The tests need them, too, and can reach products alone.
    "PouchNetwork", "PouchCurl", "PouchService", "PouchData", "PouchManagers",

    // For terminal programs of this repository, and its tests.
    "PouchTerminal", "PouchTerminalScreens", "PouchCommandLine",
]

let package = Package(
    name: "Client",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // Static, because SwiftPM builds only a product with a type by its name. A package that links it sees no
        // difference.
        .library(name: "PouchClient", type: .static, targets: ["PouchClient"]),
        .executable(name: "pouch", targets: ["pouch"]),
    ] + libraries.map { .library(name: $0, targets: [$0]) },
    traits: [
        // Off by default, so that a package that links PouchClient fetches nothing from third parties.
        .trait(name: "AsyncHTTPClient", description: "Builds PouchAsyncHTTPClient, a transport on SwiftNIO."),
        .trait(name: "Persistence", description: "Builds PouchPersistence, a local store on SQLite."),
        .trait(
            name: "TerminalPrograms", description: "Builds the terminal program pouch, and PouchCommandLine.",
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
        // MARK: The SDK, from the network up

        .target(name: "PouchNetwork"),
        // These two are empty on all systems but Linux.
        .target(name: "CLibcurl"),
        .target(
            name: "PouchCurl",
            dependencies: ["PouchNetwork", .target(name: "CLibcurl", condition: .when(platforms: [.linux]))]),
        .target(name: "PouchService", dependencies: ["PouchNetwork"] + shared("PouchJSON", "PouchWire")),
        .target(
            name: "PouchData",
            dependencies: ["PouchService"]
                + shared("PouchEntities", "PouchJSON", "PouchContract", "PouchFeed", "PouchWire")),
        .target(name: "PouchManagers", dependencies: ["PouchData"] + shared("PouchEntities", "PouchJSON")),
        .target(
            name: "PouchClient",
            dependencies: [
                "PouchNetwork", .target(name: "PouchCurl", condition: .when(platforms: [.linux])), "PouchService",
                "PouchData", "PouchManagers",
            ] + shared("PouchEntities", "PouchJSON", "PouchWire")),
        .target(name: "PouchCoordination"),
        .target(name: "PouchScreens", dependencies: ["PouchCoordination"] + shared("PouchEntities")),
        // Empty on Linux.
        .target(name: "PouchUI", dependencies: ["PouchCoordination"]),
        .target(name: "PouchApp", dependencies: ["PouchClient", "PouchCoordination", "PouchScreens"]),
        .target(name: "PouchModels", dependencies: ["PouchManagers"]),
        .target(
            name: "PouchTesting",
            dependencies: [
                "PouchClient", "PouchCoordination", "PouchData", "PouchManagers", "PouchNetwork", "PouchScreens",
                "PouchService",
            ] + shared("PouchEntities", "PouchJSON", "PouchContract", "PouchWire")),
        .target(
            name: "PouchPersistence",
            dependencies: ["PouchData", "PouchNetwork"] + shared("PouchEntities", "PouchJSON", "PouchWire") + [
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Persistence"]))
            ],
            // Published as a separate package, like the next target.
            packageAccess: false),
        .target(
            name: "PouchAsyncHTTPClient",
            dependencies: [
                "PouchNetwork", transport("AsyncHTTPClient", "async-http-client"), transport("Crypto", "swift-crypto"),
                transport("NIOCore", "swift-nio"), transport("NIOHTTP1", "swift-nio"),
                transport("NIOHTTPCompression", "swift-nio-extras"), transport("NIOPosix", "swift-nio"),
                transport("NIOSSL", "swift-nio-ssl"),
            ],
            packageAccess: false),

        // MARK: The terminal

        .target(name: "PouchTerminal"),
        .target(
            name: "PouchTerminalScreens",
            dependencies: ["PouchCoordination", "PouchScreens", "PouchTerminal"] + shared("PouchEntities")),
        .target(name: "PouchCommandLine", dependencies: ["PouchClient"] + shared("PouchEntities") + [argumentParser]),
        .executableTarget(
            name: "pouch",
            dependencies: [
                "PouchApp", "PouchClient", "PouchCommandLine", "PouchCoordination", "PouchPersistence", "PouchScreens",
                "PouchTerminal", "PouchTerminalScreens",
            ] + shared("PouchEntities", "PouchJSON", "PouchVersion", "PouchWire") + [argumentParser]),
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
