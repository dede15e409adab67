import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let launch: [Scenario] = [
        Scenario("a launch without a session leads to the welcome screen") { app in
            #expect(app.app?.screen == nil)
            try await app.launchesSignedOut()
            #expect(app.world.count(of: "UserSessionRepository") == 1)
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
            try app.performs(.goToSignUp)
            #expect(await screens.next(isolation: #isolation) == KooberScreen(.signUp(AppUnderTest.idle)))
            try await app.shows(.signUp(AppUnderTest.idle))
        },
    ]
}

extension Scenario {
    private static let emptySignIn = ErrorMessage(
        title: "Sign-in failed", message: "Enter your e-mail address and your password.")
    private static let emptySignUp = ErrorMessage(
        title: "Sign-up failed", message: "Enter your name, your e-mail address and a password.")

    static let onboarding: [Scenario] = [
        Scenario("the user opens both forms, goes back from each, and signs in") { app in
            try await app.launchesSignedOut()
            for _ in 1...2 {
                try app.performs(.goToSignIn)
                try await app.shows(.signIn(AppUnderTest.idle))
                try app.performs(.goBack)
                try await app.shows(.welcome)
                try app.performs(.goToSignUp)
                try await app.shows(.signUp(AppUnderTest.idle))
                try app.performs(.goBack)
                try await app.shows(.welcome)
            }
            try await app.signsIn(app.world.service.rider)
            _ = try await app.findsLocation()
        },
        Scenario("a sign-in with an empty field is not sent") { app in
            try await app.launchesSignedOut()
            try app.performs(.goToSignIn)
            try await app.shows(.signIn(AppUnderTest.idle))
            for (email, password) in [("", ""), ("  ", "secret"), ("ada@example.org", "")] {
                try app.performs(.signIn(email: email, password: Secret(password)))
                try await app.shows(.signIn(AppUnderTest.idle), error: emptySignIn)
                try await app.acknowledges(.signIn(AppUnderTest.idle))
            }
            #expect(app.world.signIn.asked.isEmpty)
        },
        Scenario("a sign-up with an empty field is not sent") { app in
            try await app.launchesSignedOut()
            try app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            for (name, email, password) in [
                ("", "ada@example.org", "secret"), ("Ada", " ", "secret"), ("Ada", "ada@example.org", ""),
            ] {
                try app.performs(.signUp(name: name, email: email, mobileNumber: "1", password: Secret(password)))
                try await app.shows(.signUp(AppUnderTest.idle), error: emptySignUp)
                try await app.acknowledges(.signUp(AppUnderTest.idle))
            }
            #expect(app.world.signUp.asked.isEmpty)
        },
        Scenario("each wrong password is reported, and the right one signs in") { app in
            let rider = app.world.service.rider
            try await app.launchesSignedOut()
            try app.performs(.goToSignIn)
            try await app.shows(.signIn(AppUnderTest.idle))
            for _ in 1...2 {
                try app.performs(.signIn(email: rider.email, password: Secret("wrong password")))
                try await app.shows(.signIn(AppUnderTest.busy))
                let error = try await app.world.signIn.isRefused()
                try await app.shows(.signIn(AppUnderTest.idle), error: error)
                try await app.acknowledges(.signIn(AppUnderTest.idle))
            }
            try app.performs(.signIn(email: rider.email, password: Secret(rider.password)))
            try await app.shows(.signIn(AppUnderTest.busy))
            try await app.world.signIn.passes()
            try await app.shows(.gettingUserLocation)
        },
        Scenario("a new account is signed in at once") { app in
            let name = "Grace"
            let email = "new." + app.world.service.rider.email
            try await app.launchesSignedOut()
            try app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            try app.performs(
                .signUp(name: name, email: email, mobileNumber: "", password: Secret("correct horse battery")))
            try await app.shows(.signUp(AppUnderTest.busy))
            try await app.world.signUp.passes()
            try await app.shows(.gettingUserLocation)
            let pickup = try await app.findsLocation()
            try app.performs(.showProfile)
            try await app.shows(
                app.map(pickup), profile: ProfileScreen(name: name, email: email, mobileNumber: ""))
        },
        Scenario("blanks around the input are ignored, and blanks alone count as empty") { app in
            let email = "spaced." + app.world.service.rider.email
            try await app.launchesSignedOut()
            try app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            try app.performs(
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
            try app.performs(.goToSignUp)
            try await app.shows(.signUp(AppUnderTest.idle))
            for _ in 1...2 {
                try app.performs(account)
                try await app.shows(.signUp(AppUnderTest.busy))
                let error = try await app.world.signUp.isRefused()
                try await app.shows(.signUp(AppUnderTest.idle), error: error)
                try await app.acknowledges(.signUp(AppUnderTest.idle))
            }
            try app.performs(.goBack)
            try await app.shows(.welcome)
        },
    ]
}
