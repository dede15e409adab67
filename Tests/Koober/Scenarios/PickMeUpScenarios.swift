import ClientTesting
import KooberKit
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

extension Scenario {
    static let location: [Scenario] = [
        Scenario("the location fails twice, and is then found") { app in
            try await app.launchesSignedIn()
            let message = ErrorMessage(title: .verbatim("Your location is unknown"), message: .tryAgain)
            for _ in 1...2 {
                try await app.world.activeRide.passes()
                try await app.world.userLocation.fails(ErrorMessage(title: message.title, message: message.message))
                try await app.waitsForAcknowledgement(of: message)
            }
            try await app.findsLocation()
        },
        Scenario("the search for a ride in progress fails twice, and the ride is then shown without a map") { app in
            let ride = try await app.world.hasRide(app.world.service.rider)
            try await app.relaunches()
            for _ in 1...2 {
                let error = try await app.world.activeRide.fails()
                try await app.waitsForAcknowledgement(of: error)
            }
            try await app.findsRide(ride)
            #expect(app.world.userLocation.asked.isEmpty)
        },
    ]

    static let dropoff: [Scenario] = [
        Scenario("the user sees the places nearby, searches, and chooses a trip") { app in
            let (pickup, near) = try await app.reachesPicker()
            let wanted = try #require(near.last)
            try await app.searches(wanted.name, pickup, over: near)
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, wanted.name, found))
            #expect(app.world.search.asked == ["", wanted.name])
            _ = try await app.loadsOptions(of: try await app.selects(wanted, from: pickup))
        },
        Scenario("only the latest search counts when an older one answers before it") { app in
            let (pickup, near) = try await app.reachesPicker()
            app.world.keepsCancelledCalls()
            for text in ["no such place", near[1].name] {
                try await app.searches(text, pickup, over: near)
                try await app.world.search.isAsked { $0 == text }
            }
            try await app.world.search.passes { $0 == "no such place" }
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, near[1].name, found))
        },
        Scenario("only the latest search counts when older ones answer and fail after it") { app in
            let (pickup, near) = try await app.reachesPicker()
            app.world.keepsCancelledCalls()
            for text in ["no such place", "none either", near[1].name] {
                try await app.searches(text, pickup, over: near)
                try await app.world.search.isAsked { $0 == text }
            }
            let found = try await app.world.search.passes { $0 == near[1].name }
            try await app.shows(app.picker(pickup, near[1].name, found))
            try await app.world.search.passes { $0 == "no such place" }
            try await app.world.search.fails { $0 == "none either" }
            // An app that showed their answers would do so before the next screen.
            try await app.searches("", pickup, over: found)
            let again = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, "", again))
            try await app.performs(.goBack, showing: app.map(pickup))
        },
        Scenario("a cancelled search shows no error") { app in
            let (pickup, near) = try await app.reachesPicker()
            try await app.searches("no such place", pickup, over: near)
            try await app.world.search.isAsked()
            try await app.searches("", pickup, over: near)
            let again = try await app.world.search.passes { $0 == "" }
            try await app.shows(app.picker(pickup, "", again))
        },
        Scenario("a failed search keeps the results of the one before") { app in
            let (pickup, near) = try await app.reachesPicker()
            for _ in 1...2 {
                try await app.searches("Manly", pickup, over: near)
                try await app.reports(app.world.search.fails(), on: app.picker(pickup, "Manly", near))
            }
            try await app.searches("Manly", pickup, over: near)
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, "Manly", found))
        },
        Scenario("the picker is closed in both ways during a search, and opens empty again") { app in
            let pickup = try await app.reachesMap()
            app.world.keepsCancelledCalls()
            for close in [Intention.cancelDropoff, .goBack] {
                try await app.performs(.chooseDropoff, showing: app.picker(pickup, isSearching: true))
                try await app.world.search.isAsked()
                try await app.performs(close, showing: app.map(pickup))
                try await app.world.search.fails()
            }
            let near = try await app.opensPicker(pickup)
            try await app.searches("Manly", pickup, over: near)
            try await app.world.search.isAsked()
            try await app.performs(.cancelDropoff, showing: app.map(pickup))
            try await app.world.search.passes()
            try await app.opensPicker(pickup)
        },
        Scenario("the user selects one option after another") { app in
            let trip = try await app.reachesOptions()
            for index in [0, 1, 0] { try await app.selects(index, of: trip) }
            // Selecting the same option again changes nothing, so that the next screen is the next step.
            try await app.performs(.selectRideOption(trip.options[0].id))
            try await app.performs(.confirmRide, showing: trip.screen(.sendingRideRequest))
        },
        Scenario("opening and closing the picker keeps the options") { app in
            let trip = try await app.reachesOptions()
            for (selected, close) in [(nil, Intention.goBack), (1, .cancelDropoff)] {
                if let selected { try await app.selects(selected, of: trip) }
                try await app.opensPicker(over: trip)
                try await app.performs(close, showing: trip.offer(selected: selected))
            }
            #expect(app.world.rideOptions.asked.count == 1)
        },
        Scenario("options that arrive behind the picker are offered when it closes") { app in
            let (pickup, near) = try await app.reachesPicker()
            try await app.receivesOptionsBehindPicker(of: try await app.selects(near[1], from: pickup), selected: nil)
        },
        Scenario("the options of an earlier destination are dropped") { app in
            let (pickup, near) = try await app.reachesPicker()
            app.world.keepsCancelledCalls()
            let former = try await app.selects(near[1], from: pickup)
            try await app.world.rideOptions.isAsked { $0.dropoffLocation == near[1].location }
            try await app.opensPicker(over: former)
            let other = try await app.selects(near[2], from: pickup)
            try await app.world.rideOptions.isAsked { $0.dropoffLocation == near[2].location }
            try await app.world.rideOptions.passes { $0.dropoffLocation == near[1].location }
            try await app.confirms(try await app.loadsOptions(of: other))
            #expect(try await app.receivesRide().waypoints.dropoffLocation == near[2].location)
        },
        Scenario("failed options are reported, and choosing the destination again loads them") { app in
            let (pickup, near) = try await app.reachesPicker()
            let trip = try await app.selects(near[1], from: pickup)
            try await app.reports(app.world.rideOptions.fails(), on: trip.offer(selected: nil))
            try await app.opensPicker(over: trip)
            _ = try await app.loadsOptions(of: try await app.selects(near[1], from: pickup))
        },
    ]

    static let request: [Scenario] = [
        Scenario("the confirmed request is sent") { app in
            let trip = try await app.reachesOptions()
            try await app.selects(0, of: trip)
            try await app.confirms(trip, 1)
            try await app.receivesRide()
            let waypoints = RideWaypoints(pickupLocation: trip.pickup, dropoffLocation: trip.dropoff.location)
            #expect(app.world.request.asked == [NewRideRequest(waypoints: waypoints, option: trip.options[1])])
        },
        Scenario("a failed request is reported, and is repeated with new fares") { app in
            let trip = try await app.reachesOptions()
            for _ in 1...2 {
                try await app.confirms(trip)
                try await app.reports(app.world.request.fails(), on: trip.offer(selected: 0), then: trip.loading)
                _ = try await app.loadsOptions(of: trip)
            }
            #expect(app.world.rideOptions.asked.count == 3)
            try await app.confirms(trip)
            try await app.receivesRide()
        },
        Scenario("a ride requested on another device is shown, and no second one is requested") { app in
            let trip = try await app.reachesOptions()
            let ride = try #require(try await app.world.hasRideElsewhere())
            try await app.confirms(trip, 1)
            let found = try await app.receivesRide()
            #expect(found.id == ride.id)
            #expect(found.rideOptionID == trip.options[0].id)
            try await app.ridesToTheEnd()
        },
        Scenario("the new fares after a failed request may fail too") { app in
            let trip = try await app.reachesOptions()
            try await app.confirms(trip)
            try await app.reports(app.world.request.fails(), on: trip.offer(selected: 0), then: trip.loading)
            try await app.reports(app.world.rideOptions.fails(), on: trip.offering([]).offer(selected: nil))
        },
    ]
}

extension AppUnderTest {
    /// Opens the drop-off picker, which shows the places nearby.
    func reachesPicker() async throws -> (pickup: GeoPoint, near: [NamedLocation]) {
        let pickup = try await reachesMap()
        return (pickup, try await opensPicker(pickup))
    }

    /// Opens the drop-off picker while the options of the trip are being loaded, and closes it after they arrived.
    func receivesOptionsBehindPicker(of trip: Trip, selected: Int?) async throws {
        try await world.rideOptions.isAsked()
        try await opensPicker(over: trip)
        // Opening the picker has not ended the call.
        try #require(!world.rideOptions.waiting.isEmpty)
        let loaded = trip.offering(try await world.rideOptions.passes())
        await turnsPass()
        try await performs(.cancelDropoff)
        // On a busy machine the options may reach the app only now.
        if app?.screen?.content == trip.loading { try await shows(trip.loading) }
        try await shows(loaded.offer(selected: selected))
    }

    /// Shows an error of the search for a ride or the location, which starts again once the user has read of it. Without
    /// a server, a search that did not wait would fail again and again.
    fileprivate func waitsForAcknowledgement(of error: ErrorMessage) async throws {
        try await shows(.gettingUserLocation, error: error)
        await turnsPass()
        #expect(world.activeRide.waiting.isEmpty && world.userLocation.waiting.isEmpty)
        try await acknowledges(.gettingUserLocation)
    }

    /// Finds this ride in progress.
    func findsRide(_ ride: Ride) async throws {
        let found = try #require(try await world.activeRide.passes())
        #expect(found.id == ride.id)
        try await shows(.waiting(found))
    }
}
