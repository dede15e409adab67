// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Tests",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../Shared"),
        .package(path: "../Client", traits: ["TerminalPrograms"]),
        .package(path: "../Server"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        .testTarget(
            name: "SharedTests",
            dependencies: [
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
                .product(name: "PouchDomain", package: "Server"),
                .product(name: "PouchStorage", package: "Server"),
                .product(name: "PouchHTTP", package: "Server"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "PouchWire", package: "Shared"),
                .product(name: "PouchEntities", package: "Shared"),
                .product(name: "PouchContract", package: "Shared"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            path: "ServerTests"
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                .product(name: "PouchClient", package: "Client"),
                .product(name: "pouch", package: "Client"),
                .product(name: "PouchServer", package: "Server"),
                .product(name: "pouch-server", package: "Server"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            path: "EndToEndTests"
        ),
    ]
)

// The same block stands in all four manifests.
for target in package.targets where target.type != .plugin && target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
