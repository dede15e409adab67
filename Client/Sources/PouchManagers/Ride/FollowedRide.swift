import PouchData
import PouchEntities

/// A ride that somebody follows, over one connection for all who do.
struct FollowedRide {
    enum News: Sendable {
        case ride(Ride)
        case failed(DataError)
        case over
    }

    /// How much may wait for a follower that is slow; the oldest goes.
    static let newsLimit = 100

    /// In whose name it is followed.
    let owner: String
    let news = Observers<News>(limit: newsLimit)
    /// nil while it is being read.
    var ride: Ride?
    /// Brings the news from the server.
    var relay: Task<Void, Never>?
}
