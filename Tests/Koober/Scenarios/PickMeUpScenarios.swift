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
                try await app.shows(.gettingUserLocation, error: message)
                try await app.acknowledges(.gettingUserLocation)
            }
            _ = try await app.findsLocation()
        },
        Scenario("a ride in progress is shown without a map before it") { app in
            let ride = try await app.world.hasRide(app.world.service.rider)
            try await app.relaunches()
            let found = try await app.world.activeRide.passes()
            #expect(found?.id == ride.id)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: try #require(found))))
        },
        Scenario("the search for a ride in progress fails twice, and the ride is then shown") {
            app in
            let ride = try await app.world.hasRide(app.world.service.rider)
            try await app.relaunches()
            for _ in 1...2 {
                let error = try await app.world.activeRide.fails()
                try await app.shows(.gettingUserLocation, error: error)
                #expect(app.world.userLocation.asked.isEmpty)
                try await app.acknowledges(.gettingUserLocation)
            }
            let found = try await app.world.activeRide.passes()
            #expect(found?.id == ride.id)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: try #require(found))))
        },
        Scenario("the search for a ride in progress fails, finds none, and the map is shown") { app in
            try await app.launchesSignedIn()
            let error = try await app.world.activeRide.fails()
            try await app.shows(.gettingUserLocation, error: error)
            try await app.acknowledges(.gettingUserLocation)
            _ = try await app.findsLocation()
        },
    ]
}

extension Scenario {
    static let dropoff: [Scenario] = [
        Scenario("the user sees the places nearby, searches, and chooses a trip") { app in
            let pickup = try await app.reachesMap()
            let near = try await app.opensPicker(pickup)
            let wanted = try #require(near.last)
            try await app.performs(.searchDropoffs(wanted.name))
            try await app.shows(app.picker(pickup, wanted.name, near, isSearching: true))
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, wanted.name, found))
            #expect(app.world.search.asked == ["", wanted.name])
            try await app.performs(.selectDropoff(wanted.name))
            let trip = AppUnderTest.Trip(pickup: pickup, dropoff: wanted, options: [])
            try await app.shows(trip.loading)
            let options = try await app.world.rideOptions.passes {
                $0 == RideWaypoints(pickupLocation: pickup, dropoffLocation: wanted.location)
            }
            try await app.shows(
                AppUnderTest.Trip(pickup: pickup, dropoff: wanted, options: options).offer(selected: nil))
        },
        Scenario("only the latest search counts when an older one answers before it") { app in
            let pickup = try await app.reachesMap()
            let near = try await app.opensPicker(pickup)
            app.world.keepsCancelledCalls()
            try await app.performs(.searchDropoffs("no such place"))
            try await app.shows(app.picker(pickup, "no such place", near, isSearching: true))
            try await app.world.search.isAsked { $0 == "no such place" }
            try await app.performs(.searchDropoffs(near[1].name))
            try await app.shows(app.picker(pickup, near[1].name, near, isSearching: true))
            try await app.world.search.isAsked { $0 == near[1].name }
            try await app.world.search.passes { $0 == "no such place" }
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, near[1].name, found))
        },
        Scenario("only the latest search counts when older ones answer and fail after it") { app in
            let pickup = try await app.reachesMap()
            let near = try await app.opensPicker(pickup)
            app.world.keepsCancelledCalls()
            for text in ["no such place", "none either", near[1].name] {
                try await app.performs(.searchDropoffs(text))
                try await app.shows(app.picker(pickup, text, near, isSearching: true))
                try await app.world.search.isAsked { $0 == text }
            }
            let found = try await app.world.search.passes { $0 == near[1].name }
            try await app.shows(app.picker(pickup, near[1].name, found))
            try await app.world.search.passes { $0 == "no such place" }
            try await app.world.search.fails { $0 == "none either" }
            // An app that showed their answers would do so before the next screen.
            try await app.performs(.searchDropoffs(""))
            try await app.shows(app.picker(pickup, "", found, isSearching: true))
            let again = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, "", again))
            try await app.performs(.goBack)
            try await app.shows(app.map(pickup))
        },
        Scenario("a cancelled search shows no error") { app in
            let pickup = try await app.reachesMap()
            let near = try await app.opensPicker(pickup)
            try await app.performs(.searchDropoffs("no such place"))
            try await app.shows(app.picker(pickup, "no such place", near, isSearching: true))
            try await app.world.search.isAsked()
            try await app.performs(.searchDropoffs(""))
            try await app.shows(app.picker(pickup, "", near, isSearching: true))
            let again = try await app.world.search.passes { $0 == "" }
            try await app.shows(app.picker(pickup, "", again))
        },
        Scenario("a failed search keeps the results of the one before") { app in
            let pickup = try await app.reachesMap()
            let near = try await app.opensPicker(pickup)
            for _ in 1...2 {
                try await app.performs(.searchDropoffs("Manly"))
                try await app.shows(app.picker(pickup, "Manly", near, isSearching: true))
                let error = try await app.world.search.fails()
                try await app.shows(app.picker(pickup, "Manly", near), error: error)
                try await app.acknowledges(app.picker(pickup, "Manly", near))
            }
            try await app.performs(.searchDropoffs("Manly"))
            try await app.shows(app.picker(pickup, "Manly", near, isSearching: true))
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, "Manly", found))
        },
        Scenario("the picker is closed in both ways during a search, and opens empty again") { app in
            let pickup = try await app.reachesMap()
            app.world.keepsCancelledCalls()
            for close in [Intention.cancelDropoff, .goBack] {
                try await app.performs(.chooseDropoff)
                try await app.shows(app.picker(pickup, isSearching: true))
                try await app.world.search.isAsked()
                try await app.performs(close)
                try await app.shows(app.map(pickup))
                try await app.world.search.fails()
            }
            let near = try await app.opensPicker(pickup)
            try await app.performs(.searchDropoffs("Manly"))
            try await app.shows(app.picker(pickup, "Manly", near, isSearching: true))
            try await app.world.search.isAsked()
            try await app.performs(.cancelDropoff)
            try await app.shows(app.map(pickup))
            try await app.world.search.passes()
            _ = try await app.opensPicker(pickup)
        },
        Scenario("the user selects one option after another") { app in
            let trip = try await app.reachesOptions()
            for index in [0, 1, 0] {
                try await app.performs(.selectRideOption(trip.options[index].id))
                try await app.shows(trip.offer(selected: index))
            }
            // Selecting the same option again changes nothing, so that the next screen is the next step.
            try await app.performs(.selectRideOption(trip.options[0].id))
            try await app.performs(.confirmRide)
            try await app.shows(trip.screen(.sendingRideRequest))
        },
        Scenario("opening and closing the picker keeps the options") { app in
            let trip = try await app.reachesOptions()
            for (selected, close) in [(nil, Intention.goBack), (1, .cancelDropoff)] {
                if let selected {
                    try await app.performs(.selectRideOption(trip.options[selected].id))
                    try await app.shows(trip.offer(selected: selected))
                }
                try await app.performs(.chooseDropoff)
                try await app.shows(trip.search(isSearching: true))
                let near = try await app.world.search.passes()
                try await app.shows(trip.search(near))
                try await app.performs(close)
                try await app.shows(trip.offer(selected: selected))
            }
            #expect(app.world.rideOptions.asked.count == 1)
        },
        Scenario("the options of an earlier destination are dropped") { app in
            let pickup = try await app.reachesMap()
            let near = try await app.opensPicker(pickup)
            app.world.keepsCancelledCalls()
            let former = AppUnderTest.Trip(pickup: pickup, dropoff: near[1], options: [])
            try await app.performs(.selectDropoff(near[1].name))
            try await app.shows(former.loading)
            try await app.world.rideOptions.isAsked { $0.dropoffLocation == near[1].location }
            try await app.performs(.chooseDropoff)
            try await app.shows(former.search(isSearching: true))
            try await app.world.search.passes()
            try await app.shows(former.search(near))
            try await app.performs(.selectDropoff(near[2].name))
            let other = AppUnderTest.Trip(pickup: pickup, dropoff: near[2], options: [])
            try await app.shows(other.loading)
            try await app.world.rideOptions.isAsked { $0.dropoffLocation == near[2].location }
            try await app.world.rideOptions.passes { $0.dropoffLocation == near[1].location }
            let options = try await app.world.rideOptions.passes()
            let trip = AppUnderTest.Trip(pickup: pickup, dropoff: near[2], options: options)
            try await app.shows(trip.offer(selected: nil))
            try await app.confirms(trip)
            let ride = try await app.world.request.passes()
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)))
            #expect(ride.waypoints.dropoffLocation == near[2].location)
        },
        Scenario("failed options are reported, and choosing the destination again loads them") { app in
            let pickup = try await app.reachesMap()
            let near = try await app.opensPicker(pickup)
            let trip = AppUnderTest.Trip(pickup: pickup, dropoff: near[1], options: [])
            try await app.performs(.selectDropoff(near[1].name))
            try await app.shows(trip.loading)
            let error = try await app.world.rideOptions.fails()
            try await app.shows(trip.offer(selected: nil), error: error)
            try await app.acknowledges(trip.offer(selected: nil))
            try await app.performs(.chooseDropoff)
            try await app.shows(trip.search(isSearching: true))
            try await app.world.search.passes()
            try await app.shows(trip.search(near))
            try await app.performs(.selectDropoff(near[1].name))
            try await app.shows(trip.loading)
            let options = try await app.world.rideOptions.passes()
            try await app.shows(
                AppUnderTest.Trip(pickup: pickup, dropoff: near[1], options: options).offer(selected: nil))
        },
    ]
}

extension Scenario {
    static let request: [Scenario] = [
        Scenario("the confirmed request is sent") { app in
            let trip = try await app.reachesOptions()
            try await app.performs(.selectRideOption(trip.options[0].id))
            try await app.shows(trip.offer(selected: 0))
            try await app.performs(.selectRideOption(trip.options[1].id))
            try await app.shows(trip.offer(selected: 1))
            try await app.performs(.confirmRide)
            try await app.shows(trip.screen(.sendingRideRequest))
            let ride = try await app.world.request.passes()
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)))
            let request = try #require(app.world.request.asked.first)
            #expect(request.option == trip.options[1])
            #expect(request.waypoints.pickupLocation == trip.pickup)
            #expect(request.waypoints.dropoffLocation == trip.dropoff.location)
            #expect(app.world.request.asked.count == 1)
        },
        Scenario("a failed request is reported, and is repeated with new fares") { app in
            let trip = try await app.reachesOptions()
            for _ in 1...2 {
                try await app.confirms(trip)
                let error = try await app.world.request.fails()
                try await app.shows(trip.offer(selected: 0), error: error)
                try await app.acknowledges(trip.loading)
                let fresh = AppUnderTest.Trip(
                    pickup: trip.pickup, dropoff: trip.dropoff, options: try await app.world.rideOptions.passes())
                try await app.shows(fresh.offer(selected: nil))
            }
            #expect(app.world.rideOptions.asked.count == 3)
            try await app.confirms(trip)
            let ride = try await app.world.request.passes()
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)))
        },
        Scenario("a ride requested on another device is shown, and no second one is requested") { app in
            let trip = try await app.reachesOptions()
            let ride = try #require(try await app.world.hasRideElsewhere())
            try await app.performs(.selectRideOption(trip.options[1].id))
            try await app.shows(trip.offer(selected: 1))
            try await app.performs(.confirmRide)
            try await app.shows(trip.screen(.sendingRideRequest))
            let found = try await app.world.request.passes()
            #expect(found.id == ride.id)
            #expect(found.rideOptionID == trip.options[0].id)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: found)))
            try await app.ridesToTheEnd()
        },
        Scenario("the new fares after a failed request may fail too") { app in
            let trip = try await app.reachesOptions()
            try await app.confirms(trip)
            let refusal = try await app.world.request.fails()
            try await app.shows(trip.offer(selected: 0), error: refusal)
            try await app.acknowledges(trip.loading)
            let error = try await app.world.rideOptions.fails()
            let nothing = AppUnderTest.Trip(pickup: trip.pickup, dropoff: trip.dropoff, options: [])
            try await app.shows(nothing.offer(selected: nil), error: error)
            try await app.acknowledges(nothing.offer(selected: nil))
        },
    ]
}
