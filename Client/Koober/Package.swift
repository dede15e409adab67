// swift-tools-version: 6.2
import PackageDescription

func client(_ name: String) -> Target.Dependency { .product(name: name, package: "Client") }

let entities = Target.Dependency.product(name: "PouchEntities", package: "Shared")
let json = Target.Dependency.product(name: "PouchJSON", package: "Shared")
let version = Target.Dependency.product(name: "PouchVersion", package: "Shared")
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Program"]))

func nio(_ name: String) -> Target.Dependency {
    .product(name: name, package: "swift-nio", condition: .when(traits: ["Program"]))
}

/// Koober in one of the architectures. They do not know each other.
func architecture(_ name: String) -> Target {
    .target(name: name, dependencies: ["KooberKit", "KooberScreens", "KooberTexts", entities])
}

/// The modules of Koober in MVVM, each a folder of `KooberMVVM`: one for each feature, and one that they all share.
/// Features do not know each other.
let mvvmFeatures = ["Launch", "Onboarding", "GettingUsersLocation", "PickMeUp", "WaitingForPickup", "Profile"]

func mvvm(feature: String) -> Target {
    .target(
        name: "KooberMVVM" + feature, dependencies: ["KooberKit", "KooberMVVMCore", "KooberScreens", entities],
        path: "Sources/KooberMVVM/" + feature)
}

/// An example that wires up the dependencies of Koober's onboarding.
func example(_ name: String, _ folder: String) -> Target {
    .target(
        name: name, dependencies: ["KooberOnboarding", "KooberClient", "KooberKit", client("PouchClient"), entities],
        path: "Examples/Dependencies/" + folder)
}

/// The modules that are libraries by themselves, for the tests.
let libraries = [
    "KooberKit", "KooberClient", "KooberScreens", "KooberTexts", "KooberMVVM", "KooberRedux", "KooberElements",
    "KooberTerminal", "KooberWeb", "KooberMixing", "KooberBuilds",
]

let package = Package(
    name: "Koober",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "koober", targets: ["koober"]),
        .library(
            name: "KooberDependencies",
            targets: [
                "KooberOnboarding", "KooberOnDemand", "KooberFactories", "KooberSingleContainer", "KooberHierarchy",
                "KooberDependencyPatterns",
            ]),
    ] + libraries.map { .library(name: $0, targets: [$0]) },
    traits: [
        // Off by default, so that the architectures and the examples need no third parties.
        .trait(name: "Program", description: "Builds the program koober, with its option --web.")
    ],
    dependencies: [
        .package(path: "../../Shared"),
        .package(path: "..", traits: [.trait(name: "TerminalPrograms", condition: .when(traits: ["Program"]))]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(name: "KooberTexts", dependencies: [entities]),
        .target(name: "KooberKit", dependencies: ["KooberTexts", client("PouchManagers"), entities]),
        .target(
            name: "KooberClient",
            dependencies: [
                "KooberKit", "KooberTexts", client("PouchClient"), client("PouchManagers"), entities, json,
            ]),
        .target(name: "KooberScreens", dependencies: ["KooberKit", "KooberTexts", entities]),
        .target(
            name: "KooberMVVM",
            dependencies: ["KooberKit", "KooberMVVMCore", "KooberScreens", entities]
                + mvvmFeatures.map { .target(name: "KooberMVVM" + $0) },
            exclude: ["Core"] + mvvmFeatures),
        .target(
            name: "KooberMVVMCore", dependencies: ["KooberKit", entities], path: "Sources/KooberMVVM/Core"),
        architecture("KooberRedux"),
        architecture("KooberElements"),
        .target(
            name: "KooberTerminal",
            dependencies: ["KooberScreens", "KooberTexts", client("PouchTerminal"), entities]),
        .target(
            name: "KooberWeb",
            dependencies: [
                "KooberScreens", "KooberTexts", entities, nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"),
            ],
            // Compiled in, so that the program stays one file.
            resources: [.embedInCode("Assets/koober.css"), .embedInCode("Assets/koober.js")]),
        .executableTarget(
            name: "koober",
            dependencies: [
                "KooberClient", "KooberElements", "KooberKit", "KooberMVVM", "KooberRedux", "KooberScreens",
                "KooberTerminal", "KooberTexts", "KooberWeb", client("PouchClient"), client("PouchCommandLine"),
                client("PouchPersistence"), client("PouchTerminal"), entities, version, argumentParser,
            ]),

        // MARK: Examples

        .target(
            name: "KooberOnboarding", dependencies: ["KooberKit", entities],
            path: "Examples/Dependencies/Onboarding"),
        example("KooberOnDemand", "OnDemand"),
        example("KooberFactories", "Factories"),
        example("KooberSingleContainer", "SingleContainer"),
        example("KooberHierarchy", "Hierarchy"),
        example("KooberDependencyPatterns", "Patterns"),
        .target(
            name: "KooberBuilds",
            dependencies: ["KooberClient", "KooberKit", client("PouchClient"), client("PouchTesting"), entities],
            path: "Examples/Builds"),
        .target(
            name: "KooberMixing",
            dependencies: [
                "KooberElements", "KooberKit", "KooberMVVMCore", "KooberRedux", "KooberScreens", entities,
            ],
            path: "Examples/Mixing"),
    ] + mvvmFeatures.map(mvvm)
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
