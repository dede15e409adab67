// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shared",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "PouchJSON", targets: ["PouchJSON"]),
        .library(name: "PouchAccess", targets: ["PouchAccess"]),
        .library(name: "PouchWire", targets: ["PouchWire"]),
        .library(name: "PouchEntities", targets: ["PouchEntities"]),
        .library(name: "PouchFeed", targets: ["PouchFeed"]),
        .library(name: "PouchContract", targets: ["PouchContract"]),
    ],
    targets: [
        .target(name: "PouchJSON"),
        .target(name: "PouchAccess"),
        .target(name: "PouchWire", dependencies: ["PouchAccess", "PouchJSON"]),
        .target(name: "PouchEntities", dependencies: ["PouchAccess", "PouchJSON"]),
        .target(name: "PouchFeed", dependencies: ["PouchJSON", "PouchEntities"]),
        .target(name: "PouchContract", dependencies: ["PouchJSON", "PouchWire", "PouchEntities"]),
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
