import Foundation

/// The package of the copy: Koober, its scenarios, and on request the tests of one architecture.
enum LaboratoryPackage {
    static func write(to folder: URL) throws {
        for (path, content) in [("Package.swift", manifest), ("Checks/Scenarios/ExperimentTests.swift", scenarios)] {
            try Laboratory.write(Data(content.utf8), to: folder.appending(path: path))
        }
        // Several targets compile the same files.
        for name in ["Scenarios", "MVVM", "Redux", "Elements"] {
            let target = folder.appending(path: "Checks/" + name)
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            for source in name == "Scenarios" ? ["Support"] : ["Support", name] {
                let link = target.appending(path: source).path
                if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil { continue }
                try FileManager.default.createSymbolicLink(
                    atPath: link, withDestinationPath: "../../Tests/Koober/Tests/" + source)
            }
        }
    }

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        func products(_ names: [String], of package: String) -> [Target.Dependency] {
            names.map { .product(name: $0, package: package) }
        }

        let koober = [
            "KooberClient", "KooberDependencies", "KooberElements", "KooberKit", "KooberMVVM", "KooberRedux",
            "KooberScreens", "KooberTerminal", "KooberTexts",
        ]
        let sdk = [
            "PouchClient", "PouchData", "PouchManagers", "PouchNetwork", "PouchService", "PouchTerminal", "PouchTesting",
            "PouchCoordination", "PouchScreens",
        ]
        let shared = ["PouchContract", "PouchEntities", "PouchJSON", "PouchWire"]
        let below = products(koober, of: "Koober") + products(sdk, of: "Client") + products(shared, of: "Shared")
        let tests: [Target.Dependency] = ["ClientTesting", "KooberScenarios"] + below
        let package = Package(
            name: "Experiment", platforms: [.macOS(.v15)],
            dependencies: [.package(path: "Client"), .package(path: "Client/Koober"), .package(path: "Shared")],
            targets: [
                .target(name: "ClientTesting", dependencies: below, path: "Tests/ClientTesting"),
                .target(
                    name: "KooberScenarios", dependencies: ["ClientTesting"] + below, path: "Tests/Koober/Scenarios"),
            ]
        )
        if let name = Context.environment["KOOBER_TESTS"] {
            package.targets.append(.testTarget(name: name + "Tests", dependencies: tests, path: "Checks/" + name))
        } else {
            package.targets.append(
                .testTarget(name: "ExperimentTests", dependencies: tests, path: "Checks/Scenarios"))
        }
        for target in package.targets {
            target.swiftSettings = [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
            ]
        }

        """

    private static let scenarios = """
        import Foundation
        import KooberScenarios
        import Testing

        @MainActor
        @Suite(.serialized, .timeLimit(.minutes(1)))
        struct ExperimentTests {
            private let name = ProcessInfo.processInfo.environment["KOOBER_ARCHITECTURE"] ?? ""

            @Test(arguments: Scenario.all)
            func `each scenario shows its screens`(_ scenario: Scenario) async throws {
                let architecture = try #require(
                    KooberArchitecture.allCases.first { "Koober\\($0)".lowercased() == name.lowercased() })
                try await scenario.run(
                    AppUnderTest(architecture, World(SampleService()), opening: scenario.destination))
            }
        }

        """
}
