import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let scopes: [Scenario] =
        lifetimes + Moment.ofEachStage.map(release) + Moment.canSignOut.map(signOut) + Moment.allCases.map(sessionEnd)
        + Moment.allCases.map(secondUser)

    private static let lifetimes: [Scenario] = [
        Scenario("the launch leaves no objects") { app in
            app.start()
            try await app.shows(.launching)
            #expect(!app.objects.alive(in: .launch).isEmpty)
            try await app.world.readUserSession.passes()
            try await app.shows(.welcome)
            try await app.releases(.launch)
        },
        Scenario("the onboarding leaves no objects") { app in
            try await app.launchesSignedOut()
            #expect(!app.objects.alive(in: .onboarding).isEmpty)
            try await app.performs(.goToSignUp, showing: .signUp(AppUnderTest.idle))
            try await app.performs(.goBack, showing: .welcome)
            try await app.signsIn(app.world.service.rider)
            try await app.releases(.onboarding)
            #expect(app.objects.alive(in: .signedIn).contains("\(Gated<any LocationRepository>.self)"))
            #expect(app.objects.holdContainer(of: .signedIn))
        },
        Scenario("a requested ride leaves no objects of the steps before, and the next ride gets new ones") {
            app in
            let trip = try await app.reachesOptions()
            try await app.releases(.gettingUserLocation)
            #expect(!app.objects.alive(in: .pickMeUp).isEmpty)
            let count = app.objects.count(in: .pickMeUp)
            try await app.confirms(trip)
            try await app.receivesRide()
            try await app.releases(.pickMeUp)
            #expect(!app.objects.alive(in: .waitingForPickup).isEmpty)
            try await app.ridesToTheEnd()
            try await app.performs(.startNewRide, showing: .gettingUserLocation)
            try await app.releases(.waitingForPickup)
            try await app.findsLocation()
            #expect(app.objects.count(in: .pickMeUp) > count)
            #expect(app.world.userLocation.asked.count == 2)
            #expect(app.world.count(of: (any LocationRepository).self) == 1)
        },
        Scenario("an app without references is deallocated") { app in
            try await app.signsOut(on: app.map(try await app.reachesMap()))
            #expect(app.objects.holdContainer(of: .app))
            try await app.isReleasedWholly()
        },
        Scenario("an app released during the launch leaves no objects") { app in
            app.start()
            try await app.shows(.launching)
            try await app.world.readUserSession.isAsked()
            try await app.isReleasedWholly()
        },
        Scenario("an app released while a sign-in is being sent leaves no objects") { app in
            try await app.reachesSignIn()
            try await app.sendsSignIn("ada@example.org", "secret")
            try await app.world.signIn.isAsked()
            try await app.isReleasedWholly()
        },
        Scenario("an app released while a sign-up is being sent leaves no objects") { app in
            try await app.reachesSignUp()
            try await app.performs(.grace(email: "grace@example.org"), showing: .signUp(AppUnderTest.busy))
            try await app.world.signUp.isAsked()
            try await app.isReleasedWholly()
        },
    ]

    private static let ofSession: [ObjectScope] = [.signedIn, .gettingUserLocation, .pickMeUp, .waitingForPickup]

    private static func release(at moment: Moment) -> Scenario {
        Scenario("a released app leaves no objects: \(moment)") { app in
            try await moment.reach(app)
            try await app.isReleasedWholly()
        }
    }

    private static func signOut(at moment: Moment) -> Scenario {
        Scenario("signing out leaves no objects: \(moment)") { app in
            try await moment.reach(app)
            let shown = try #require(app.shown)
            #expect(!app.objects.alive(in: .signedIn).isEmpty)
            try await app.signsOut(on: shown.content)
            for scope in ofSession { try await app.releases(scope) }
        }
    }

    private static func sessionEnd(at moment: Moment) -> Scenario {
        Scenario("a session that ends elsewhere is reported, and leaves no objects: \(moment)") { app in
            try await moment.reach(app)
            #expect(!app.objects.alive(in: .signedIn).isEmpty)
            try await app.sessionEnds(of: app.world.service.rider)
            for scope in ofSession { try await app.releases(scope) }
            // The session takes its errors with it.
            try await app.acknowledges(.welcome)
        }
    }

    private static func secondUser(after moment: Moment) -> Scenario {
        Scenario("the next user sees nothing of the first: \(moment)") { app in
            let next = app.world.service.otherRider
            try await moment.reach(app)
            app.world.keepsCancelledCalls()
            try await app.sessionEnds(of: app.world.service.rider)
            try await app.acknowledges(.welcome)
            app.world.keepsCancelledCalls(false)
            try await app.performs(.goToSignIn, showing: .signIn(AppUnderTest.idle))
            try await app.sendsSignIn(next.email, next.password)
            let lookUps = app.world.userLocation.asked.count
            // The late answers arrive while the next user signs in. None leads to another call.
            await app.world.answersWaitingCalls()
            try await app.world.signIn.passes()
            try await app.shows(.gettingUserLocation)
            #expect(app.world.userLocation.asked.count == lookUps)
            let trip = try await app.choosesTrip(try await app.findsLocation())
            let offer = trip.offer(selected: nil)
            try await app.performs(.showProfile, showing: offer, profile: app.profile(of: next))
            try await app.performs(.closeProfile, showing: offer)
            try await app.confirms(trip)
            try await app.receivesRide()
            try await app.ridesToTheEnd()
        }
    }
}

extension AppUnderTest {
    /// Gives up the only reference to the app, and requires that none of its objects is left.
    public func isReleasedWholly() async throws {
        isReleased()
        for scope in ObjectScope.allCases { try await releases(scope) }
    }
}
