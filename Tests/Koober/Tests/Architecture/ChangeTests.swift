import ClientTesting
import Foundation
import Testing

@testable import architecture

/// The scripted changes and the copy of Koober in which they are tried.
struct ChangeTests {
    private static let text = """
        diff --git a/Client/Koober/Sources/KooberMVVM/PickMeUp/Picker.swift b/Client/Koober/Sources/KooberMVVM/PickMeUp/Picker.swift
        index 1..2 100644
        --- a/Client/Koober/Sources/KooberMVVM/PickMeUp/Picker.swift
        +++ b/Client/Koober/Sources/KooberMVVM/PickMeUp/Picker.swift
        @@ -1,3 +1,4 @@
         import KooberKit
        -let one = 1
        +let one = 2
        +let two = 2
        diff --git a/Client/Koober/Sources/KooberMVVM/Containers/App.swift b/Client/Koober/Sources/KooberMVVM/Containers/App.swift
        --- a/Client/Koober/Sources/KooberMVVM/Containers/App.swift
        +++ b/Client/Koober/Sources/KooberMVVM/Containers/App.swift
        @@ -1,1 +1,2 @@
        +--- not the name of a file
        diff --git a/Tests/Koober/Scenarios/World.swift b/Tests/Koober/Scenarios/World.swift
        --- a/Tests/Koober/Scenarios/World.swift
        +++ b/Tests/Koober/Scenarios/World.swift
        @@ -1,1 +1,0 @@
        -let old = 1
        diff --git a/Tests/Koober/Scenarios/New.swift b/Tests/Koober/Scenarios/New.swift
        new file mode 100644
        --- /dev/null
        +++ b/Tests/Koober/Scenarios/New.swift
        @@ -0,0 +1,1 @@
        +let new = 1
        """

    @Test func `a patch counts its lines by the part of Koober`() throws {
        let folder = try TemporaryFolder()
        let patch = try Patch(folder.file("a.patch", containing: Self.text))
        #expect(patch.files.map(\.role) == [.features, .containers, .tests, .tests])
        #expect(patch.size() == "4 files, +4 −2")
        #expect(patch.size(of: [.features]) == "1 file, +2 −1")
        #expect(patch.size(of: [.model]) == "none")
        // A new test is no test that had to change.
        #expect(patch.changedTests == ["World.swift"])
    }

    @Test func `each file belongs to a part`() {
        let roles: [String: Patch.Role] = [
            "Client/Koober/Sources/KooberKit/Ride/Locations.swift": .model,
            "Client/Koober/Sources/KooberClient/KooberModel.swift": .model,
            "Client/Koober/Sources/KooberScreens/Intention.swift": .screens,
            "Client/Koober/Sources/KooberTexts/Words.swift": .screens,
            "Client/Koober/Sources/KooberTerminal/Pages/Page.swift": .terminal,
            "Client/Koober/Sources/koober/Koober.swift": .terminal,
            "Client/Koober/Sources/KooberRedux/Launch.swift": .features,
            "Client/Koober/Sources/KooberElements/Containers/AppContainer.swift": .containers,
            "Tests/Koober/Scenarios/World.swift": .tests, "Tests/Koober/Tests/MVVM/Tests.swift": .tests,
        ]
        for (path, role) in roles { #expect(Patch.Role(path: path) == role, "\(path)") }
    }

    @Test func `the log of a build names the modules that it compiled`() {
        let log = """
            [1/9] Emitting module KooberMVVMPickMeUp
            [2/9] Compiling KooberMVVMPickMeUp Picker.swift
            [3/9] Compiling KooberMVVM MVVMApp.swift
            [4/9] Compiling PouchClient Pouch.swift
            [5/9] Linking koober
            """
        #expect(Build.modules(in: log) == ["KooberMVVMPickMeUp", "KooberMVVM"])
    }

    @Test func `the copy is restored, and what is as it was is not written`() throws {
        let repository = try TemporaryFolder()
        let (one, two) = ("Client/Sources/One.swift", "Client/Sources/Two.swift")
        for (path, text) in [(one, "one"), (two, "two"), ("Client/.build/debug.yaml", "no source")] {
            try Laboratory.write(Data(text.utf8), to: repository.file(path))
        }
        let laboratory = try Laboratory(of: repository.url)
        func date(_ path: String) throws -> Date? {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: laboratory.folder.appending(path: path).path)
            return attributes[.modificationDate] as? Date
        }
        let before = try date(two)
        try laboratory.append("changed", to: one)
        try Data("new".utf8).write(to: laboratory.folder.appending(path: "Client/Sources/New.swift"))
        try laboratory.restore()
        let copied = try FileManager.default.subpathsOfDirectory(
            atPath: laboratory.folder.appending(path: "Client").path)
        #expect(Set(copied) == ["Sources", "Sources/One.swift", "Sources/Two.swift"])
        #expect(try String(contentsOf: laboratory.folder.appending(path: one), encoding: .utf8) == "one")
        #expect(try date(two) == before)
    }

    @Test func `a patch that no longer fits is reported`() throws {
        let repository = try TemporaryFolder()
        let patch = try Patch(repository.file("a.patch", containing: Self.text))
        let laboratory = try Laboratory(of: repository.url)
        let error = #expect(throws: CommandFailed.self) { try laboratory.apply(patch) }
        #expect(error?.description.contains("a.patch") == true)
    }
}
