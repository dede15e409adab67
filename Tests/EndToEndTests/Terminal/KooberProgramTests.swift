import ClientTesting
import Foundation
import PouchRides
import PseudoTerminal
import Testing

/// `koober` at a terminal and in scripts, against a running server.
@Suite(.timeLimit(.minutes(10)))
struct KooberProgramTests {
    private static let architectures = ["mvvm", "redux", "elements"]
    private let nowhere = URL(string: "http://127.0.0.1:9") ?? URL(filePath: "/")

    @Test func `A script signs up, rides and starts again, with the same screens in all architectures`()
        async throws
    {
        try await withRunningShop(in: CitySettings(speed: 2_000)) { shop in
            var seen: [[String]] = []
            for architecture in Self.architectures {
                let outcome = try await KooberPassenger(at: shop.url).koober(
                    "--architecture", architecture, "--session-store", "memory",
                    script: """
                        go-to-sign-in
                        sign-in "" ""
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
                        """)
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
            #expect(
                seen[0].prefix(4) == [
                    "launching", "welcome", "sign-in",
                    "sign-in; email: Enter your e-mail address.; password: Enter a password.",
                ])
            #expect(seen[0].contains("map from near Hyde Park"))
            #expect(seen[0].contains("sending from near Hyde Park to Sydney Opera House"))
            // No line has coordinates.
            #expect(!seen[0].joined().contains("33."))
            #expect(seen[0].last == "welcome")
            #expect(seen[0] == seen[1])
            #expect(seen[0] == seen[2])
        }
    }

    @Test func `A script with invalid lines does nothing, and reports each with its number`() async throws {
        let outcome = try await KooberPassenger(at: nowhere).koober(
            script: "go-to-sign-in\njump\nsign-in me hunter2 now\n")
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("line 2: Unknown intention “jump”."))
        #expect(outcome.errors.contains("line 3: sign-in takes EMAIL PASSWORD."))
        #expect(!outcome.errors.contains("hunter2"))
    }

    @Test func `An intention that is not offered fails after the timeout, with the last screen`() async throws {
        let passenger = try KooberPassenger(at: nowhere)
        func run(_ seconds: Int) async throws -> Program.Outcome {
            try await passenger.koober("--timeout", "\(seconds)", "--session-store", "memory", script: "confirm")
        }
        var seconds = 5
        var outcome = try await run(seconds)
        // On a busy machine the launch may take longer.
        while outcome.output == "launching\n", seconds < 120 {
            seconds *= 3
            outcome = try await run(seconds)
        }
        #expect(outcome.status == 1)
        #expect(outcome.output == "launching\nwelcome\n")
        #expect(
            outcome.errors == "Error: line 1: confirm was not offered within \(seconds) s. The screen was: welcome\n")
    }

    @Test func `A script that meets or ends on an error fails and prints the error`() async throws {
        let passenger = try KooberPassenger(at: nowhere)
        let signIn = "go-to-sign-in\nsign-in someone@example.com password"
        let end = try await passenger.koober("--session-store", "memory", script: signIn)
        #expect(end.status == 1)
        #expect(end.errors.hasPrefix("Error: The script ended on an error. The screen was: sign-in | error: "))
        let next = try await passenger.koober("--session-store", "memory", script: signIn + "\nwhere-to")
        #expect(next.status == 1)
        #expect(next.errors.hasPrefix("Error: line 3: where-to was not offered, because an error covers the screen."))
    }

    @Test func `A location may be south of the equator`() async throws {
        let outcome = try await KooberPassenger(at: nowhere).koober(
            "--location", "-33.8688,151.2093", "--session-store", "memory", script: "")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "launching\nwelcome\n")
    }

    @Test func `Texts are in the language of the system, or in the one that is chosen`() async throws {
        let passenger = try KooberPassenger(at: nowhere)
        for (options, system, text) in [
            ([], ["LANG": "de_AT.UTF-8"], "Gib deine E-Mail-Adresse ein."),
            (["--language", "en"], ["LANG": "de_AT.UTF-8"], "Enter your e-mail address."),
            (["--language", "de"], ["LANG": "en_AU.UTF-8"], "Gib deine E-Mail-Adresse ein."),
            ([], ["LC_ALL": "C", "LANG": "de_DE"], "Enter your e-mail address."),
        ] {
            let outcome = try await Program.run(
                "koober", options + ["--session-store", "memory", "--script", "-"],
                environment: system.merging(["POUCH_SERVER": nowhere.absoluteString]) { $1 },
                input: "go-to-sign-in\nsign-in '' ''")
            #expect(outcome.output.contains("email: \(text)"), "\(options) \(system) \(outcome.errors)")
        }
        let visit = try passenger.start(in: ["LANG": "de_DE.UTF-8"])
        try await visit.see("› [ Anmelden ]", "Fahrten mit dem Känguru", "Esc verlassen")
        visit.press(.enter)
        try await visit.see("› E-Mail")
        visit.press(.enter, .enter)
        try await visit.see("› E-Mail", "Gib deine E-Mail-Adresse ein.", "Gib ein Passwort ein.")
        await visit.leaves()
    }

    @Test func `Redux adds the name of each action to a file, and Elements the events`() async throws {
        try await withRunningShop { shop in
            let johnny = try KooberPassenger(at: shop.url)
            try await johnny.signUp()
            let script = "where-to\nprofile\nsign-out"
            for (architecture, option, line) in [
                ("redux", "--log-actions", "signedIn(pickMeUp(goToDropoffLocationPicker))"),
                ("elements", "--analytics", "signed-out"),
            ] {
                let file = johnny.folder.file("\(architecture).log")
                try "before\n".write(to: file, atomically: true, encoding: .utf8)
                let outcome = try await johnny.koober("--architecture", architecture, option, file.path, script: script)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                #expect(lines.first == "before")
                #expect(lines.contains { $0.hasSuffix(line) }, "\(lines)")
                #expect(!lines.joined().contains("johnny"))
                // The sign-out is stored, although the program has ended at once.
                let signsIn = try await johnny.koober(
                    script: "go-to-sign-in\nsign-in johnny@example.com 'correct horse'\nwhere-to")
                #expect(signsIn.status == 0, "\(signsIn.errors)")
            }
        }
    }

    @Test(
        arguments: [
            (["--open", "koober://moon"], "must be koober://ride, koober://ride?to=PLACE or koober://profile, not"),
            (["--open", "https://example.com"], "not https://example.com."),
            (["--language", "fr"], "Please provide one of 'en' and 'de'."),
            (["--architecture", "viper"], "Please provide one of 'mvvm', 'redux' or 'elements'."),
            (["--log-actions", "/tmp/x"], "--log-actions needs --architecture redux"),
            (["--architecture", "redux", "--analytics", "/tmp/x"], "--analytics needs --architecture elements"),
            (["--architecture", "redux", "--log-actions", "", "--script", "-"], "--log-actions must name a file."),
            (
                ["--architecture", "redux", "--log-actions", "/dev/null/x", "--script", "-"],
                "The file /dev/null/x cannot be written."
            ),
            (["--architecture", "elements", "--analytics", "/", "--script", "-"], "The file / cannot be written."),
            (["--script", "/nonexistent"], "The script /nonexistent cannot be read."),
            (["--location", "91,0"], "must be like -33.8688,151.2093, not 91,0."),
            (["--location", "1,2,3"], "must be like -33.8688,151.2093, not 1,2,3."),
            (["--timeout", "5"], "need a script"), (["--verbose"], "need a script"),
            (["--session-store", "memory", "--state", "/nonexistent"], "stores nothing"),
            ([], "needs a terminal"), ([], "--script"),
        ])
    func `Options that do not fit are refused with a sentence that helps`(options: [String], sentence: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let outcome = try await Program.run(
            "koober", options, environment: ["TERM": "xterm", "XDG_STATE_HOME": folder.url.path], input: "")
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test func `The help names the intentions, the links, the panel and the exit codes`() async throws {
        let help = try await Program.run("koober", ["--help"], environment: [:], input: "")
        #expect(help.status == 0)
        let text = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for part in [
            "sign-up NAME EMAIL MOBILE PASSWORD", "koober://ride?to=PLACE", "Ctrl-T opens and closes a panel",
            "Exit codes: 0 done; 64 a wrong command", "--language <language>",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test(arguments: architectures)
    func `At a terminal the user signs up, searches while typing, confirms, and sees the map`(
        architecture: String
    ) async throws {
        try await withRunningShop(in: CitySettings(speed: 200)) { shop in
            let visit = try KooberPassenger(at: shop.url).start("--architecture", architecture)
            try await visit.see("› [ Sign in ]")
            visit.press(.down, .enter)
            try await visit.see("› Name")
            // The cursor goes to the field with a problem.
            visit.press(.down, .down, .down, .enter)
            try await visit.see("› Name", "Enter your name.", "Enter your e-mail address.", "Enter a password.")
            for text in ["Johnny", "johnny@example.com", "", "correct horse"] { visit.type(text + "\r") }
            try await visit.see("› [ Where to? ]", "● Pick-up", "Pick-up: near Hyde Park")
            visit.press(.enter)
            try await visit.see("› Where to?", "km")
            visit.type("opera")
            try await visit.see("opera", "Sydney Opera House")
            visit.press(.enter)
            try await visit.see("› Sydney Opera House")
            visit.press(.enter)
            try await visit.see("Kangaroo  for 4, up to 150 kg", "◆ Drop-off", "› ○")
            visit.press(.enter)
            try await visit.see("› [ Ride by")
            visit.press(.enter)
            try await visit.see("near Hyde Park → Sydney Opera House", "› [ Start a new ride ]")
            visit.type("p")
            try await visit.see("   J\n", "johnny@example.com", "› [ Close ]")
            visit.press(.down, .enter)
            try await visit.see("› [ Sign in ]")
            visit.type("q")
            try await visit.see("Leave Koober?")
            visit.press(.enter)
            #expect(await visit.program.exit == 0)
            try await visit.terminal.wait("the shell's screen") { !$0.isAlternate && $0.isCursorVisible }
        }
    }
}
