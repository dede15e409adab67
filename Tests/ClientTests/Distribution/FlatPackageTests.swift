import Foundation
import Testing
import ToolArguments

@testable import distribution

struct FlatPackageTests {
    /// A manifest as SwiftPM dumps it.
    private struct Dump {
        private var products: [String] = []
        private var targets: [String] = []

        mutating func product(_ name: String, _ type: String = #"{"library": ["static"]}"#) {
            products.append(#"{"name": "\#(name)", "targets": ["\#(name)"], "type": \#(type)}"#)
        }

        mutating func target(_ name: String, _ dependencies: [String] = [], settings: [String] = []) {
            let mode = #"{"kind": {"swiftLanguageMode": {"_0": "6"}}, "tool": "swift"}"#
            targets.append(
                #"""
                {"name": "\#(name)", "type": "regular", "dependencies": [\#(dependencies.joined(separator: ","))],
                 "exclude": [], "resources": [], "packageAccess": true,
                 "settings": [\#(([mode] + settings).joined(separator: ","))]}
                """#)
        }

        var manifest: PackageManifest {
            get throws {
                try PackageManifest.decode(
                    Data(
                        #"""
                        {"toolsVersion": {"_version": "6.2.0", "experimentalFeatures": []},
                         "platforms": [{"options": [], "platformName": "macos", "version": "15.0"}],
                         "dependencies": [
                            {"fileSystem": [{"identity": "shared", "path": "/Shared", "traits": []}]},
                            {"sourceControl": [{"identity": "grdb.swift",
                             "location": {"remote": [{"urlString": "https://example.com/GRDB.swift"}]},
                             "requirement": {"range": [{"lowerBound": "7.10.0", "upperBound": "8.0.0"}]}}]},
                            {"sourceControl": [{"identity": "parser",
                             "location": {"remote": [{"urlString": "https://example.com/parser"}]},
                             "requirement": {"range": [{"lowerBound": "1.0.0", "upperBound": "1.1.0"}]}}]}],
                         "products": [\#(products.joined(separator: ","))],
                         "targets": [\#(targets.joined(separator: ","))]}
                        """#.utf8))
            }
        }
    }

    private static func byName(_ name: String) -> String { #"{"byName": ["\#(name)", null]}"# }

    private static func product(_ name: String, _ package: String, trait: String? = nil) -> String {
        let condition = trait.map { #"{"platformNames": [], "traits": ["\#($0)"]}"# } ?? "null"
        return #"{"product": ["\#(name)", "\#(package)", null, \#(condition)]}"#
    }

    private var shared: PackageManifest {
        get throws {
            var dump = Dump()
            for name in ["PouchEntities", "PouchFeed"] {
                dump.product(name)
                dump.target(name)
            }
            return try dump.manifest
        }
    }

    private func distribution(_ change: (inout Dump) -> Void = { _ in }) throws -> Distribution {
        var client = Dump()
        for name in ["PouchClient", "PouchPersistence", "PouchTerminal", "KooberKit"] { client.product(name) }
        client.product("pouch", #"{"executable": null}"#)
        client.target("PouchData", [Self.product("PouchEntities", "Shared")])
        client.target("PouchClient", [Self.byName("PouchData")])
        client.target(
            "PouchPersistence",
            [Self.byName("PouchData"), Self.product("GRDB", "GRDB.swift", trait: "Persistence")])
        client.target("PouchTerminal", [Self.product("Parser", "parser")])
        client.target("KooberKit")
        client.target("pouch", [Self.byName("PouchClient"), Self.byName("PouchPersistence")])
        change(&client)
        return try Distribution(
            shared: try shared, client: try client.manifest,
            sdkPackage: .init(
                identity: "pouch-sdk", url: "https://example.com/pouch-sdk", lower: "0.3.0", upper: "0.4.0"))
    }

    @Test func `the SDK has what its products need, and no dependency`() throws {
        let sdk = try distribution().sdk
        #expect(sdk.dependencies.isEmpty)
        #expect(sdk.targets.map(\.name) == ["PouchEntities", "PouchData", "PouchClient"])
        #expect(sdk.targets.map(\.folder).last == "Client/Sources/PouchClient")
        #expect(sdk.targets[1].dependencies == [.init(name: "PouchEntities", package: nil, platforms: [])])
    }

    @Test func `the page of the SDK lists products in the first column of its tables`() {
        let page =
            "| Product | Contains |\n|---|---|\n| `PouchClient`, `PouchData` | see `Pouch` |\nuses `PouchAccess`\n"
        #expect(Release.products(inTablesOf: page) == ["PouchClient", "PouchData"])
    }

    @Test func `a layer that the extras use is a product of the SDK`() throws {
        let distribution = try distribution()
        #expect(distribution.sdk.products.map(\.name) == ["PouchClient", "PouchData"])
        #expect(distribution.modules == ["PouchClient", "PouchData", "PouchPersistence"])
    }

    @Test func `the extras link the SDK by its URL, and their third parties alone`() throws {
        let extras = try distribution().extras
        #expect(extras.products.map(\.name) == ["PouchPersistence"])
        #expect(extras.dependencies.map(\.identity) == ["pouch-sdk", "grdb.swift"])
        #expect(extras.targets.map(\.name) == ["PouchPersistence"])
        #expect(extras.targets[0].dependencies.map(\.package) == ["pouch-sdk", "GRDB.swift"])
        let text = try ManifestText(extras).text()
        #expect(text.contains(#".package(url: "https://example.com/pouch-sdk", "0.3.0"..<"0.4.0"),"#))
        #expect(text.contains(#".package(url: "https://example.com/GRDB.swift", from: "7.10.0"),"#))
        #expect(text.contains(#".define("Persistence")"#))
    }

    @Test func `a new library of Pouch is distributed without a change`() throws {
        let distribution = try distribution {
            $0.product("PouchUI")
            $0.target(
                "PouchUI", [#"{"byName": ["PouchClient", {"platformNames": ["linux"], "traits": null}]}"#],
                settings: [#"{"kind": {"defaultIsolation": {"_0": "MainActor"}}, "tool": "swift"}"#])
        }
        #expect(distribution.sdk.products.map(\.name) == ["PouchClient", "PouchUI", "PouchData"])
        let text = try ManifestText(distribution.sdk).text()
        #expect(text.contains(#".library(name: "PouchUI", targets: ["PouchUI"]),"#))
        #expect(text.contains(#".target(name: "PouchClient", condition: .when(platforms: [.linux])),"#))
        #expect(text.contains("swiftSettings: settings + [.defaultIsolation(MainActor.self)]"))
    }

    @Test func `a setting that cannot be repeated is refused instead of lost`() {
        #expect(throws: DistributionError.self) {
            try distribution {
                $0.target("PouchUnsafe", settings: [#"{"kind": {"unsafeFlags": {"_0": ["-O"]}}, "tool": "swift"}"#])
            }
        }
    }

    @Test(arguments: ["1.2.0", "0.0.1", "10.20.30", "2.0.0-beta.1", "1.0.0-x-y", "1.0.0-0"])
    func `a semantic version is accepted`(_ text: String) { #expect(Version(text)?.description == text) }

    @Test(
        arguments: [
            "", "1", "1.2", "v1.2.0", "1.2.0 ", "01.2.0", "1.2.0-", "1.2.0-01", "1.2.0-a..b", "1.2.0+7", "1.2.0-ä",
            "99999999999999999999.0.0", "1.2.0\n",
        ])
    func `a text that is not a semantic version is refused`(_ text: String) { #expect(Version(text) == nil) }

    @Test func `programs take later versions that break nothing`() throws {
        #expect(try #require(Version("1.2.3")).requirement == #"from: "1.2.3""#)
        #expect(try #require(Version("0.3.1")).requirement == #".upToNextMinor(from: "0.3.1")"#)
    }

    @Test(arguments: [("1.2.3", "2.0.0"), ("0.3.1", "0.4.0"), ("2.0.0-beta.1", "3.0.0")])
    func `extras accept the SDK up to the next version that may break them`(_ version: String, _ next: String) {
        #expect(Version(version)?.nextBreaking == next)
    }
}

struct ToolArgumentTests {
    private func arguments(_ line: String) throws(ToolArguments.Refusal) -> ToolArguments {
        try ToolArguments(
            line.split(separator: " ").map(String.init), flags: ["--rules"], options: ["--out"], words: 1...2)
    }

    @Test func `options and words are found in any order`() throws {
        let arguments = try arguments("20 --rules --out folder 7")
        #expect(arguments.words == ["20", "7"])
        #expect(try arguments.numbers() == [20, 7])
        #expect(arguments.has("--rules") && arguments.value("--out") == "folder")
    }

    /// A tool that ignores a misspelt option starts work that takes hours.
    @Test(arguments: [
        ("--rule 1", "There is no option --rule."), ("-r 1", "There is no option -r."),
        ("--out", "--out needs a value."),
        ("1 2 3", "3 is one word too many."), ("", "A word is missing."), ("--rules", "A word is missing."),
    ])
    func `what a tool does not know is refused`(_ line: String, _ text: String) {
        #expect(throws: ToolArguments.Refusal(text: text)) { try arguments(line) }
    }

    @Test func `a word that should be a number is refused`() throws {
        let arguments = try arguments("20 many")
        #expect(throws: ToolArguments.Refusal(text: "many is not a whole number.")) { try arguments.numbers() }
        #expect(throws: ToolArguments.Refusal(text: "many is one word too many.")) { try arguments.numbers(atMost: 1) }
    }
}
