// swift-tools-version: 6.2
import PackageDescription

// Programs that link the SDK by a URL and a version, as published. `.ci/distribution` copies them out of the repository,
// the README's program into both `buy` and `buy-on-main-actor`, and the code of the articles, which has to compile in a
// new app, too: isolated to the main actor, with the features of the next language mode.

let sdk = Context.environment["POUCH_SDK"] ?? ""
// All of them, so that each is built.
let products = (Context.environment["POUCH_PRODUCTS"] ?? "PouchClient").split(separator: " ")
let client = Target.Dependency.product(name: "PouchClient", package: "pouch-sdk")

let package = Package(
    name: "Published",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: sdk, from: "1.0.0")],
    targets: [
        .executableTarget(name: "buy", dependencies: [client]),
        .executableTarget(
            name: "buy-on-main-actor", dependencies: [client], swiftSettings: [.defaultIsolation(MainActor.self)]),
        .executableTarget(
            name: "shelf",
            dependencies: products.map { .product(name: String($0), package: "pouch-sdk") },
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)

if Context.environment["POUCH_EXTRAS"] != nil {
    package.dependencies.append(.package(url: sdk + "-extras", from: "1.0.0"))
    package.targets.append(
        .executableTarget(
            name: "keep",
            dependencies: [client, .product(name: "PouchPersistence", package: "pouch-sdk-extras")]))
    package.targets.append(
        .target(
            name: "articles",
            dependencies: ["PouchClient", "PouchApp", "PouchCoordination", "PouchNetwork"].map {
                .product(name: $0, package: "pouch-sdk")
            } + [.product(name: "PouchPersistence", package: "pouch-sdk-extras")],
            swiftSettings: [.defaultIsolation(MainActor.self)]
                + [
                    "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault", "MemberImportVisibility",
                    "NonisolatedNonsendingByDefault",
                ].map { .enableUpcomingFeature($0) }))
}
