import Foundation
import PouchDomain
import PouchRides
import PseudoTerminal
import Testing

/// `koober` at a terminal and in scripts, against a running server.
@Suite(.timeLimit(.minutes(3)))
struct KooberProgramTests {
    private static let architectures = ["mvvm", "redux", "elements"]

    private func koober(_ arguments: String..., script: String, at server: URL) async throws -> Program.Outcome {
        try await Program.run(
            "koober", arguments + ["--script", "-"], environment: ["POUCH_SERVER": server.absoluteString],
            input: script)
    }

    @Test("A script signs up, rides and starts again, with the same screens in all architectures")
    func journey() async throws {
        try await withRunningShop(in: CitySettings(speed: 2_000)) { shop in
            var seen: [[String]] = []
            for architecture in Self.architectures {
                let outcome = try await koober(
                    "--architecture", architecture, "--session-store", "memory",
                    script: """
                        go-to-sign-in
                        sign-in \(architecture)@example.com nonsense
                        ok
                        back
                        go-to-sign-up
                        sign-up "Johnny Appleseed" \(architecture)@example.com "" "pass word"
                        where-to
                        search opera
                        choose Sydney Opera House
                        option kangaroo
                        confirm
                        new-ride # once it has ended
                        profile
                        sign-out
                        """, at: shop.url)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(!outcome.output.contains("pass word"))
                let lines = outcome.output.split(separator: "\n").map(String.init)
                #expect(lines.contains("ride requested"))
                // The course of a ride differs between runs.
                seen.append(
                    lines.filter { !$0.hasPrefix("ride ") }.map {
                        $0.replacingOccurrences(of: "\(architecture)@", with: "someone@")
                    })
            }
            #expect(seen[0].prefix(3) == ["launching", "welcome", "sign-in"])
            #expect(seen[0].last == "welcome")
            #expect(seen[0] == seen[1])
            #expect(seen[0] == seen[2])
        }
    }

    @Test("A script with invalid lines does nothing, and reports each with its number")
    func badScript() async throws {
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        let outcome = try await koober(script: "go-to-sign-in\njump\nsign-in me hunter2 now\n", at: nowhere)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("line 2: Unknown intention “jump”."))
        #expect(outcome.errors.contains("line 3: sign-in takes EMAIL PASSWORD."))
        #expect(!outcome.errors.contains("hunter2"))
    }

    @Test("An intention that is not offered fails after the timeout, with the last screen")
    func timeLimit() async throws {
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        let outcome = try await koober(
            "--timeout", "1", "--session-store", "memory", script: "confirm", at: nowhere)
        #expect(outcome.status == 1)
        #expect(outcome.output == "launching\nwelcome\n")
        #expect(
            outcome.errors == "error: line 1: confirm was not offered within 1 s. The screen was: welcome\n")
    }

    @Test("A location may be south of the equator")
    func southern() async throws {
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        let outcome = try await koober(
            "--location", "-33.8688,151.2093", "--session-store", "memory", script: "", at: nowhere)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "launching\nwelcome\n")
    }

    @Test("A script that ends on an error fails and prints the error")
    func unreadError() async throws {
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        let outcome = try await koober(
            "--session-store", "memory", script: "go-to-sign-in\nsign-in someone@example.com password", at: nowhere)
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("error: The script ended on an error. The screen was: sign-in | error: "))
    }

    @Test("koober refuses to start without a terminal or a script, and with invalid options")
    func refusals() async throws {
        let environment = ["TERM": "xterm"]
        let noTerminal = try await Program.run("koober", [], environment: environment, input: "")
        #expect(noTerminal.status == 64)
        #expect(noTerminal.errors.contains("needs a terminal"))
        #expect(noTerminal.errors.contains("--script"))
        for location in ["91,0", "1", "1,2,3", "here"] {
            let outcome = try await Program.run(
                "koober", ["--location", location], environment: environment, input: "")
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("--location"))
            #expect(outcome.errors.contains("must be like -33.8688,151.2093, not \(location)."))
        }
        for options in [["--timeout", "5"], ["--verbose"], ["--session-store", "memory", "--state", "/nonexistent"]] {
            let outcome = try await Program.run("koober", options, environment: environment, input: "")
            #expect(outcome.status == 64)
            #expect(!outcome.errors.contains("needs a terminal"))
        }
        let help = try await Program.run("koober", ["--help"], environment: environment, input: "")
        #expect(help.status == 0)
        #expect(help.output.contains("sign-up NAME EMAIL MOBILE PASSWORD"))
    }

    @Test(
        "At a terminal the user signs up, searches while typing, confirms, and sees the map", arguments: architectures)
    func terminal(architecture: String) async throws {
        try await withRunningShop(in: CitySettings(speed: 200)) { shop in
            let terminal = try PseudoTerminal()
            let folder = try TemporaryFolder()
            let program = try terminal.run(
                "koober", ["--architecture", architecture, "--state", folder.url.path], at: shop.url, storingIn: folder)
            func see(_ texts: String...) async throws {
                try await terminal.wait("\(texts)") { screen in texts.allSatisfy(screen.text.contains) }
            }
            try await see("› [ Sign in ]")
            terminal.type(TypedKey.down.rawValue + TypedKey.enter.rawValue)
            try await see("› Name")
            for text in ["Johnny", "johnny@example.com", "", "correct horse"] { terminal.type(text + "\r") }
            try await see("› [ Where to? ]", "● pick-up")
            terminal.type("\r")
            try await see("› Where to?", "km")
            terminal.type("opera")
            try await see("opera", "Sydney Opera House")
            terminal.type("\r")
            try await see("› Sydney Opera House")
            terminal.type("\r")
            try await see("Kangaroo", "◆ drop-off", "› ○")
            terminal.type("\r")
            try await see("› [ Ride by")
            terminal.type("\r")
            try await see("› [ Start a new ride ]")
            terminal.type("p")
            try await see("johnny@example.com", "› [ Close ]")
            terminal.type(TypedKey.down.rawValue + TypedKey.enter.rawValue)
            try await see("› [ Sign in ]")
            terminal.type("q")
            try await see("Leave Koober?")
            terminal.type("\r")
            #expect(await program.exit == 0)
            try await terminal.wait("the shell's screen") { !$0.isAlternate && $0.isCursorVisible }
        }
    }
}
