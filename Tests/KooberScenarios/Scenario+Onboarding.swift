import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    private static let emptySignIn = ErrorMessage(
        title: "Sign-in failed", message: "Enter your e-mail address and your password.")
    private static let emptySignUp = ErrorMessage(
        title: "Sign-up failed", message: "Enter your name, your e-mail address and a password.")

    static let onboarding: [Scenario] = [
        Scenario("somebody looks at both forms, goes back from each, and signs in") { app in
            try await app.comesToWelcome()
            for _ in 1...2 {
                try app.wants(.goToSignIn)
                try await app.sees(.signIn(AppUnderTest.idle))
                try app.wants(.goBack)
                try await app.sees(.welcome)
                try app.wants(.goToSignUp)
                try await app.sees(.signUp(AppUnderTest.idle))
                try app.wants(.goBack)
                try await app.sees(.welcome)
            }
            try await app.signsIn(app.world.service.rider)
            _ = try await app.findsLocation()
        },
        Scenario("a sign-in with an empty field asks nobody") { app in
            try await app.comesToWelcome()
            try app.wants(.goToSignIn)
            try await app.sees(.signIn(AppUnderTest.idle))
            for (email, password) in [("", ""), ("  ", "secret"), ("ada@example.org", "")] {
                try app.wants(.signIn(email: email, password: Secret(password)))
                try await app.sees(.signIn(AppUnderTest.idle), error: emptySignIn)
                try await app.acknowledges(.signIn(AppUnderTest.idle))
            }
            #expect(app.world.signIn.asked.isEmpty)
        },
        Scenario("a sign-up with an empty field asks nobody") { app in
            try await app.comesToWelcome()
            try app.wants(.goToSignUp)
            try await app.sees(.signUp(AppUnderTest.idle))
            for (name, email, password) in [
                ("", "ada@example.org", "secret"), ("Ada", " ", "secret"), ("Ada", "ada@example.org", ""),
            ] {
                try app.wants(.signUp(name: name, email: email, mobileNumber: "1", password: Secret(password)))
                try await app.sees(.signUp(AppUnderTest.idle), error: emptySignUp)
                try await app.acknowledges(.signUp(AppUnderTest.idle))
            }
            #expect(app.world.signUp.asked.isEmpty)
        },
        Scenario("a wrong password is told of each time, and the right one gets in") { app in
            let rider = app.world.service.rider
            try await app.comesToWelcome()
            try app.wants(.goToSignIn)
            try await app.sees(.signIn(AppUnderTest.idle))
            for _ in 1...2 {
                try app.wants(.signIn(email: rider.email, password: Secret("wrong password")))
                try await app.sees(.signIn(AppUnderTest.busy))
                let error = try await app.world.signIn.isRefused()
                try await app.sees(.signIn(AppUnderTest.idle), error: error)
                try await app.acknowledges(.signIn(AppUnderTest.idle))
            }
            try app.wants(.signIn(email: rider.email, password: Secret(rider.password)))
            try await app.sees(.signIn(AppUnderTest.busy))
            try await app.world.signIn.passes()
            try await app.sees(.gettingUserLocation)
        },
        Scenario("a new account is signed in at once") { app in
            let name = "Grace"
            let email = "new." + app.world.service.rider.email
            try await app.comesToWelcome()
            try app.wants(.goToSignUp)
            try await app.sees(.signUp(AppUnderTest.idle))
            try app.wants(
                .signUp(name: name, email: email, mobileNumber: "", password: Secret("correct horse battery")))
            try await app.sees(.signUp(AppUnderTest.busy))
            try await app.world.signUp.passes()
            try await app.sees(.gettingUserLocation)
            let pickup = try await app.findsLocation()
            try app.wants(.showProfile)
            try await app.sees(
                app.map(pickup), profile: ProfileScreen(name: name, email: email, mobileNumber: ""))
        },
        Scenario("spaces around what was typed are no part of it, and spaces alone are nothing") { app in
            let email = "spaced." + app.world.service.rider.email
            try await app.comesToWelcome()
            try app.wants(.goToSignUp)
            try await app.sees(.signUp(AppUnderTest.idle))
            try app.wants(
                .signUp(
                    name: " Grace", email: "\(email) ", mobileNumber: " ",
                    password: Secret("correct horse battery")))
            try await app.sees(.signUp(AppUnderTest.busy))
            try await app.world.signUp.passes()
            try await app.sees(.gettingUserLocation)
            #expect(app.world.signUp.asked.map { [$0.name, $0.email, $0.mobileNumber] } == [["Grace", email, ""]])
        },
        Scenario("a sign-up that is refused may be tried again") { app in
            let rider = app.world.service.rider
            let account = Intention.signUp(
                name: rider.name, email: rider.email, mobileNumber: rider.mobileNumber,
                password: Secret("correct horse battery"))
            try await app.comesToWelcome()
            try app.wants(.goToSignUp)
            try await app.sees(.signUp(AppUnderTest.idle))
            for _ in 1...2 {
                try app.wants(account)
                try await app.sees(.signUp(AppUnderTest.busy))
                let error = try await app.world.signUp.isRefused()
                try await app.sees(.signUp(AppUnderTest.idle), error: error)
                try await app.acknowledges(.signUp(AppUnderTest.idle))
            }
            try app.wants(.goBack)
            try await app.sees(.welcome)
        },
    ]
}
