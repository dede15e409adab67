import KooberKit
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

extension Scenario {
    static let launch: [Scenario] = [
        Scenario("a launch without a session leads to the welcome screen") { app in
            #expect(app.app?.screen == nil)
            app.start()
            // The app starts once.
            try await app.launchesSignedOut()
            #expect(app.world.readUserSession.asked.count == 1)
            #expect(app.world.count(of: (any AuthRemoteAPI).self) == 1)
            #expect(app.world.count(of: (any UserSessionDataStore).self) == 1)
            #expect(app.world.count(of: (any LocationRepository).self) == 0)
        },
        Scenario("a launch with a session skips the onboarding") { app in
            try await app.reachesMap()
            #expect(app.world.signIn.asked.isEmpty)
            #expect(app.objects.count(in: .onboarding) == 0)
        },
        Scenario("an unreadable session is reported, and the user signs in again") { app in
            app.start()
            try await app.shows(.launching)
            try await app.reports(app.world.readUserSession.fails(), on: .launching, then: .welcome)
            try await app.signsIn(app.world.service.rider)
        },
        Scenario("a later stream starts with the present screen") { app in
            try await app.launchesSignedOut()
            var screens = try #require(app.app).screens().makeAsyncIterator()
            #expect(await screens.next(isolation: #isolation) == KooberScreen(.welcome))
            try await app.performs(.goToSignUp)
            // Before the stream has it.
            #expect(app.app?.screen == KooberScreen(.signUp(AppUnderTest.idle)))
            #expect(await screens.next(isolation: #isolation) == KooberScreen(.signUp(AppUnderTest.idle)))
            try await app.shows(.signUp(AppUnderTest.idle))
        },
    ]

    static let onboarding: [Scenario] = [
        Scenario("the user opens both forms, goes back from each, and signs in") { app in
            try await app.launchesSignedOut()
            for _ in 1...2 {
                try await app.performs(.goToSignIn, showing: .signIn(AppUnderTest.idle))
                try await app.performs(.goBack, showing: .welcome)
                try await app.performs(.goToSignUp, showing: .signUp(AppUnderTest.idle))
                try await app.performs(.goBack, showing: .welcome)
            }
            try await app.signsIn(app.world.service.rider)
            try await app.findsLocation()
        },
        Scenario("a sign-in with an empty field is not sent") { app in
            try await app.reachesSignIn()
            let missing: [FormField: Phrase] = [.email: .emailMissing, .password: .passwordMissing]
            for (email, password, fields) in [
                ("", "", [.email, .password]), ("  ", "secret", [.email]), ("ada@example.org", "", [.password]),
            ] as [(String, String, [FormField])] {
                let problems = missing.filter { fields.contains($0.key) }
                try await app.performs(
                    .signIn(email: email, password: Secret(password)), showing: .signIn(FormScreen(problems: problems)))
            }
            #expect(app.world.signIn.asked.isEmpty)
            try await app.performs(.goBack, showing: .welcome)
            try await app.performs(.goToSignIn, showing: .signIn(AppUnderTest.idle))
        },
        Scenario("a sign-up with an empty field is not sent") { app in
            try await app.reachesSignUp()
            for (name, email, password, problem) in [
                ("", "ada@example.org", "secret", [.name: .nameMissing]),
                ("Ada", " ", "secret", [.email: .emailMissing]),
                ("Ada", "ada@example.org", "", [.password: .passwordMissing]),
            ] as [(String, String, String, [FormField: Phrase])] {
                try await app.performs(
                    .signUp(name: name, email: email, mobileNumber: "1", password: Secret(password)),
                    showing: .signUp(FormScreen(problems: problem)))
            }
            #expect(app.world.signUp.asked.isEmpty)
        },
        Scenario("a field that the service refuses is named, and the corrected form is sent") { app in
            try await app.reachesSignUp()
            let account = Intention.grace(email: "grace." + app.world.service.rider.email)
            try await app.performs(account, showing: .signUp(AppUnderTest.busy))
            let problems: [FormField: Phrase] = [.password: .verbatim("This password is too common.")]
            try await app.world.signUp.fails(ErrorMessage(title: .signUpFailed, message: .tryAgain, fields: problems))
            try await app.shows(.signUp(FormScreen(problems: problems)))
            try await app.signsUp(account)
        },
        Scenario("each wrong password is reported, and the right one signs in") { app in
            let rider = app.world.service.rider
            try await app.reachesSignIn()
            for _ in 1...2 {
                try await app.sendsSignIn(rider.email, "wrong password")
                try await app.reports(app.world.signIn.isRefused(), on: .signIn(AppUnderTest.idle))
            }
            try await app.sendsSignIn(rider.email, rider.password)
            try await app.world.signIn.passes()
            try await app.shows(.gettingUserLocation)
        },
        Scenario("a new account is signed in at once") { app in
            let email = "new." + app.world.service.rider.email
            let grace = Rider(name: "Grace", email: email, mobileNumber: "510-736-8754", password: "")
            try await app.reachesSignUp()
            try await app.signsUp(.grace(email: email, mobileNumber: grace.mobileNumber))
            let map = app.map(try await app.findsLocation())
            try await app.performs(.showProfile, showing: map, profile: app.profile(of: grace))
        },
        Scenario("blanks around the input are ignored, and blanks alone count as empty") { app in
            let email = "spaced." + app.world.service.rider.email
            try await app.reachesSignUp()
            try await app.signsUp(.grace(" Grace", email: "\(email) ", mobileNumber: " "))
            #expect(app.world.signUp.asked.map { [$0.name, $0.email, $0.mobileNumber] } == [["Grace", email, ""]])
        },
        Scenario("a refused sign-up can be repeated") { app in
            let rider = app.world.service.rider
            let account = Intention.grace(rider.name, email: rider.email, mobileNumber: rider.mobileNumber)
            try await app.reachesSignUp()
            for _ in 1...2 {
                try await app.performs(account, showing: .signUp(AppUnderTest.busy))
                try await app.reports(app.world.signUp.isRefused(), on: .signUp(AppUnderTest.idle))
            }
            try await app.performs(.goBack, showing: .welcome)
        },
    ]
}

extension Intention {
    /// Signs up with a password that the service accepts.
    static func grace(_ name: String = "Grace", email: String, mobileNumber: String = "") -> Intention {
        .signUp(name: name, email: email, mobileNumber: mobileNumber, password: Secret("correct horse battery"))
    }
}
