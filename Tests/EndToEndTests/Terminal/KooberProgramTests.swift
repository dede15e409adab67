import ClientTesting
import Foundation
import PouchRides
import PseudoTerminal
import Testing

/// `koober` at a terminal and in scripts, against a running server.
@Suite(.timeLimit(.minutes(10)))
struct KooberProgramTests {
    private static let architectures = ["mvvm", "redux", "elements"]

    @Test func `A script signs up, rides and starts again, with the same screens in all architectures`() async throws {
        try await withRunningShop(in: CitySettings(speed: 2_000)) { shop in
            var seen: [[String]] = []
            for architecture in Self.architectures {
                let outcome = try await KooberPassenger(at: shop.url).koober(
                    "--architecture \(architecture) --session-store memory",
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
            #expect(!seen[0].joined().contains("33.") && seen[0].last == "welcome")
            #expect(seen[0] == seen[1] && seen[0] == seen[2])
        }
    }

    @Test func `A script with invalid lines does nothing, and reports each with its number`() async throws {
        let outcome = try await KooberPassenger(at: nowhere()).koober(
            script: "go-to-sign-in\njump\nsign-in me hunter2 now\n")
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("line 2: Unknown intention “jump”."))
        #expect(outcome.errors.contains("line 3: sign-in takes EMAIL PASSWORD."))
        #expect(!outcome.errors.contains("hunter2"))
    }

    @Test func `An intention that is not offered fails after the timeout, with the last screen`() async throws {
        let passenger = try KooberPassenger(at: nowhere())
        func run(_ seconds: Int) async throws -> Program.Outcome {
            try await passenger.koober("--timeout \(seconds) --session-store memory", script: "confirm")
        }
        var seconds = 5
        var outcome = try await run(seconds)
        // On a busy machine the launch may take longer.
        while outcome.output == "launching\n", seconds < 120 {
            seconds *= 3
            outcome = try await run(seconds)
        }
        #expect(outcome.status == 1 && outcome.output == "launching\nwelcome\n")
        #expect(
            outcome.errors == "Error: line 1: confirm was not offered within \(seconds) s. The screen was: welcome\n")
    }

    @Test func `A script that meets or ends on an error fails and prints the error`() async throws {
        let passenger = try KooberPassenger(at: nowhere())
        let signIn = "go-to-sign-in\nsign-in someone@example.com password"
        for (script, error) in [
            (signIn, "Error: The script ended with an error. The screen was: sign-in | error: "),
            (signIn + "\nwhere-to", "Error: line 3: where-to was not offered, because an error covers the screen."),
        ] {
            let outcome = try await passenger.koober("--session-store memory", script: script)
            #expect(outcome.status == 1 && outcome.errors.hasPrefix(error), "\(outcome.errors)")
        }
    }

    @Test func `A location may be south of the equator`() async throws {
        let outcome = try await KooberPassenger(at: nowhere()).koober(
            "--location -33.8688,151.2093 --session-store memory", script: "")
        #expect(outcome.status == 0 && outcome.output == "launching\nwelcome\n", "\(outcome.errors)")
    }

    @Test func `Texts are in the language of the system, or in the one that is chosen`() async throws {
        let passenger = try KooberPassenger(at: nowhere())
        let (english, german) = ("Enter your e-mail address.", "Gib deine E-Mail-Adresse ein.")
        for (options, system, text) in [
            ("", ["LANG": "de_AT.UTF-8"], german), ("--language en", ["LANG": "de_AT.UTF-8"], english),
            ("--language de", ["LANG": "en_AU.UTF-8"], german), ("", ["LC_ALL": "C", "LANG": "de_DE"], english),
        ] {
            let outcome = try await passenger.koober(
                options + " --session-store memory", script: "go-to-sign-in\nsign-in '' ''", in: system)
            #expect(outcome.output.contains("email: \(text)"), "\(options) \(system) \(outcome.errors)")
        }
        let visit = try passenger.start(in: ["LANG": "de_DE.UTF-8"])
        try await visit.see("› [ Anmelden ]", "Fahrten mit dem Känguru", "Esc verlassen")
        try await visit.type(.enter, seeing: "› E-Mail")
        try await visit.type(.enter, .enter, seeing: "› E-Mail", german, "Gib ein Passwort ein.")
        await visit.interrupt()
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
                let outcome = try await johnny.koober(
                    "--architecture \(architecture) \(option) \(file.path)", script: script)
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
            ("--open koober://moon", "must be koober://ride, koober://ride?to=PLACE or koober://profile, not"),
            ("--open https://example.com", "not https://example.com."),
            ("--language fr", "Please provide one of 'en' and 'de'."),
            ("--architecture viper", "Please provide one of 'mvvm', 'redux' or 'elements'."),
            ("--log-actions /tmp/x", "--log-actions requires --architecture redux"),
            ("--architecture redux --analytics /tmp/x", "--analytics requires --architecture elements"),
            ("--architecture redux --log-actions '' --script -", "--log-actions must name a file."),
            ("--architecture redux --log-actions /dev/null/x --script -", "The file /dev/null/x cannot be written."),
            ("--architecture elements --analytics / --script -", "The file / cannot be written."),
            ("--script /nonexistent", "The script /nonexistent cannot be read."),
            ("--location 91,0", "must be like -33.8688,151.2093, not 91,0."),
            ("--location 1,2,3", "must be like -33.8688,151.2093, not 1,2,3."), ("--timeout 5", "require a script"),
            ("--verbose", "require a script"), ("--session-store memory --state /nonexistent", "stores nothing"),
            ("", "must be a terminal"), ("", "--script"),
        ])
    func `Options that do not fit are refused with a helpful sentence`(options: String, sentence: String) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Program.run(
            "koober", options.commandWords, environment: ["TERM": "xterm", "XDG_STATE_HOME": folder.url.path],
            input: "")
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test func `The help names the intentions, the links, the panel and the exit codes`() async throws {
        let help = try await Program.run("koober", ["--help"], environment: [:], input: "")
        #expect(help.status == 0)
        let text = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for part in [
            "sign-up NAME EMAIL MOBILE PASSWORD", "koober://ride?to=PLACE", "Ctrl-T opens and closes a panel",
            "Exit codes: 0 done; 64 invalid command", "--language <language>",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test(arguments: architectures)
    func `A user at a terminal signs up, searches while typing, and sees the map`(architecture: String) async throws {
        try await withRunningShop(in: CitySettings(speed: 200)) { shop in
            let visit = try KooberPassenger(at: shop.url).start("--architecture \(architecture)")
            try await visit.see("› [ Sign in ]")
            try await visit.type(.down, .enter, seeing: "› Name")
            // The cursor goes to the field with a problem.
            try await visit.type(
                .down, .down, .down, .enter, seeing: "› Name", "Enter your name.", "Enter your e-mail address.",
                "Enter a password.")
            visit.fill("Johnny", "johnny@example.com", "", "correct horse")
            try await visit.see("› [ Where to? ]", "● Pick-up", "Pick-up: near Hyde Park")
            try await visit.type(.enter, seeing: "› Where to?", "km")
            try await visit.type("opera", seeing: "opera", "Sydney Opera House")
            try await visit.type(.enter, seeing: "› Sydney Opera House")
            try await visit.type(.enter, seeing: "Kangaroo  for 4, up to 150 kg", "◆ Drop-off", "› ○")
            try await visit.type(.enter, seeing: "› [ Ride by")
            try await visit.type(.enter, seeing: "near Hyde Park → Sydney Opera House", "› [ Start a new ride ]")
            try await visit.type("p", seeing: "   J\n", "johnny@example.com", "› [ Close ]")
            try await visit.type(.down, .enter, seeing: "› [ Sign in ]")
            try await visit.type("q", seeing: "Leave Koober?")
            visit.type(.enter)
            #expect(await visit.program.exit == 0)
            try await visit.seeShell()
        }
    }
}

/// The places at which `koober` starts: the one where a killed process was, and that of a link.
@Suite(.timeLimit(.minutes(10)))
struct KooberReturnTests {
    private static let architectures = ["mvvm", "redux", "elements"]

    /// Serves a shop while the closure runs with a passenger who has signed up.
    private func withJohnny(
        in city: CitySettings = CitySettings(), _ body: @Sendable (KooberPassenger) async throws -> Void
    ) async throws {
        try await withRunningShop(in: city) { shop in
            let johnny = try KooberPassenger(at: shop.url)
            try await johnny.signUp()
            try await body(johnny)
        }
    }

    @Test(arguments: architectures)
    func `After a kill while a ride is chosen, the next process is at its place`(architecture: String) async throws {
        try await withJohnny { johnny in
            let first = try johnny.start("--architecture \(architecture)")
            try await first.see("› [ Where to? ]")
            try await first.type(.enter, seeing: "km")
            try await first.type("bondi", seeing: "Bondi Beach", "bondi")
            // Killed in the middle of the search.
            try await johnny.hasStoredPlace(with: "bondi")
            await first.isKilled()

            let second = try johnny.start("--architecture \(architecture)")
            try await second.see("› Where to?         bondi", "Bondi Beach", "Bondi Junction")
            second.type(" beach")
            try await second.screen(
                with: ["› Where to?         bondi beach", "Bondi Beach"], without: "Bondi Junction")
            try await second.type(.enter, seeing: "› Bondi Beach")
            try await second.type(.enter, seeing: "To Bondi Beach", "› ○ Wallaby")
            second.type(.down, .enter)
            let chosen = ["● Wallaroo", "› [ Ride by Wallaroo"]
            let before = try await second.screen(with: chosen)
            try await johnny.hasStoredPlace(with: "wallaroo")
            await second.isKilled()

            // The place is not that of an architecture.
            for architecture in Self.architectures {
                let next = try johnny.start("--architecture \(architecture)")
                #expect(try await next.screen(with: chosen) == before)
                await next.isKilled()
            }
        }
    }

    @Test(arguments: architectures)
    func `The place of one user is not shown to the next`(architecture: String) async throws {
        try await withJohnny { device in
            let options = "--architecture \(architecture)"
            let visit = try device.start("\(options) --open 'koober://ride?to=Bondi Beach'")
            try await visit.see("To Bondi Beach", "› ○ Wallaby")
            try await device.hasStoredPlace(with: "Bondi Beach")
            await visit.isKilled()
            let signsOut = try await device.koober(options, script: "profile\nsign-out\ngo-to-sign-in")
            #expect(signsOut.status == 0, "\(signsOut.errors)")
            let next = try device.start(options)
            try await next.signUp("Ann", email: "ann@example.com")
            try await next.see("› [ Where to? ]")
            await next.interrupt()
        }
    }

    @Test(arguments: architectures)
    func `A link leads to the options of a ride, after signing in`(architecture: String) async throws {
        try await withRunningShop { shop in
            let johnny = try KooberPassenger(at: shop.url)
            let options = "--architecture \(architecture) --open"
            let visit = try johnny.start("\(options) 'koober://ride?to=bondi beach'")
            try await visit.signUp()
            try await visit.see("To Bondi Beach", "› ○ Wallaby")
            await visit.interrupt()

            // A user who is signed in is there at once; a link goes before the place where the app was left.
            let profile = try johnny.start("\(options) koober://profile")
            try await profile.see("johnny@example.com", "› [ Close ]")
            try await profile.type(.enter, seeing: "› [ Where to? ]")
            await profile.interrupt()
            let script = try await johnny.koober("\(options) koober://ride?to=beach", script: "choose Coogee Beach")
            #expect(script.status == 0, "\(script.errors)")
            let lines = script.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("drop-off from near Hyde Park: “beach”; ") })
            #expect(lines.last?.hasPrefix("options from near Hyde Park to Coogee Beach; ") == true)
        }
    }

    @Test(arguments: architectures)
    func `A ride under way comes before the place and the link`(architecture: String) async throws {
        try await withJohnny(in: CitySettings(speed: 1)) { johnny in
            let options = "--architecture \(architecture) --open"
            let first = try johnny.start("\(options) 'koober://ride?to=Bondi Beach'")
            try await first.see("› ○ Wallaby")
            try await first.type(.enter, seeing: "› [ Ride by Wallaby")
            try await first.type(.enter, seeing: "near Hyde Park → Bondi Beach", "› [ Cancel the ride ]")
            await first.isKilled()
            for link in ["koober://ride", "'koober://ride?to=Manly Beach'"] {
                let next = try johnny.start("\(options) \(link)")
                try await next.see("near Hyde Park → Bondi Beach", "› [ Cancel the ride ]")
                await next.isKilled()
            }
        }
    }

    @Test func `A developer travels through the actions, and the place of the user stays`() async throws {
        try await withJohnny { johnny in
            let visit = try johnny.start("--architecture redux --open 'koober://ride?to=Bondi Beach'", columns: 120)
            try await visit.see("› ", "○ Wallaby")
            try await visit.type(.down, .enter, seeing: "› [ Ride by Wallaroo")
            try await johnny.hasStoredPlace(with: "wallaroo")
            try await visit.type(
                .timeTravel, seeing: "signedIn(pickMeUp(rideOptionPicker(selected)))", "Ctrl-T present")
            try await visit.type(.left, seeing: "rideOptionPicker(loaded)", "○ Wallaroo")
            try await visit.type(.left, seeing: "Which kangaroo?", "dropoffLocationPicker(found)")
            try await visit.type("e", seeing: "Exported to", ".actions.json")
            await visit.isKilled()

            let file = try #require(johnny.file(".actions.json"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let recording = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            #expect((recording["actions"] as? [Any])?.count ?? 0 > 3)
            #expect(recording["start"] != nil)
            let next = try johnny.start("--architecture redux")
            try await next.see("› [ Ride by Wallaroo")
            try await next.type(.timeTravel, seeing: "Step")
            try await next.type(.left, .timeTravel, seeing: "› [ Ride by Wallaroo")
            await next.interrupt()
        }
    }
}
