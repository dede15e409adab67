import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire

extension StubRides.State {
    mutating func answer(to request: NetworkRequest) -> NetworkResponse {
        let owner = request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
        let key = request.headers["Idempotency-Key"].map { owner + " " + $0 }
        if let key, let answer = answers[key] { return answer }
        let answer = perform(request, owner)
        if let key, (200..<300).contains(answer.status) { answers[key] = answer }
        return answer
    }

    private mutating func perform(_ request: NetworkRequest, _ owner: String) -> NetworkResponse {
        let path = request.url.path().split(separator: "/").dropFirst().map(String.init)
        switch (request.method, path.first, path.count) {
        case ("POST", "sessions", 1): return .json(Shopper.bea.session, status: 201)
        case ("DELETE", "sessions", _): return NetworkResponse(status: 204)
        case ("GET", "ride", _): return ask(path.last ?? "")
        case ("POST", "ride", _): return .json(Page(items: [Fixture.quote]))
        case ("GET", "rides", 1): return .json(Page(items: rides[owner] ?? []))
        case ("POST", "rides", 1):
            let ride = Fixture.ride(.requested, id: "rid_\((rides[owner]?.count ?? 0) + 1)")
            rides[owner, default: []].insert(ride, at: 0)
            return .json(ride, status: 201)
        default: return ride(path, owner)
        }
    }

    private func ask(_ what: String) -> NetworkResponse {
        switch what {
        case "places": .json(Page(items: [Fixture.operaHouse]))
        default: .json(Page(items: [Fixture.wallaby]))
        }
    }

    private mutating func ride(_ path: [String], _ owner: String) -> NetworkResponse {
        guard let ride = rides[owner]?.first(where: { $0.id == path[1] }) else { return .problem(.notFound) }
        switch path.dropFirst(2).first {
        case "cancel":
            guard ride.status.isCancellable else { return .problem(.notCancellable) }
            let cancelled = ride.next(.cancelledByRider)
            rides[owner] = rides[owner]?.map { $0.id == ride.id ? cancelled : $0 }
            return .json(cancelled)
        case "receipt":
            return ride.status == .completed ? .json(Fixture.receipt(of: ride)) : .problem(.rideNotCompleted)
        default: return .json(ride)
        }
    }
}
