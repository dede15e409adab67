import Foundation
import ServerTesting
import Subprocess
import SystemPackage
import Testing

/// The script `.ci/resolve`, in a repository of its own with one dependency.
@Suite("Contents of dependencies", .timeLimit(.minutes(10)), .enabled(if: !TestDatabase.isPostgres))
struct DependencyTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    /// Runs commands of a shell in the folder.
    ///
    /// - Returns: whether they succeed, and what they print.
    private func shell(_ commands: String, in folder: URL) async throws -> (succeeds: Bool, text: String) {
        let result = try await Subprocess.run(
            .name("sh"), arguments: ["-ec", "exec 2>&1; " + commands], workingDirectory: FilePath(folder.path),
            input: .none, output: .string(limit: 1 << 16), error: .discarded)
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// - Parameter body: receives a function that runs commands in the repository.
    private func open(_ body: (_ run: (String) async throws -> (succeeds: Bool, text: String)) async throws -> Void)
        async throws
    {
        try await TemporaryFolder.use { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "shop/.ci"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: Self.root.appending(path: ".ci/resolve"), to: folder.appending(path: "shop/.ci/resolve"))
            let made = try await shell(
                """
                export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c
                git init -q knit; echo purl >knit/knit.swift; mkdir knit/Sources; echo 'x y' >'knit/Sources/é ü.swift'
                git -C knit add .; git -C knit commit -qm knit; git -C knit tag -am knit v1.2.3
                mkdir shop/Server shop/Tests
                """, in: folder)
            try #require(made.succeeds, "\(made.text)")
            let list = folder.appending(path: "shop/.ci/versions")
            try Data("# Versions.\n1.2.3 file://\(folder.path)/knit none\n".utf8).write(to: list)
            let shop = folder.appending(path: "shop")
            let refused = try await shell(".ci/resolve", in: shop)
            #expect(!refused.succeeds)
            let found = try #require(refused.text.firstMatch(of: #/Its contents are ([0-9a-f]{40}),/#)?.1)
            try Data("# Versions.\n1.2.3 file://\(folder.path)/knit \(found)\n".utf8).write(to: list)
            try await body { try await shell("export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c; " + $0, in: shop) }
        }
    }

    @Test func `A version with the recorded files resolves, also where its commit was rewritten`() async throws {
        try await open { run in
            let first = try await run(".ci/resolve; cat Tests/Package.resolved")
            #expect(first.succeeds && first.text.contains(#""version" : "1.2.3""#), "\(first.text)")
            let again = try await run(
                """
                git -C ../knit -c user.name=b -c user.email=b@c.d commit -q --amend -m other --reset-author
                git -C ../knit tag -f v1.2.3; rm Tests/Package.resolved
                .ci/resolve; .ci/resolve --check; cat Tests/Package.resolved
                """)
            #expect(again.succeeds && again.text.contains(#""version" : "1.2.3""#), "\(again.text)")
            let revision = /"revision" : "(.*)"/
            #expect(first.text.firstMatch(of: revision)?.1 != again.text.firstMatch(of: revision)?.1)
        }
    }

    @Test func `A tag that has moved to other files stops the resolution`() async throws {
        try await open { run in
            let moved = try await run(
                """
                echo knit >../knit/knit.swift
                git -C ../knit -c user.name=b -c user.email=b@c.d commit -qam other; git -C ../knit tag -f v1.2.3
                .ci/resolve
                """)
            #expect(!moved.succeeds && moved.text.contains("its tag has moved"), "\(moved.text)")
            #expect(try await run("! test -e Tests/Package.resolved").succeeds)
        }
    }

    @Test func `A build with other files of the same version is found`() async throws {
        try await open { run in
            try #require(try await run(".ci/resolve; .ci/resolve --check").succeeds)
            let changed = try await run(
                """
                git clone -q ../knit Tests/.build/checkouts/knit; cd Tests/.build/checkouts/knit
                echo knit >knit.swift; git -c user.name=b -c user.email=b@c.d commit -qam other; cd ../../../..
                sed -i.old "s/revision\\" : \\".*\\"/revision\\" : \\"$(git -C Tests/.build/checkouts/knit rev-parse HEAD)\\"/" \\
                    Tests/Package.resolved
                .ci/resolve --check
                """)
            #expect(
                !changed.succeeds && changed.text.contains("versions or contents that are not in"), "\(changed.text)")
        }
    }
}
