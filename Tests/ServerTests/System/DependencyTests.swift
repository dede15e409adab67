import ServerTesting
import Subprocess
import SystemPackage
import Testing

/// The script `.ci/resolve`, in a repository of its own with one dependency.
@Suite("Contents of dependencies", .timeLimit(.minutes(10)), .enabled(if: !TestDatabase.isPostgres), .inFolder)
struct DependencyTests {
    private let folder = TemporaryFolder.current

    init() async throws {
        let ci = try folder.folder("shop/.ci")
        let script = URL.repository.appending(path: ".ci/resolve")
        try FileManager.default.copyItem(at: script, to: ci.appending(path: "resolve"))
        let made = try await shell(
            """
            export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c
            git init -q knit; echo purl >knit/knit.swift; mkdir knit/Sources; echo 'x y' >'knit/Sources/é ü.swift'
            git -C knit add .; git -C knit commit -qm knit; git -C knit tag -am knit v1.2.3
            mkdir shop/Server shop/Tests
            """, in: folder)
        try #require(made.succeeds, "\(made.text)")
        func list(_ contents: some StringProtocol) throws {
            _ = try ci.file("versions", "# Versions.\n1.2.3 file://\(folder.path)/knit \(contents)\n")
        }
        try list("none")
        let refused = try await run(".ci/resolve")
        #expect(!refused.succeeds)
        try list(#require(refused.text.firstMatch(of: #/Its contents are ([0-9a-f]{40}),/#)?.1))
    }

    /// Runs commands of a shell, and returns whether they succeed and what they print.
    private func shell(_ commands: String, in folder: URL) async throws -> (succeeds: Bool, text: String) {
        let setup = "exec 2>&1; export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c; "
        let result = try await Subprocess.run(
            .name("sh"), arguments: ["-ec", setup + commands], workingDirectory: FilePath(folder.path), input: .none,
            output: .string(limit: 1 << 16), error: .discarded)
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// Runs commands in the repository.
    private func run(_ commands: String) async throws -> (succeeds: Bool, text: String) {
        try await shell(commands, in: folder.appending(path: "shop"))
    }

    @Test func `A version with the recorded files resolves, also where its commit was rewritten`() async throws {
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

    @Test func `A tag that has moved to other files stops the resolution`() async throws {
        let moved = try await run(
            """
            echo knit >../knit/knit.swift
            git -C ../knit -c user.name=b -c user.email=b@c.d commit -qam other; git -C ../knit tag -f v1.2.3
            .ci/resolve
            """)
        #expect(!moved.succeeds && moved.text.contains("its tag has moved"), "\(moved.text)")
        #expect(try await run("! test -e Tests/Package.resolved").succeeds)
    }

    @Test func `A build with other files of the same version is found`() async throws {
        try #require(try await run(".ci/resolve; .ci/resolve --check").succeeds)
        let changed = try await run(
            """
            git clone -q ../knit Tests/.build/checkouts/knit; cd Tests/.build/checkouts/knit
            echo knit >knit.swift; git -c user.name=b -c user.email=b@c.d commit -qam other; cd ../../../..
            sed -i.old "s/revision\\" : \\".*\\"/revision\\" : \\"$(git -C Tests/.build/checkouts/knit rev-parse HEAD)\\"/" \\
                Tests/Package.resolved
            .ci/resolve --check
            """)
        #expect(!changed.succeeds && changed.text.contains("versions or contents that are not in"), "\(changed.text)")
    }
}
