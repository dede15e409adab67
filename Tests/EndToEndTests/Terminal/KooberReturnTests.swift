import Foundation
import PouchRides
import PseudoTerminal
import Testing

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
    func `A process that was killed while a ride is chosen is followed by one at the same place`(
        architecture: String
    ) async throws {
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
            try await second.screen(with: ["› Where to?         bondi beach", "Bondi Beach"], without: "Bondi Junction")
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
