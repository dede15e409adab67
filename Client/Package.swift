// swift-tools-version: 6.2
import PackageDescription

let entities = Target.Dependency.product(name: "PouchEntities", package: "Shared")
let json = Target.Dependency.product(name: "PouchJSON", package: "Shared")
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["TerminalPrograms"]))
let version = Target.Dependency.product(name: "PouchVersion", package: "Shared")

let package = Package(
    name: "Client",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // Static, because SwiftPM builds only a product with a type by its name. A package that links it sees no
        // difference.
        .library(name: "PouchClient", type: .static, targets: ["PouchClient"]),
        .library(name: "PouchApp", targets: ["PouchApp"]),
        .library(name: "PouchModels", targets: ["PouchModels"]),
        .library(name: "PouchTesting", targets: ["PouchTesting"]),
        .library(name: "PouchScreens", targets: ["PouchScreens"]),
        .library(name: "PouchCoordination", targets: ["PouchCoordination"]),
        .library(name: "PouchUI", targets: ["PouchUI"]),
        .library(name: "PouchPersistence", targets: ["PouchPersistence"]),
        .library(name: "PouchAsyncHTTPClient", targets: ["PouchAsyncHTTPClient"]),
        .executable(name: "pouch", targets: ["pouch"]),

        // The layers below PouchClient, one by one. The tests need them, too, and can reach products alone.
        .library(name: "PouchNetwork", targets: ["PouchNetwork"]),
        .library(name: "PouchCurl", targets: ["PouchCurl"]),
        .library(name: "PouchService", targets: ["PouchService"]),
        .library(name: "PouchData", targets: ["PouchData"]),
        .library(name: "PouchManagers", targets: ["PouchManagers"]),

        // For terminal programs of this repository, and its tests.
        .library(name: "PouchTerminal", targets: ["PouchTerminal"]),
        .library(name: "PouchTerminalScreens", targets: ["PouchTerminalScreens"]),
        .library(name: "PouchCommandLine", targets: ["PouchCommandLine"]),
    ],
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
        .target(
            name: "PouchService", dependencies: ["PouchNetwork", json, .product(name: "PouchWire", package: "Shared")]),
        .target(
            name: "PouchData",
            dependencies: [
                "PouchService", entities, json,
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "PouchFeed", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
            ]),
        .target(name: "PouchManagers", dependencies: ["PouchData", entities, json]),
        .target(
            name: "PouchClient",
            dependencies: [
                "PouchNetwork", .target(name: "PouchCurl", condition: .when(platforms: [.linux])), "PouchService",
                "PouchData", "PouchManagers", entities, json,
                .product(name: "PouchWire", package: "Shared"),
            ]),
        .target(name: "PouchCoordination"),
        .target(name: "PouchScreens", dependencies: ["PouchCoordination", entities]),
        // Empty on Linux.
        .target(name: "PouchUI", dependencies: ["PouchCoordination"]),
        .target(name: "PouchApp", dependencies: ["PouchClient", "PouchCoordination", "PouchScreens"]),
        .target(name: "PouchModels", dependencies: ["PouchManagers"]),
        .target(
            name: "PouchTesting",
            dependencies: [
                "PouchClient", "PouchCoordination", "PouchData", "PouchManagers", "PouchNetwork", "PouchScreens",
                "PouchService", entities, json,
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "PouchWire", package: "Shared"),
            ]),
        .target(
            name: "PouchPersistence",
            dependencies: [
                "PouchData", "PouchNetwork", entities, json,
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Persistence"])),
            ],
            // Published as a separate package, like the next target.
            packageAccess: false),
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
            ],
            packageAccess: false),

        // MARK: The terminal

        .target(name: "PouchTerminal"),
        .target(
            name: "PouchTerminalScreens",
            dependencies: ["PouchCoordination", "PouchScreens", "PouchTerminal", entities]),
        .target(name: "PouchCommandLine", dependencies: ["PouchClient", entities, argumentParser]),
        .executableTarget(
            name: "pouch",
            dependencies: [
                "PouchApp", "PouchClient", "PouchCommandLine", "PouchCoordination", "PouchPersistence", "PouchScreens",
                "PouchTerminal", "PouchTerminalScreens", entities, json, version, argumentParser,
                .product(name: "PouchWire", package: "Shared"),
            ]),
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
