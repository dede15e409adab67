import KooberKit
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

extension Scenario {
    /// Scenarios about coming back, links and the connection.
    static let places: [Scenario] = [
        Scenario("a session outlives the app, and its end does, too") { app in
            let rider = app.world.service.rider
            try await app.launchesSignedOut()
            try await app.signsIn(rider)
            try await app.world.stores { $0?.profile?.email == rider.email }
            let again = try app.relaunched()
            try await again.relaunches()
            let pickup = try await again.findsLocation()
            #expect(again.world.signIn.asked.count == 1)
            try await again.signsOut(on: again.map(pickup))
            try await again.world.stores { $0 == nil }
            try await again.relaunched().launchesSignedOut()
        },
        Scenario("an app that was left on a form starts with it", opening: Destination(form: .signUp)) { app in
            try await app.relaunches(showing: .signUp(AppUnderTest.idle))
            try await app.performs(.goBack, showing: .welcome)
        },
        Scenario("an app that was left in a search starts with it, and goes on as ever") { app in
            let (pickup, near) = try await app.reachesPicker()
            try await app.searches(near[1].name, pickup, over: near)
            let again = try app.relaunched(opening: app.shown.map { Destination($0) })
            try await again.relaunches()
            try await again.locates()
            try await again.shows(again.picker(pickup, near[1].name, isSearching: true))
            let found = try await again.world.search.passes { $0 == near[1].name }
            try await again.shows(again.picker(pickup, near[1].name, found))
            try await again.performs(.cancelDropoff, showing: again.map(pickup))
            try await again.choosesTrip(pickup)
        },
        Scenario("an app that was left before the confirmation starts there, with new fares") { app in
            let trip = try await app.reachesOptions()
            try await app.selects(1, of: trip)
            try await app.opensProfile(on: trip.offer(selected: 1))
            let profile = app.profile(of: app.world.service.rider)
            let again = try app.relaunched(opening: app.shown.map { Destination($0) })
            try await again.relaunches(showing: .gettingUserLocation, profile: profile)
            try await again.locates()
            try await again.shows(trip.loading, profile: profile)
            try await again.world.rideOptions.passes()
            try await again.shows(trip.offer(selected: 1), profile: profile)
            try await again.performs(.closeProfile, showing: trip.offer(selected: 1))
            try await again.performs(.confirmRide, showing: trip.screen(.sendingRideRequest))
        },
        Scenario("an option that is no longer offered is not selected") { app in
            let trip = try await app.reachesOptions()
            let place = Destination(ride: .dropoff(trip.dropoff, option: "unicorn"))
            let again = try app.relaunched(opening: place)
            try await again.relaunches()
            try await again.locates()
            try await again.shows(trip.loading)
            _ = try await again.loadsOptions(of: trip)
        },
        Scenario("an option that arrives behind the picker is selected as it was before") { app in
            let trip = try await app.reachesOptions()
            let place = Destination(ride: .dropoff(trip.dropoff, option: trip.options[1].id))
            let again = try app.relaunched(opening: place)
            try await again.relaunches()
            try await again.locates()
            try await again.shows(trip.loading)
            try await again.receivesOptionsBehindPicker(of: trip, selected: 1)
            try await again.performs(.confirmRide, showing: trip.screen(.sendingRideRequest))
        },
        Scenario("a ride in progress comes before the place where the app was left") { app in
            let ride = try await app.world.hasRide(app.world.service.rider)
            let again = try app.relaunched(opening: Destination(ride: .search("Manly", choosesMatch: false)))
            try await again.relaunches()
            try await again.findsRide(ride)
        },
        Scenario("a link leads to the options for its place") { app in
            let (pickup, near) = try await app.reachesPicker()
            let wanted = near[1]
            let link = try #require(Destination(link: "koober://ride?to=\(wanted.name.uppercased())"))
            let again = try app.relaunched(opening: link)
            try await again.relaunches()
            try await again.locates()
            try await again.shows(again.picker(pickup, wanted.name.uppercased(), isSearching: true))
            try await again.world.search.passes()
            let trip = AppUnderTest.Trip(pickup: pickup, dropoff: wanted, options: [])
            try await again.shows(trip.loading)
            _ = try await again.loadsOptions(of: trip)
        },
        Scenario("a link to an unknown place shows the search", opening: Destination(link: "koober://ride?to=Utopia")) {
            app in
            try await app.launchesSignedIn()
            let pickup = try await app.locates()
            try await app.shows(app.picker(pickup, "Utopia", isSearching: true))
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, "Utopia", found))
        },
        Scenario("a link waits for the sign-in", opening: Destination(link: "koober://profile")) { app in
            let rider = app.world.service.rider
            try await app.reachesSignIn()
            try await app.sendsSignIn(rider.email, rider.password)
            try await app.world.signIn.passes()
            try await app.shows(.gettingUserLocation, profile: app.profile(of: rider))
        },
        Scenario(
            "the place of one session is not that of the next",
            opening: Destination(ride: .search("Manly", choosesMatch: false), isProfileShown: true)
        ) { app in
            try await app.launchesSignedOut()
            try await app.signsIn(app.world.service.rider)
            try await app.findsLocation()
        },
        Scenario("a lost connection shows on every screen until it returns") { app in
            try await app.launchesSignedOut()
            app.world.isOnline(false)
            try await app.shows(.welcome, isOffline: true)
            try await app.performs(.goToSignIn, showing: .signIn(AppUnderTest.idle), isOffline: true)
            app.world.isOnline(true)
            try await app.shows(.signIn(AppUnderTest.idle))
        },
    ]
}
