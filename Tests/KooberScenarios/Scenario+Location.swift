import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let location: [Scenario] = [
        Scenario("where the user is cannot be found out, twice, and then it can") { app in
            try await app.comesIn()
            let message = ErrorMessage(title: "Your location is unknown", message: "Try again.")
            for _ in 1...2 {
                try await app.world.activeRide.passes()
                try await app.world.userLocation.fails(ErrorMessage(title: message.title, message: message.message))
                try await app.sees(.gettingUserLocation, error: message)
                try await app.acknowledges(.gettingUserLocation)
            }
            _ = try await app.findsLocation()
        },
        Scenario("a ride that is under way is shown without a map before it") { app in
            let ride = try await app.world.hasRide(app.world.service.rider)
            try await app.comesBack()
            let found = try await app.world.activeRide.passes()
            #expect(found?.id == ride.id)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: try #require(found))))
        },
        Scenario("where it is unknown whether a ride is under way, that is told, twice, and then the ride is shown") {
            app in
            let ride = try await app.world.hasRide(app.world.service.rider)
            try await app.comesBack()
            for _ in 1...2 {
                let error = try await app.world.activeRide.fails()
                try await app.sees(.gettingUserLocation, error: error)
                #expect(app.world.userLocation.asked.isEmpty)
                try await app.acknowledges(.gettingUserLocation)
            }
            let found = try await app.world.activeRide.passes()
            #expect(found?.id == ride.id)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: try #require(found))))
        },
        Scenario("once it is known that no ride is under way, the map is shown") { app in
            try await app.comesIn()
            let error = try await app.world.activeRide.fails()
            try await app.sees(.gettingUserLocation, error: error)
            try await app.acknowledges(.gettingUserLocation)
            _ = try await app.findsLocation()
        },
    ]
}
