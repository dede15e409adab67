import Foundation
import PouchRides
import PseudoTerminal
import Testing

/// The places at which `koober` starts: the one where a killed process was, and that of a link.
@Suite(.timeLimit(.minutes(10)))
struct KooberReturnTests {
    private static let architectures = ["mvvm", "redux", "elements"]

    @Test(arguments: architectures)
    func `A process that was killed while a ride is chosen is followed by one at the same place`(
        architecture: String
    ) async throws {
        try await withRunningShop { shop in
            let johnny = try KooberPassenger(at: shop.url)
            try await johnny.signUp()
            let first = try johnny.start("--architecture", architecture)
            try await first.see("› [ Where to? ]")
            first.press(.enter)
            try await first.see("km")
            first.type("bondi")
            try await first.see("Bondi Beach", "bondi")
            // Killed in the middle of the search.
            try await johnny.hasStoredPlace(with: "bondi")
            await first.isKilled()

            let second = try johnny.start("--architecture", architecture)
            try await second.see("› Where to?         bondi", "Bondi Beach", "Bondi Junction")
            second.type(" beach")
            try await second.see("› Where to?         bondi beach", "Bondi Beach", without: "Bondi Junction")
            second.press(.enter)
            try await second.see("› Bondi Beach")
            second.press(.enter)
            try await second.see("To Bondi Beach", "› ○ Wallaby")
            second.press(.down, .enter)
            let before = try await second.see("● Wallaroo", "› [ Ride by Wallaroo")
            try await johnny.hasStoredPlace(with: "wallaroo")
            await second.isKilled()

            // The place is not that of an architecture.
            for architecture in Self.architectures {
                let next = try johnny.start("--architecture", architecture)
                #expect(try await next.see("● Wallaroo", "› [ Ride by Wallaroo") == before)
                await next.isKilled()
            }
        }
    }

    @Test(arguments: architectures)
    func `The place of one user is not shown to the next`(architecture: String) async throws {
        try await withRunningShop { shop in
            let device = try KooberPassenger(at: shop.url)
            try await device.signUp()
            let visit = try device.start("--architecture", architecture, "--open", "koober://ride?to=Bondi Beach")
            try await visit.see("To Bondi Beach", "› ○ Wallaby")
            try await device.hasStoredPlace(with: "Bondi Beach")
            await visit.isKilled()
            let signsOut = try await device.koober(
                "--architecture", architecture, script: "profile\nsign-out\ngo-to-sign-in")
            #expect(signsOut.status == 0, "\(signsOut.errors)")
            let next = try device.start("--architecture", architecture)
            try await next.see("› [ Sign in ]")
            next.press(.down, .enter)
            try await next.see("› Name")
            for text in ["Ann", "ann@example.com", "", "correct horse"] { next.type(text + "\r") }
            try await next.see("› [ Where to? ]")
            await next.leaves()
        }
    }

    @Test(arguments: architectures)
    func `A link leads to the options of a ride, after signing in`(architecture: String) async throws {
        try await withRunningShop { shop in
            let johnny = try KooberPassenger(at: shop.url)
            let link = ["--architecture", architecture, "--open", "koober://ride?to=bondi beach"]
            let visit = try johnny.start(link[0], link[1], link[2], link[3])
            try await visit.see("› [ Sign in ]")
            visit.press(.down, .enter)
            try await visit.see("› Name")
            for text in ["Johnny", "johnny@example.com", "", "correct horse"] { visit.type(text + "\r") }
            try await visit.see("To Bondi Beach", "› ○ Wallaby")
            await visit.leaves()
            // A user who is signed in is there at once; a link goes before the place where the app was left.
            let profile = try johnny.start("--architecture", architecture, "--open", "koober://profile")
            try await profile.see("johnny@example.com", "› [ Close ]")
            profile.press(.enter)
            try await profile.see("› [ Where to? ]")
            await profile.leaves()
            let script = try await johnny.koober(
                link[0], link[1], "--open", "koober://ride?to=beach", script: "choose Coogee Beach")
            #expect(script.status == 0, "\(script.errors)")
            let lines = script.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("drop-off from near Hyde Park: “beach”; ") })
            #expect(lines.last?.hasPrefix("options from near Hyde Park to Coogee Beach; ") == true)
        }
    }

    @Test(arguments: architectures)
    func `A ride under way comes before the place and the link`(architecture: String) async throws {
        try await withRunningShop(in: CitySettings(speed: 1)) { shop in
            let johnny = try KooberPassenger(at: shop.url)
            try await johnny.signUp()
            let first = try johnny.start("--architecture", architecture, "--open", "koober://ride?to=Bondi Beach")
            try await first.see("› ○ Wallaby")
            first.press(.enter)
            try await first.see("› [ Ride by Wallaby")
            first.press(.enter)
            try await first.see("near Hyde Park → Bondi Beach", "› [ Cancel the ride ]")
            await first.isKilled()
            for link in ["koober://ride", "koober://ride?to=Manly Beach"] {
                let next = try johnny.start("--architecture", architecture, "--open", link)
                try await next.see("near Hyde Park → Bondi Beach", "› [ Cancel the ride ]")
                await next.isKilled()
            }
        }
    }

    @Test func `A developer travels through the actions, and the place of the user stays`() async throws {
        try await withRunningShop { shop in
            let johnny = try KooberPassenger(at: shop.url)
            try await johnny.signUp()
            let visit = try johnny.start(
                "--architecture", "redux", "--open", "koober://ride?to=Bondi Beach", columns: 120)
            try await visit.see("› ", "○ Wallaby")
            visit.press(.down, .enter)
            try await visit.see("› [ Ride by Wallaroo")
            try await johnny.hasStoredPlace(with: "wallaroo")
            visit.pressTimeTravel()
            try await visit.see("signedIn(pickMeUp(rideOptionPicker(selected)))", "Ctrl-T present")
            visit.press(.left)
            try await visit.see("rideOptionPicker(loaded)", "○ Wallaroo")
            visit.press(.left)
            try await visit.see("Which kangaroo?", "dropoffLocationPicker(found)")
            visit.type("e")
            try await visit.see("Exported to", ".actions.json")
            await visit.isKilled()

            let file = try #require(johnny.file(".actions.json"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let recording = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            #expect((recording["actions"] as? [Any])?.count ?? 0 > 3)
            #expect(recording["start"] != nil)
            let next = try johnny.start("--architecture", "redux")
            try await next.see("› [ Ride by Wallaroo")
            next.pressTimeTravel()
            try await next.see("Step")
            next.press(.left)
            next.pressTimeTravel()
            try await next.see("› [ Ride by Wallaroo")
            await next.leaves()
        }
    }
}
