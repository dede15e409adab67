import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let scopes: [Scenario] =
        [
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
                try await app.performs(.goToSignUp)
                try await app.shows(.signUp(AppUnderTest.idle))
                try await app.performs(.goBack)
                try await app.shows(.welcome)
                try await app.signsIn(app.world.service.rider)
                try await app.releases(.onboarding)
                #expect(app.objects.alive(in: .signedIn).contains("GatedLocationRepository"))
                #expect(app.objects.holdContainer(of: .signedIn))
            },
            Scenario("a requested ride leaves no objects of the steps before, and the next ride gets new ones") {
                app in
                let trip = try await app.reachesOptions()
                try await app.releases(.gettingUserLocation)
                #expect(!app.objects.alive(in: .pickMeUp).isEmpty)
                let count = app.objects.count(in: .pickMeUp)
                try await app.confirms(trip)
                let ride = try await app.world.request.passes()
                try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)))
                try await app.releases(.pickMeUp)
                #expect(!app.objects.alive(in: .waitingForPickup).isEmpty)
                try await app.ridesToTheEnd()
                try await app.performs(.startNewRide)
                try await app.shows(.gettingUserLocation)
                try await app.releases(.waitingForPickup)
                _ = try await app.findsLocation()
                #expect(app.objects.count(in: .pickMeUp) > count)
                #expect(app.world.userLocation.asked.count == 2)
                #expect(app.world.count(of: "LocationRepository") == 1)
            },
            Scenario("an app without references is deallocated") { app in
                let pickup = try await app.reachesMap()
                try await app.performs(.showProfile)
                try await app.shows(app.map(pickup), profile: app.profile(of: app.world.service.rider))
                try await app.performs(.signOut)
                try await app.shows(
                    app.map(pickup), profile: app.profile(of: app.world.service.rider, isSigningOut: true))
                try await app.world.signOut.passes()
                try await app.shows(.welcome)
                #expect(app.objects.holdContainer(of: .app))
                app.isReleased()
                for scope in ObjectScope.allCases { try await app.releases(scope) }
            },
        ] + Moment.canSignOut.map(signOut) + Moment.allCases.map(sessionEnd) + Moment.allCases.map(secondUser)

    private static let ofSession: [ObjectScope] = [.signedIn, .gettingUserLocation, .pickMeUp, .waitingForPickup]

    private static func signOut(at moment: Moment) -> Scenario {
        Scenario("signing out leaves no objects: \(moment)") { app in
            let rider = app.world.service.rider
            try await app.launchesSignedIn()
            try await moment.reach(app)
            let shown = try #require(app.shown)
            try await app.performs(.showProfile)
            try await app.shows(shown.content, profile: app.profile(of: rider))
            #expect(!app.objects.alive(in: .signedIn).isEmpty)
            try await app.performs(.signOut)
            try await app.shows(shown.content, profile: app.profile(of: rider, isSigningOut: true))
            try await app.world.signOut.passes()
            try await app.shows(.welcome)
            for scope in ofSession { try await app.releases(scope) }
        }
    }

    private static func sessionEnd(at moment: Moment) -> Scenario {
        Scenario("a session that ends elsewhere is reported, and leaves no objects: \(moment)") { app in
            try await app.launchesSignedIn()
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
            try await app.launchesSignedIn()
            try await moment.reach(app)
            app.world.keepsCancelledCalls()
            try await app.sessionEnds(of: app.world.service.rider)
            try await app.acknowledges(.welcome)
            app.world.keepsCancelledCalls(false)
            try await app.performs(.goToSignIn)
            try await app.shows(.signIn(AppUnderTest.idle))
            try await app.performs(.signIn(email: next.email, password: Secret(next.password)))
            try await app.shows(.signIn(AppUnderTest.busy))
            // The late answers arrive while the next user signs in.
            try await app.world.answersWaitingCalls()
            try await app.world.signIn.passes()
            try await app.shows(.gettingUserLocation)
            let trip = try await app.choosesTrip(try await app.findsLocation())
            try await app.performs(.showProfile)
            try await app.shows(trip.offer(selected: nil), profile: app.profile(of: next))
            try await app.performs(.closeProfile)
            try await app.shows(trip.offer(selected: nil))
            try await app.confirms(trip)
            let ride = try await app.world.request.passes()
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)))
            try await app.ridesToTheEnd()
        }
    }
}
