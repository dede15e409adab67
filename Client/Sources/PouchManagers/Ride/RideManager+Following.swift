import PouchData
import PouchEntities

/// What becomes of a ride, as it happens.
extension RideManager: SessionFollower {
    /// The ride as it is known, then after each change. It ends after the last status, and when the session ends
    /// or changes its owner; what belongs to another never comes here.
    ///
    /// It survives broken connections and a server that is away. Who follows the same ride shares one connection, which ends
    /// with the last of them. It throws a `DataError` where the ride cannot be read, as `.notFound` for one of somebody else,
    /// and `.notSignedIn` for nobody.
    public nonisolated func follow(_ id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        let (rides, continuation) = AsyncThrowingStream<Ride, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(FollowedRide.newsLimit))
        let task = Task {
            do throws(DataError) {
                for await news in try await news(of: id) {
                    switch news {
                    case .ride(let ride): continuation.yield(ride)
                    case .failed(let error): throw error
                    case .over: continuation.finish()
                    }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return rides
    }

    private func news(of id: Ride.ID) async throws(DataError) -> AsyncStream<FollowedRide.News> {
        try await account.restore()
        guard let owner = account.session?.owner else { throw DataError(.notSignedIn) }
        settleOwner()
        let followed = followed[id] ?? begin(id, of: owner)
        return followed.news.join(
            first: { followed.ride.map { [.ride($0)] } ?? [] },
            lastLeft: { [weak self] in Task { await self?.endUnfollowed() } }
        ).elements
    }

    private func begin(_ id: Ride.ID, of owner: String) -> FollowedRide {
        var ride = FollowedRide(owner: owner)
        if let latest, latest.owner == owner, latest.ride.id == id { ride.ride = latest.ride }
        ride.relay = Task { [news = ride.news] in await relay(id, of: owner, to: news) }
        followed[id] = ride
        return ride
    }

    private func relay(_ id: Ride.ID, of owner: String, to news: Observers<FollowedRide.News>) async {
        do throws(DataError) {
            if followed[id]?.ride == nil { see(try await data.ride(id: id, of: owner), of: owner) }
            // As many statuses as are known are behind us.
            if let ride = followed[id]?.ride, !ride.status.isLast {
                let events = data.rideEvents(of: id, after: String(ride.history.count), owner: owner)
                for try await event in events {
                    guard followed[id]?.news === news else { return }
                    apply(event.update, to: id)
                    if followed[id]?.ride?.status.isLast == true { break }
                }
            }
            guard followed[id]?.news === news else { return }
            // An event that could not be read may have been the last.
            if followed[id]?.ride?.status.isFinal == false { see(try await data.ride(id: id, of: owner), of: owner) }
            end(id, news, with: .over)
        } catch {
            // The news of it may still be on its way to `note`.
            let isSessionOver = error.reason == .sessionEnded || error.reason == .notSignedIn
            end(id, news, with: isSessionOver ? .over : .failed(error))
        }
    }

    // MARK: What is known of a ride

    /// Notes the ride that a call gives, for those who follow it and for who will.
    func seeing(_ call: () async throws(DataError) -> Ride) async throws(DataError) -> Ride {
        try await account.restore()
        let owner = account.session?.owner
        let ride = try await call()
        if let owner { see(ride, of: owner) }
        return ride
    }

    /// Of a ride that is followed the events know better, unless the ride has come further.
    private func see(_ ride: Ride, of owner: String) {
        // Somebody else may have signed in meanwhile.
        guard owner == account.session?.owner else { return }
        settleOwner()
        if let known = followed[ride.id]?.ride, known.history.count >= ride.history.count { return }
        show(ride, of: owner)
    }

    /// What a server tells a second time, that has begun anew, is behind us.
    private func apply(_ update: RideUpdate, to id: Ride.ID) {
        guard let followed = followed[id], let ride = followed.ride else { return }
        let next = ride.applying(update)
        guard next != ride, next.history.count >= ride.history.count else { return }
        show(next, of: followed.owner)
    }

    private func show(_ ride: Ride, of owner: String) {
        latest = (ride, owner)
        followed[ride.id]?.ride = ride
        followed[ride.id]?.news.tell { .ride(ride) }
    }

    // MARK: The end

    func note(_ moment: SessionFollowers.Moment) {
        settleOwner()
    }

    /// What counts is who is signed in now.
    private func settleOwner() {
        let owner = account.session?.owner
        if latest?.owner != owner { latest = nil }
        for (id, ride) in followed where ride.owner != owner { end(id, ride.news, with: .over) }
    }

    private func endUnfollowed() {
        for (id, ride) in followed where ride.news.isEmpty { end(id, ride.news, with: .over) }
    }

    /// - Parameter news: of which following; another may have begun since.
    private func end(_ id: Ride.ID, _ news: Observers<FollowedRide.News>, with last: FollowedRide.News) {
        guard followed[id]?.news === news else { return }
        followed.removeValue(forKey: id)?.relay?.cancel()
        news.tell { last }
    }
}

extension RideStatus {
    /// Whether nothing can follow, whatever the server does: a ride that a driver gave up may be asked for again.
    fileprivate var isLast: Bool { isFinal && self != .cancelledByDriver }
}
