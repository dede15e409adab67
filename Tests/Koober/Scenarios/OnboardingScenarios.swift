import KooberKit
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

extension Scenario {
    static let launch: [Scenario] = [
        Scenario("a launch without a session leads to the welcome screen") { app in
            #expect(app.app?.screen == nil)
            try await app.launchesSignedOut()
            #expect(app.world.count(of: "AuthRemoteAPI") == 1)
            #expect(app.world.count(of: "UserSessionDataStore") == 1)
            #expect(app.world.count(of: "LocationRepository") == 0)
        },
        Scenario("a launch with a session skips the onboarding") { app in
            _ = try await app.reachesMap()
            #expect(app.world.signIn.asked.isEmpty)
            #expect(app.objects.count(in: .onboarding) == 0)
        },
        Scenario("an unreadable session is reported, and the user signs in again") { app in
            app.start()
            try await app.shows(.launching)
            let error = try await app.world.readUserSession.fails()
            try await app.shows(.launching, error: error)
            try await app.acknowledges(.welcome)
            try await app.signsIn(app.world.service.rider)
        },
        Scenario("a later stream starts with the present screen") { app in
            try await app.launchesSignedOut()
            var screens = try #require(app.app).screens().makeAsyncIterator()
            #expect(await screens.next(isolation: #isolation) == KooberScreen(.welcome))
            try await app.performs(.goToSignUp)
            #expect(await screens.next(isolation: #isolation) == KooberScreen(.signUp(AppUnderTest.idle)))
            try await app.shows(.signUp(AppUnderTest.idle))
        },
    ]
}

extension Scenario {
    static let onboarding: [Scenario] = [
        Scenario("the user opens both forms, goes back from each, and signs in") { app in
            try await app.launchesSignedOut()
            for _ in 1...2 {
                try await app.performs(.goToSignIn)
                try await app.shows(.signIn(AppUnderTest.idle))
                try await app.performs(.goBack)
                try await app.shows(.welcome)
                try await app.performs(.goToSignUp)
                try await app.shows(.signUp(AppUnderTest.idle))
                try await app.performs(.goBack)
                try await app.shows(.welcome)
            }
            try await app.signsIn(app.world.service.rider)
            _ = try await app.findsLocation()
        },
        Scenario("a sign-in with an empty field is not sent") { app in
            try await app.launchesSignedOut()
            try await app.performs(.goToSignIn)
            try await app.shows(.signIn(AppUnderTest.idle))
            let missing: [FormField: Phrase] = [.email: .emailMissing, .password: .passwordMissing]
            for (email, password, fields) in [
                ("", "", [.email, .password]), ("  ", "secret", [.email]), ("ada@example.org", "", [.password]),
            ] as [(String, String, [FormField])] {
                try await app.performs(.signIn(email: email, password: Secret(password)))
                try await app.shows(.signIn(FormScreen(problems: missing.filter { fields.contains($0.key) })))
            }
            #expect(app.world.signIn.asked.isEmpty)
            try await app.performs(.goBack)
            try await app.shows(.welcome)
            try await app.performs(.goToSignIn)
            try await app.shows(.signIn(AppUnderTest.idle))
        },
        Scenario("a sign-up with an empty field is not sent") { app in
            try await app.launchesSignedOut()
            try await app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            for (name, email, password, problem) in [
                ("", "ada@example.org", "secret", [.name: .nameMissing]),
                ("Ada", " ", "secret", [.email: .emailMissing]),
                ("Ada", "ada@example.org", "", [.password: .passwordMissing]),
            ] as [(String, String, String, [FormField: Phrase])] {
                try await app.performs(.signUp(name: name, email: email, mobileNumber: "1", password: Secret(password)))
                try await app.shows(.signUp(FormScreen(problems: problem)))
            }
            #expect(app.world.signUp.asked.isEmpty)
        },
        Scenario("a field that the service refuses is named, and the corrected form is sent") { app in
            try await app.launchesSignedOut()
            try await app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            let account = Intention.signUp(
                name: "Grace", email: "grace." + app.world.service.rider.email, mobileNumber: "",
                password: Secret("correct horse battery"))
            try await app.performs(account)
            try await app.shows(.signUp(AppUnderTest.busy))
            let problems: [FormField: Phrase] = [.password: .verbatim("This password is too common.")]
            try await app.world.signUp.fails(
                ErrorMessage(title: .signUpFailed, message: .tryAgain, fields: problems))
            try await app.shows(.signUp(FormScreen(problems: problems)))
            try await app.performs(account)
            try await app.shows(.signUp(AppUnderTest.busy))
            try await app.world.signUp.passes()
            try await app.shows(.gettingUserLocation)
        },
        Scenario("each wrong password is reported, and the right one signs in") { app in
            let rider = app.world.service.rider
            try await app.launchesSignedOut()
            try await app.performs(.goToSignIn)
            try await app.shows(.signIn(AppUnderTest.idle))
            for _ in 1...2 {
                try await app.performs(.signIn(email: rider.email, password: Secret("wrong password")))
                try await app.shows(.signIn(AppUnderTest.busy))
                let error = try await app.world.signIn.isRefused()
                try await app.shows(.signIn(AppUnderTest.idle), error: error)
                try await app.acknowledges(.signIn(AppUnderTest.idle))
            }
            try await app.performs(.signIn(email: rider.email, password: Secret(rider.password)))
            try await app.shows(.signIn(AppUnderTest.busy))
            try await app.world.signIn.passes()
            try await app.shows(.gettingUserLocation)
        },
        Scenario("a new account is signed in at once") { app in
            let name = "Grace"
            let email = "new." + app.world.service.rider.email
            try await app.launchesSignedOut()
            try await app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            try await app.performs(
                .signUp(name: name, email: email, mobileNumber: "", password: Secret("correct horse battery")))
            try await app.shows(.signUp(AppUnderTest.busy))
            try await app.world.signUp.passes()
            try await app.shows(.gettingUserLocation)
            let pickup = try await app.findsLocation()
            try await app.performs(.showProfile)
            try await app.shows(
                app.map(pickup), profile: ProfileScreen(Profile(id: "", name: name, email: email)))
        },
        Scenario("blanks around the input are ignored, and blanks alone count as empty") { app in
            let email = "spaced." + app.world.service.rider.email
            try await app.launchesSignedOut()
            try await app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            try await app.performs(
                .signUp(
                    name: " Grace", email: "\(email) ", mobileNumber: " ",
                    password: Secret("correct horse battery")))
            try await app.shows(.signUp(AppUnderTest.busy))
            try await app.world.signUp.passes()
            try await app.shows(.gettingUserLocation)
            #expect(app.world.signUp.asked.map { [$0.name, $0.email, $0.mobileNumber] } == [["Grace", email, ""]])
        },
        Scenario("a refused sign-up can be repeated") { app in
            let rider = app.world.service.rider
            let account = Intention.signUp(
                name: rider.name, email: rider.email, mobileNumber: rider.mobileNumber,
                password: Secret("correct horse battery"))
            try await app.launchesSignedOut()
            try await app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            for _ in 1...2 {
                try await app.performs(account)
                try await app.shows(.signUp(AppUnderTest.busy))
                let error = try await app.world.signUp.isRefused()
                try await app.shows(.signUp(AppUnderTest.idle), error: error)
                try await app.acknowledges(.signUp(AppUnderTest.idle))
            }
            try await app.performs(.goBack)
            try await app.shows(.welcome)
        },
    ]
}
