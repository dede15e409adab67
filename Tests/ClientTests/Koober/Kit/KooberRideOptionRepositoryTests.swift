import Foundation
import KooberKit
import PouchContract
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchWire
import Testing

struct KooberRideOptionRepositoryTests {
    private let wallaroo = RideOption(
        id: "wallaroo", name: "Wallaroo", capacity: 2, maxWeightGrams: 40_000, images: .init(normal: "", selected: ""))
    private let kangaroo = RideOption(
        id: "kangaroo", name: "Kangaroo", capacity: 3, maxWeightGrams: 60_000, images: .init(normal: "", selected: ""))

    @Test func `options keep their order, each has its own price, and one without a price is left out`() async throws {
        let quotes = ["kangaroo", "wallaby"].map { option in
            FareQuote(
                id: "quo_" + option, rideOptionID: option, fare: Fixture.euros(900), distanceMetres: 1, etaSeconds: 1,
                expiresAt: Fixture.now)
        }
        let transport = StubTransport { [wallaroo, kangaroo] request in
            request.method == "POST"
                ? .json(Page(items: quotes)) : .json(Page(items: [Fixture.wallaby, wallaroo, kangaroo]))
        }
        let data = DataManager(
            service: try makeService(
                over: transport, store: MemorySessionStore(Fixture.data(Shopper.ada.session))))
        let account = AccountManager(data: data)
        let repository = KooberRideOptionRepository(
            rides: RideManager(data: data, account: account), account: account, userSession: Shopper.ada.session)
        let options = try await repository.rideOptions(for: Fixture.trip)
        #expect(options.map(\.id) == ["wallaby", "kangaroo"])
        #expect(options.map(\.quote.id) == ["quo_wallaby", "quo_kangaroo"])
    }
}
