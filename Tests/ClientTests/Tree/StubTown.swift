import Foundation
import PouchNetwork

/// A shop and the rides of its town behind one address.
struct StubTown: Transport {
    let shop: StubShop
    let rides: StubRides

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        request.url.path().hasPrefix("/v1/ride")
            ? try await rides.send(request) : try await shop.send(request)
    }
}
