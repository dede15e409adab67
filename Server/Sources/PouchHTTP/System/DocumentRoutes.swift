import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchWire

/// The description of this interface.
struct DocumentRoutes {
    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        let answer = Result { [digests = services.digests] in
            try EncodedAnswer(bytes: OpenAPI.bytes(), cacheControl: "public, max-age=300", digests: digests)
        }
        routes.open(.openAPI) { call in try answer.get().response(to: call.request) }
    }
}
