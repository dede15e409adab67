import Foundation

/// One package made of targets of several, as it is distributed.
struct FlatPackage {
    struct Product: Equatable {
        let name: String
        let targets: [String]
    }

    struct Target {
        let name: String
        /// The folder of the sources in the repository.
        let folder: String
        let dependencies: [Dependency]
        let resources: [PackageManifest.Resource]
        let exclude: [String]
        let settings: [PackageManifest.Setting]
    }

    struct Dependency: Equatable {
        let name: String
        /// nil for a target of the package itself.
        let package: String?
        /// The platforms where it is used; empty for all.
        let platforms: [String]
    }

    let name: String
    let toolsVersion: String
    let platforms: [PackageManifest.Platform]
    let products: [Product]
    let dependencies: [PackageManifest.Dependency.Remote]
    let targets: [Target]
}

/// The SDK as two packages: one without any dependency, and one with the products that need third parties.
struct Distribution {
    let sdk: FlatPackage
    let extras: FlatPackage

    /// Makes the packages from the manifests of the repository, so that a new target of the SDK is distributed as soon
    /// as a library product has it.
    ///
    /// - Parameter addedFiles: names of files that a distribution adds to the resources of a target.
    init(
        shared: PackageManifest, client: PackageManifest, sdkPackage: PackageManifest.Dependency.Remote,
        addedFiles: [String: [String]] = [:]
    ) throws {
        let graph = TargetGraph(shared: shared, client: client, addedFiles: addedFiles)
        let libraries = client.products.filter { $0.isLibrary && Self.isPartOfSDK($0.name) }
        let needing = libraries.filter { graph.needsThirdParties($0.targets) }
        let alone = libraries.filter { !graph.needsThirdParties($0.targets) }
        let core = graph.closure(alone.flatMap(\.targets))
        let extra = graph.closure(needing.flatMap(\.targets)).subtracting(core)

        let used = Set(extra.flatMap(graph.localDependencies)).intersection(core)
        let unnamed = used.subtracting(alone.map(\.name)).sorted()
        sdk = FlatPackage(
            name: sdkPackage.identity, toolsVersion: client.tools, platforms: client.platforms,
            // Of no type, unlike in the repository: a program decides by itself how it links a library.
            products: alone.map { FlatPackage.Product(name: $0.name, targets: $0.targets) }
                + unnamed.map { FlatPackage.Product(name: $0, targets: [$0]) },
            dependencies: [], targets: try graph.targets(core, outside: { _ in nil }))
        let thirdParties = Set(extra.flatMap(graph.thirdParties))
        extras = FlatPackage(
            name: sdkPackage.identity + "-extras", toolsVersion: client.tools, platforms: client.platforms,
            products: needing.map { FlatPackage.Product(name: $0.name, targets: $0.targets) },
            dependencies: [sdkPackage]
                + client.dependencies.compactMap(\.remote).filter { thirdParties.contains($0.identity) },
            targets: try graph.targets(extra, outside: { core.contains($0) ? sdkPackage.identity : nil }))
    }

    /// The SDK's products are the libraries of Pouch, but for those of its terminal programs.
    private static func isPartOfSDK(_ product: String) -> Bool {
        product.hasPrefix("Pouch") && !product.hasPrefix("PouchTerminal") && product != "PouchCommandLine"
    }

    /// The names of all products, those of the extras last.
    var products: [String] { (sdk.products + extras.products).map(\.name) }

    /// The modules that programs can import, in the order of the manifests.
    var modules: [String] { (sdk.products + extras.products).flatMap(\.targets) }
}

// MARK: - Targets

/// The targets of both manifests, and which of them use which.
private struct TargetGraph {
    private struct Node {
        let target: PackageManifest.Target
        let folder: String
    }

    private let nodes: [Node]
    private let named: [String: PackageManifest.Target]
    /// Those of Shared.
    private let products: [String: PackageManifest.Product]
    private let addedFiles: [String: [String]]

    init(shared: PackageManifest, client: PackageManifest, addedFiles: [String: [String]]) {
        nodes = [("Shared", shared), ("Client", client)].flatMap { package, manifest in
            manifest.targets.map { Node(target: $0, folder: "\(package)/\($0.path ?? "Sources/\($0.name)")") }
        }
        named = nodes.map(\.target).firsts(by: \.name)
        products = shared.products.firsts(by: \.name)
        self.addedFiles = addedFiles
    }

    /// The targets of the repository that a target uses.
    func localDependencies(_ name: String) -> [String] { (named[name]?.dependencies ?? []).flatMap(local) }

    /// The identities of the packages of others that a target uses.
    func thirdParties(_ name: String) -> [String] {
        (named[name]?.dependencies ?? []).filter { local($0).isEmpty }.compactMap { $0.package?.lowercased() }
    }

    private func local(_ dependency: TargetDependency) -> [String] {
        switch dependency.package {
        case "Shared": products[dependency.name]?.targets ?? []
        case nil: [dependency.name]
        default: []
        }
    }

    /// The targets and every target that they need.
    func closure(_ roots: [String]) -> Set<String> {
        var (found, open) = (Set<String>(), roots)
        while let next = open.popLast() { if found.insert(next).inserted { open += localDependencies(next) } }
        return found
    }

    func needsThirdParties(_ roots: [String]) -> Bool { closure(roots).contains { !thirdParties($0).isEmpty } }

    /// - Parameter outside: the package of a target that the new package does not have.
    func targets(_ names: Set<String>, outside: (String) -> String?) throws -> [FlatPackage.Target] {
        try nodes.filter { names.contains($0.target.name) }.map { node in
            let target = node.target
            guard target.type == "regular", target.sources == nil, target.pluginUsages?.isEmpty ?? true else {
                throw DistributionError("\(target.name) is not a plain library target.")
            }
            let dependencies = target.dependencies.flatMap { dependency in
                let local = local(dependency).map {
                    FlatPackage.Dependency(name: $0, package: outside($0), platforms: dependency.platforms)
                }
                guard local.isEmpty else { return local }
                return [.init(name: dependency.name, package: dependency.package, platforms: dependency.platforms)]
            }
            // A package without traits always has what a trait of the repository adds.
            let traits = Set(target.dependencies.flatMap(\.traits)).sorted()
            let added = (addedFiles[target.name] ?? []).map {
                PackageManifest.Resource(path: $0, rule: ["copy": PackageManifest.Anything()])
            }
            return FlatPackage.Target(
                name: target.name, folder: node.folder, dependencies: dependencies, resources: target.resources + added,
                exclude: target.exclude,
                settings: target.settings + traits.map { .init(tool: "swift", text: ".define(\"\($0)\")") })
        }
    }
}

extension PackageManifest {
    /// The first two numbers of the tools version, such as 6.2.
    fileprivate var tools: String { toolsVersion._version.split(separator: ".").prefix(2).joined(separator: ".") }
}
